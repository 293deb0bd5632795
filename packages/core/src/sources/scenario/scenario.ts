/**
 * The scenario source: events that fire at a time, at a boundary, or when a condition holds, and what they do.
 *
 * At equal times events act in the order in which they are listed; a condition sees the effect of what came before it.
 * Windows are half-open. Events with a time are boundaries of their own (law 8); windows that open while flying insert
 * the boundary of their end; crossings of state quantities are located. The last word of every run is `stop`.
 */
import { type Axis, type Clock, everyBoundary, listedAxis, periodicAxis, unionAxis } from "../../time/index.ts";
import type { SnapshotReader, SnapshotWriter } from "../../snapshot/index.ts";
import type { StateLayout } from "../../state/index.ts";
import type { ParamsOf, ParamTable } from "../../params/index.ts";
import { RandomStream } from "../../random/index.ts";
import type { Locates, Readable, ScenarioSource, View } from "../../engine/index.ts";
import { ACTIONS, type ActionName, type EffectAction, type RequestAction } from "./actions.ts";
import { type Condition, crossingOf, holds, risesWhen } from "./condition.ts";
import { TouchFacts } from "./facts.ts";
import {
  isStateQuantity,
  placesOf,
  SIGNAL_QUANTITIES,
  STATE_QUANTITIES,
  type QuantityName,
  type StatePlaces,
} from "./quantities.ts";

/** One event, with every default filled in. */
export interface ScenarioEvent {
  readonly trigger:
    | { readonly at: "time"; readonly tUs: number }
    | { readonly at: "step"; readonly boundary: number }
    | { readonly at: "condition"; readonly condition: Condition; readonly holdUs: number; readonly hysteresis: number };
  /** Length of the effect's window; absent for ever. */
  readonly forUs?: number;
  /** A condition may fire again after it has been left by its hysteresis. */
  readonly repeats: boolean;
  readonly action: ActionName;
  readonly params: ParamsOf<ParamTable>;
}

export interface ScenarioOptions {
  readonly events: readonly ScenarioEvent[];
  readonly layout: StateLayout;
  readonly seed: number;
  readonly startUs: number;
  /** How often conditions that are not located are looked at; absent: at every boundary. */
  readonly periodUs?: number;
}

const NEVER = -1;

export class Scenario implements ScenarioSource {
  readonly writer = "scenario";
  readonly axis: Axis;
  readonly locates?: Locates;

  private readonly events: readonly ScenarioEvent[];
  private readonly places: StatePlaces;
  private readonly dice: readonly RandomStream[];
  private readonly facts: TouchFacts;
  /** When each event last fired; −1 never. */
  private readonly firedUs: Float64Array;
  /** Since when each condition holds; −1 while it does not. */
  private readonly heldSinceUs: Float64Array;
  /** 1 while an event may fire. */
  private readonly ready: Float64Array;
  private readonly boundaries = new Float64Array(1);
  /** Order in which events are examined: by time, then as listed. */
  private readonly order: readonly number[];
  private insert: (tUs: number) => void = () => {};
  /** Event of each crossing, and whether it is to be looked for. */
  private crossingEvents: Int32Array = new Int32Array(0);
  private armed: Float64Array = new Float64Array(0);

  constructor(options: ScenarioOptions) {
    const { events, layout, startUs } = options;
    this.events = events;
    this.places = placesOf(layout);
    this.dice = events.map((_, i) => new RandomStream(options.seed, `scenario/${i}`));
    this.facts = new TouchFacts(layout);
    this.firedUs = new Float64Array(events.length).fill(NEVER);
    this.heldSinceUs = new Float64Array(events.length).fill(NEVER);
    this.ready = new Float64Array(events.length).fill(1);
    this.order = [...events.keys()].sort((a, b) => compareTimes(timeOf(events[a]!), timeOf(events[b]!)) || a - b);
    this.axis = axisOf(options, startUs);
    const locates = this.makeLocates();
    if (locates !== undefined) this.locates = locates;
  }

  readonly connect = (insert: (tUs: number) => void): void => {
    this.insert = insert;
  };

  readonly update = (clock: Clock, bus: View<"scenario">): void => {
    this.facts.update(clock, bus);
    for (let k = 0; k < this.order.length; k += 1) this.examine(this.order[k]!, clock, bus);
    this.foldEffects(clock, bus);
    this.facts.publish(bus);
    this.boundaries[0]! += 1;
    this.armCrossings();
  };

  save(writer: SnapshotWriter): void {
    writer.numbers(this.firedUs);
    writer.numbers(this.heldSinceUs);
    writer.numbers(this.ready);
    writer.numbers(this.boundaries);
    this.facts.save(writer);
    for (const stream of this.dice) stream.save(writer);
  }

  load(reader: SnapshotReader): void {
    reader.numbersInto(this.firedUs);
    reader.numbersInto(this.heldSinceUs);
    reader.numbersInto(this.ready);
    reader.numbersInto(this.boundaries);
    this.facts.load(reader);
    for (const stream of this.dice) stream.load(reader);
    this.armCrossings();
  }

  private examine(i: number, clock: Clock, bus: View<"scenario">): void {
    const { trigger, repeats } = this.events[i]!;
    if (trigger.at === "condition") {
      this.examineCondition(i, clock, bus);
      return;
    }
    if (this.ready[i] === 0) return;
    const isDue = trigger.at === "time" ? clock.us >= trigger.tUs : this.boundaries[0]! >= trigger.boundary;
    if (!isDue) return;
    if (!repeats) this.ready[i] = 0;
    this.fire(i, clock, bus);
  }

  /** Fires when the condition has held for its time; re-arms only after it was left by the hysteresis. */
  private examineCondition(i: number, clock: Clock, bus: View<"scenario">): void {
    const event = this.events[i]!;
    if (event.trigger.at !== "condition") return;
    const { condition, holdUs, hysteresis } = event.trigger;
    if (this.ready[i] === 0) {
      if (event.repeats && !this.isTrue(condition, bus, hysteresis)) this.ready[i] = 1;
      return;
    }
    if (!this.isTrue(condition, bus, 0)) {
      this.heldSinceUs[i] = NEVER;
      return;
    }
    if (this.heldSinceUs[i] === NEVER) {
      this.heldSinceUs[i] = clock.us;
      if (holdUs > 0) this.insert(clock.us + holdUs);
    }
    if (clock.us - this.heldSinceUs[i]! < holdUs) return;
    this.ready[i] = 0;
    this.heldSinceUs[i] = NEVER;
    this.fire(i, clock, bus);
  }

  private fire(i: number, clock: Clock, bus: View<"scenario">): void {
    const { action, params, forUs } = this.events[i]!;
    this.firedUs[i] = clock.us;
    if (action === "stop" && bus.stop[0] === 0) bus.stop[0] = i + 1;
    const definition = ACTIONS[action] as RequestAction | EffectAction;
    if ("once" in definition) definition.once(params, bus);
    if (forUs !== undefined && this.events[i]!.trigger.at !== "time") this.insert(clock.us + forUs);
  }

  /** Every effect in force, folded from healthy values in event order. */
  private foldEffects(clock: Clock, bus: View<"scenario">): void {
    resetEffects(bus);
    for (let i = 0; i < this.events.length; i += 1) {
      const { action, params, forUs = Infinity } = this.events[i]!;
      const definition = ACTIONS[action] as RequestAction | EffectAction;
      if (!("fold" in definition) || this.firedUs[i] === NEVER) continue;
      const elapsedUs = clock.us - this.firedUs[i]!;
      if (elapsedUs < forUs) definition.fold(params, bus, elapsedUs / 1e6, forUs / 1e6, this.dice[i]!);
    }
  }

  /** With a margin, each comparison counts as left only when missed by more than that. */
  private isTrue(condition: Condition, bus: View<"scenario">, margin: number): boolean {
    for (let k = 0; k < condition.length; k += 1) {
      const { quantity, comparator, value } = condition[k]!;
      const slack = margin * risesWhen(comparator);
      if (!holds(comparator, this.quantity(quantity, bus) + slack, value)) return false;
    }
    return true;
  }

  private quantity(name: QuantityName, bus: View<"scenario">): number {
    return isStateQuantity(name)
      ? STATE_QUANTITIES[name].of(this.facts.state(bus), this.places)
      : SIGNAL_QUANTITIES[name].on(bus, this.facts);
  }

  private armCrossings(): void {
    for (let k = 0; k < this.armed.length; k += 1) this.armed[k] = this.ready[this.crossingEvents[k]!]!;
  }

  /** One crossing for every condition of that form. */
  private makeLocates(): Locates | undefined {
    const crossings = this.events.flatMap(({ trigger }, event) => {
      const comparison = trigger.at === "condition" ? crossingOf(trigger.condition) : undefined;
      return comparison === undefined ? [] : [{ event, comparison }];
    });
    if (crossings.length === 0) return undefined;
    const { places } = this;
    this.crossingEvents = Int32Array.from(crossings, ({ event }) => event);
    this.armed = new Float64Array(crossings.length).fill(1);
    return {
      crossingCount: crossings.length,
      armed: this.armed,
      crossingsInto: (g: Float64Array, _timeS: Float64Array, x: Float64Array) => {
        for (let k = 0; k < crossings.length; k += 1) {
          const { quantity, comparator, value } = crossings[k]!.comparison;
          if (!isStateQuantity(quantity)) continue;
          const difference = STATE_QUANTITIES[quantity].of(x as Readable, places) - value;
          g[k] = risesWhen(comparator) * difference;
        }
      },
    };
  }
}

/** Effects start from a healthy vehicle in its own wind. */
function resetEffects(bus: View<"scenario">): void {
  bus.windGustNed.fill(0);
  bus.motorGain.fill(1);
  bus.motorOffset.fill(0);
  bus.motorJam.fill(0);
  bus.batteryConnected.fill(1);
  bus.sensorFaultKind.fill(0);
  bus.sensorFaultLevel.fill(0);
  bus.parameterChanges[0] = 0;
}

/** Conditions stand at their own instant: after everything that has a time, in listed order. */
function timeOf({ trigger }: ScenarioEvent): number {
  return trigger.at === "time" ? trigger.tUs : Infinity;
}

function compareTimes(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Scheduled times with the ends of their windows; every boundary, or a period, when there is a condition to look at. */
function axisOf({ events, periodUs }: ScenarioOptions, startUs: number): Axis {
  const scheduled = listedAxis([startUs, ...scheduledTimes(events)]);
  if (events.every(({ trigger }) => trigger.at === "time")) return scheduled;
  return unionAxis(scheduled, periodUs === undefined ? everyBoundary : periodicAxis({ startUs, periodUs }));
}

/** Every time that is known before the flight: these are boundaries whatever else is due. */
export function scheduledTimes(events: readonly ScenarioEvent[]): number[] {
  return events.flatMap(({ trigger, forUs }) => {
    if (trigger.at !== "time") return [];
    return forUs === undefined ? [trigger.tUs] : [trigger.tUs, trigger.tUs + forUs];
  });
}
