/**
 * Switches a cause off in flight: a branch flies the bad flight up to an instant and the good one after it. This file
 * converts the differences between the two flights to the events of the branch. Effects that cannot be undone remain
 * (`lasting`).
 */
import type { PlainObject } from "../params/index.ts";
import type { BranchEdit } from "../describe/definition/branch.ts";
import type { EventDifference, FlightDifference, FlightMix, SettingDifference } from "./differences.ts";
import { actionIn } from "./event-slots.ts";
import { settingEvents } from "./setting-events.ts";
import { type PastEvent, remainingUs, undoEvents } from "./undo.ts";

/** The good and the bad flight, and the time at which each of their events fired, −1 if it did not. */
interface FlownPair {
  readonly mix: FlightMix;
  readonly goodSpec: PlainObject;
  readonly goodFiredUs: readonly number[];
  /** The good flight with the cause. */
  readonly badSpec: PlainObject;
  readonly badFiredUs: readonly number[];
}

/** The edit that switches the cause off at `atUs`. */
export interface SwitchedFlight extends Required<Pick<BranchEdit, "atUs" | "events" | "without">> {
  /** True if an event is omitted that could have happened before the instant, so that no checkpoint can be used. */
  readonly needsStart: boolean;
}

export class CauseSwitch {
  private readonly pair: FlownPair;
  private readonly cause: readonly FlightDifference[];
  private readonly settings: readonly SettingDifference[];
  private readonly eventDifferences: readonly EventDifference[];
  private readonly badEvents: readonly PastEvent[];
  /** The reasons why effects could not be undone when the switch was tried, by the key of the difference. */
  readonly lasting = new Map<string, string>();

  constructor(pair: FlownPair, cause: readonly FlightDifference[]) {
    this.pair = pair;
    this.cause = cause;
    this.settings = cause.filter((difference) => difference.kind === "setting");
    this.eventDifferences = cause.filter((difference) => difference.kind === "event");
    this.badEvents = eventsIn(pair.badSpec).map((spec, i) => ({ spec, firedUs: pair.badFiredUs[i]! }));
  }

  /**
   * The first instant at which the two flights can differ. Switching the cause off at or before it gives the good
   * flight.
   */
  get firstUs(): number {
    if (this.settings.length > 0) return 0;
    const times = this.eventDifferences.flatMap((difference) => [
      this.badEvent(difference)?.firedUs ?? -1,
      this.goodEvent(difference)?.firedUs ?? -1,
    ]);
    const happened = times.filter((tUs) => tUs >= 0);
    return happened.length === 0 ? 0 : Math.min(...happened);
  }

  /** Returns events that restore the good values of these settings; empty if no event can restore them. */
  eventsFor(settings: readonly SettingDifference[]): PlainObject[] {
    return settingEvents(settings, this.pair.goodSpec);
  }

  at(atUs: number): SwitchedFlight {
    const { pair, cause } = this;
    const events = this.eventsFor(this.settings);
    const without: number[] = [];
    let needsStart = false;
    for (const difference of this.eventDifferences) {
      const bad = this.badEvent(difference);
      if (bad !== undefined) {
        if (bad.firedUs >= 0 && bad.firedUs < atUs) events.push(...this.undo(difference.key, bad, atUs));
        else {
          without.push(pair.mix.eventNumber(cause, difference));
          needsStart ||= bad.spec["atS"] === undefined;
        }
      }
      const good = this.goodEvent(difference);
      if (good !== undefined) events.push(...eventsFromInstant(good, atUs));
    }
    return { atUs, events, without, needsStart };
  }

  private undo(key: string, event: PastEvent, atUs: number): PlainObject[] {
    const others = this.badEvents.filter((other) => other !== event);
    const found = undoEvents(event, atUs, this.pair.badSpec, others);
    if (typeof found !== "string") return found;
    this.lasting.set(key, found);
    return [];
  }

  private badEvent(difference: EventDifference): PastEvent | undefined {
    if (difference.slot.bad === undefined) return undefined;
    return this.badEvents[this.pair.mix.eventNumber(this.cause, difference)];
  }

  private goodEvent({ slot: { good } }: EventDifference): PastEvent | undefined {
    return good === undefined ? undefined : { spec: good.spec, firedUs: this.pair.goodFiredUs[good.number]! };
  }
}

export function eventsIn({ scenario = [] }: PlainObject): readonly PlainObject[] {
  return scenario as readonly PlainObject[];
}

/**
 * Returns an event of the good flight, rewritten so that it happens at an instant or later. A condition is evaluated
 * from the instant on; an overdue event happens at the instant, for the remainder of its window.
 */
function eventsFromInstant(event: PastEvent, atUs: number): PlainObject[] {
  const { spec, firedUs } = event;
  // Drop the name, because the bad flight may have an event of the same name.
  const { name: _name, ...unnamed } = spec;
  if (spec["when"] !== undefined) {
    const fromS = Math.max((spec["fromS"] as number | undefined) ?? 0, atUs / 1e6);
    return [{ ...unnamed, fromS }];
  }
  if (firedUs < 0) return [];
  const fromUs = Math.max(atUs, firedUs);
  const leftUs = remainingUs(event, fromUs);
  if (leftUs <= 0) return [];
  const action = actionIn(spec);
  const window = leftUs < Infinity ? { forS: leftUs / 1e6 } : {};
  return [{ atS: fromUs / 1e6, ...window, [action]: spec[action] }];
}
