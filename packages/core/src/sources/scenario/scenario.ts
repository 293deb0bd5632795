/**
 * The scenario source: runs events that fire at a time, at a boundary, or when a condition holds.
 *
 * At a boundary, timed events act first, by time and then as listed. Steps and conditions follow as listed. A condition
 * is evaluated after the effects of the events before it. Windows are half-open. Known times are boundaries of their
 * own (law 8). Times that become known only during the flight (ends of windows, holds and delays) are inserted as
 * boundaries. Crossings of state quantities are located.
 */
import type { Axis, Clock } from "../../time/index.ts";
import { Snapshot, type SnapshotReader, type SnapshotWriter, withMemory } from "../../snapshot/index.ts";
import type { StateLayout } from "../../state/index.ts";
import { RandomStream } from "../../random/index.ts";
import type { EventFunctions, Readable, ScenarioSource, View } from "../../engine/index.ts";
import { actionOf, isEffect, variesInTime } from "./actions.ts";
import { CompiledCondition, crossingOf } from "./condition.ts";
import { type ConditionTrigger, examinationOrder, type ScenarioEvent, scenarioAxis } from "./event.ts";
import { StickSeries } from "./stick-series.ts";
import { placesOf, stateQuantity, TouchFacts } from "../../quantities/index.ts";

interface ScenarioOptions {
  readonly events: readonly ScenarioEvent[];
  readonly layout: StateLayout;
  readonly seed: number;
  readonly startUs: number;
  /**
   * Period at which conditions that are not located, and effects that change with time, are evaluated; at every
   * boundary if absent.
   */
  readonly periodUs?: number;
}

const NEVER = -1;
/** Period at which an added effect that changes with time is evaluated, if the scenario has no period. */
const ADDED_PERIOD_US = 4000;

/**
 * The record, in a checkpoint, of an event that has not happened: the cells of `cellsPerEvent`, then the number of
 * random numbers drawn. A branch uses it for the events that it adds.
 */
export const EVENT_RECORD: readonly number[] = [NEVER, NEVER, NEVER, 1, 0, 0];

/** The source that runs a flight's events. */
export class Scenario implements ScenarioSource {
  readonly writer = "scenario";
  readonly axis: Axis;
  readonly eventFunctions?: EventFunctions;
  isIdle = false;

  private readonly events: ScenarioEvent[];
  /** One condition per event; undefined for events without one. */
  private readonly conditions: (CompiledCondition | undefined)[];
  private readonly seed: number;
  private streams: readonly RandomStream[];
  private readonly facts: TouchFacts;
  /** The true state; known once the scenario has run. */
  private x: Readable | undefined;
  /** Time at which each event last fired; −1 if never. */
  private firedUs: Float64Array;
  /** Time since which each condition has held; −1 while it does not hold. */
  private heldSinceUs: Float64Array;
  /** Time at which an event whose condition was met will fire; −1 if none is pending. */
  private pendingUs: Float64Array;
  /** 1 while an event may fire. */
  private ready: Float64Array;
  /** Rank in the order of firing, from 1; 0 if it never fired. */
  private rank: Float64Array;
  /** Number of boundaries seen, and number of events fired. */
  private readonly counts = new Float64Array(2);
  private order: readonly number[];
  private readonly periodUs: number;
  /** End of the last window of an added effect that changes with time. */
  private varyingUntilUs = NEVER;
  /** Effects that have fired, in the order of firing. */
  private effects: number[] = [];
  private hasEffects = true;
  /** The stick movements of each event that moves the sticks, by its index. */
  private readonly stickSeries = new Map<number, StickSeries>();
  private insert: (tUs: number) => void = () => {};
  /** Index of the event of each crossing. */
  private crossingEvents: Int32Array = new Int32Array(0);
  /** 1 for each crossing that the engine searches for, else 0. */
  private armed: Float64Array = new Float64Array(0);

  constructor(options: ScenarioOptions) {
    const { events, layout, startUs } = options;
    this.events = [...events];
    this.periodUs = options.periodUs ?? ADDED_PERIOD_US;
    this.facts = new TouchFacts(layout);
    const places = placesOf(
      layout,
      events.flatMap(({ trigger }) => (trigger.at === "condition" ? trigger.condition : [])),
    );
    this.conditions = events.map(({ trigger }) =>
      trigger.at === "condition" ? new CompiledCondition(trigger.condition, places) : undefined,
    );
    this.seed = options.seed;
    this.streams = this.streamsOf(this.seed);
    this.firedUs = new Float64Array(events.length).fill(NEVER);
    this.heldSinceUs = new Float64Array(events.length).fill(NEVER);
    this.pendingUs = new Float64Array(events.length).fill(NEVER);
    this.ready = new Float64Array(events.length).fill(1);
    this.rank = new Float64Array(events.length);
    this.order = examinationOrder(events);
    this.axis = scenarioAxis(events, startUs, options.periodUs);
    events.forEach((event, i) => this.addSeries(i, event, event.trigger.at === "time"));
    const eventFunctions = this.makeEventFunctions(places);
    if (eventFunctions !== undefined) this.eventFunctions = eventFunctions;
  }

  readonly connect = (insert: (tUs: number) => void): void => {
    this.insert = insert;
  };

  readonly update = (clock: Clock, bus: View<"scenario">): void => {
    this.x ??= bus.truth.whole();
    const { facts, counts } = this;
    const firedBefore = counts[1]!;
    const writesAnyway = this.hasEffects || this.stickSeries.size > 0;
    facts.update(clock, this.x, bus);
    for (let k = 0; k < this.order.length; k += 1) this.examine(this.order[k]!, clock, bus);
    if (this.stickSeries.size > 0) this.moveSticks(clock, bus);
    this.applyEffects(clock, bus);
    const landed = facts.hasMotion ? facts.isLanded : bus.landed[0]!;
    this.isIdle = !writesAnyway && counts[1] === firedBefore && bus.landed[0] === landed;
    bus.landed[0] = landed;
    counts[0]! += 1;
    this.armCrossings();
    if (clock.us < this.varyingUntilUs) this.insert(clock.us + this.periodUs);
  };

  /**
   * Adds an event at a future time to a running flight. This is for live flights with a part outside the process: they
   * cannot be saved, so they cannot continue with a new description.
   */
  readonly add = (event: ScenarioEvent, tUs: number): void => {
    const { action, params, forUs = Infinity } = event;
    this.events.push({ ...event, trigger: { at: "time", tUs } });
    this.addSeries(this.events.length - 1, event, false);
    this.conditions.push(undefined);
    this.streams = [...this.streams, new RandomStream(this.activeSeed(), `scenario/${this.events.length - 1}`)];
    [this.firedUs, this.heldSinceUs, this.pendingUs, this.ready, this.rank] = this.cellsPerEvent().map((cells, i) =>
      Float64Array.of(...cells, EVENT_RECORD[i]!),
    ) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
    this.order = examinationOrder(this.events);
    this.insert(tUs);
    if (forUs !== Infinity) this.insert(tUs + forUs);
    if (variesInTime(action, params)) this.varyingUntilUs = Math.max(this.varyingUntilUs, tUs + forUs);
  };

  /**
   * Moves the sticks of a running flight at a future time, after all movements so far. The movement is added to the
   * series of the event that moved the sticks last, so the description with this series gives the same flight.
   */
  readonly steer = (tUs: number, positions: readonly number[]): void => {
    const event = this.lastStickEvent();
    if (event < 0) return;
    this.stickSeries.get(event)!.add(tUs - this.firedUs[event]!, positions);
    this.insert(tUs);
  };

  private addSeries(index: number, { action, params }: ScenarioEvent, isScheduled: boolean): void {
    if (action === "sticks") this.stickSeries.set(index, new StickSeries(params, isScheduled));
  }

  /** Returns the event that moved the sticks last; −1 if none has happened. */
  private lastStickEvent(): number {
    let last = -1;
    for (const i of this.stickSeries.keys()) if (this.rank[i]! > (this.rank[last] ?? 0)) last = i;
    return last;
  }

  private moveSticks(clock: Clock, bus: View<"scenario">): void {
    const event = this.lastStickEvent();
    if (event < 0) return;
    const series = this.stickSeries.get(event)!;
    const elapsedUs = clock.us - this.firedUs[event]!;
    const positions = series.at(elapsedUs);
    if (positions !== undefined) for (let i = 0; i < positions.length; i += 1) bus.sticks[i] = positions[i]!;
    if (series.isScheduled) return;
    const nextUs = series.nextUs(elapsedUs);
    if (nextUs !== undefined) this.insert(this.firedUs[event]! + nextUs);
  }

  /** Saves the common state, then one record per event, so that events can be added to a saved flight. */
  save(writer: SnapshotWriter): void {
    writer.numbers(this.counts);
    this.facts.save(writer);
    this.streams.forEach((stream, i) => {
      for (const cells of this.cellsPerEvent()) writer.number(cells[i]!);
      stream.save(writer);
    });
  }

  load(reader: SnapshotReader): void {
    reader.numbersInto(this.counts);
    this.facts.load(reader);
    this.streams.forEach((stream, i) => {
      for (const cells of this.cellsPerEvent()) cells[i] = reader.number();
      stream.load(reader);
    });
    this.reseed();
    const { rank, events } = this;
    const fired = [...events.keys()].filter((i) => rank[i]! > 0 && isEffect(events[i]!.action));
    this.effects = fired.sort((a, b) => rank[a]! - rank[b]!);
    this.hasEffects = true;
    this.armCrossings();
  }

  /** Makes one stream per event, so that adding or removing an event does not shift the others. */
  private streamsOf(seed: number): readonly RandomStream[] {
    return this.events.map((_, i) => new RandomStream(seed, `scenario/${i}`));
  }

  /** Returns the seed of the last `reseed` that fired, or the flight's own. */
  private activeSeed(): number {
    const { events, rank } = this;
    let last = -1;
    for (let i = 0; i < events.length; i += 1) {
      if (events[i]!.action === "reseed" && rank[i]! > (rank[last] ?? 0)) last = i;
    }
    return last < 0 ? this.seed : (events[last]!.params["seed"] as unknown as number);
  }

  /** Continues every stream at its current position with the numbers of a different seed. */
  private reseed(): void {
    const before = Snapshot.of(withMemory(this.streams));
    this.streams = this.streamsOf(this.activeSeed());
    before.into(withMemory(this.streams));
  }

  private cellsPerEvent(): readonly Float64Array[] {
    return [this.firedUs, this.heldSinceUs, this.pendingUs, this.ready, this.rank];
  }

  private examine(i: number, clock: Clock, bus: View<"scenario">): void {
    const { trigger } = this.events[i]!;
    if (trigger.at === "condition") {
      this.examineCondition(i, trigger, clock, bus);
      return;
    }
    if (this.ready[i] === 0) return;
    const isDue = trigger.at === "time" ? clock.us >= trigger.tUs : this.counts[0]! >= trigger.boundary;
    if (!isDue) return;
    this.ready[i] = 0;
    this.fire(i, clock, bus);
    if (trigger.at === "step") this.insertEnd(i, clock);
  }

  /**
   * Fires the event when its condition has held long enough. The event can fire again only after the condition has
   * become false by more than the hysteresis.
   */
  private examineCondition(i: number, trigger: ConditionTrigger, clock: Clock, bus: View<"scenario">): void {
    if (this.pendingUs[i]! !== NEVER) {
      if (clock.us >= this.pendingUs[i]!) this.firePending(i, clock, bus);
      return;
    }
    if (!this.hasBegun(trigger)) return;
    const condition = this.conditions[i]!;
    if (this.ready[i] === 0) {
      if (this.events[i]!.repeats && !this.isTrue(condition, bus, trigger.hysteresis)) this.ready[i] = 1;
      return;
    }
    if (!this.isTrue(condition, bus, 0)) {
      this.heldSinceUs[i] = NEVER;
      return;
    }
    if (this.heldSinceUs[i] === NEVER) {
      this.heldSinceUs[i] = clock.us;
      if (trigger.holdUs > 0) this.insert(clock.us + trigger.holdUs);
    }
    if (clock.us - this.heldSinceUs[i]! < trigger.holdUs) return;
    this.ready[i] = 0;
    this.heldSinceUs[i] = NEVER;
    this.pendingUs[i] = roundUpToMultiple(clock.us + trigger.afterUs, trigger.snapUs);
    if (this.pendingUs[i]! > clock.us) this.insert(this.pendingUs[i]!);
    else this.firePending(i, clock, bus);
  }

  private isTrue(condition: CompiledCondition, bus: View<"scenario">, margin: number): boolean {
    return condition.isTrue(bus, this.facts, this.x!, margin);
  }

  /**
   * Whether evaluation of the condition has begun. Uses the time at which the scenario last ran, which a checkpoint
   * contains, so that loading arms the same crossings.
   */
  private hasBegun({ fromUs = 0 }: ConditionTrigger): boolean {
    return this.facts.timeS >= fromUs / 1e6;
  }

  private firePending(i: number, clock: Clock, bus: View<"scenario">): void {
    this.pendingUs[i] = NEVER;
    this.fire(i, clock, bus);
    this.insertEnd(i, clock);
  }

  /**
   * Inserts a boundary at the end of the event's window. Called for events whose time was not known before the flight.
   */
  private insertEnd(i: number, clock: Clock): void {
    const { forUs } = this.events[i]!;
    if (forUs !== undefined) this.insert(clock.us + forUs);
  }

  private fire(i: number, clock: Clock, bus: View<"scenario">): void {
    const { action, params } = this.events[i]!;
    this.firedUs[i] = clock.us;
    this.counts[1]! += 1;
    this.rank[i] = this.counts[1]!;
    const definition = actionOf(action);
    if ("execute" in definition) {
      definition.execute(params, bus, i + 1);
      if (action === "reseed") this.reseed();
      // Keep the first stop, which the summary reports as the reason.
      if (action === "stop" && bus.stop[0] === 0) bus.stop[0] = i + 1;
      return;
    }
    this.effects = [...this.effects.filter((other) => other !== i), i];
    this.hasEffects = true;
  }

  /** Applies every active effect to healthy values, in the order of firing. */
  private applyEffects(clock: Clock, bus: View<"scenario">): void {
    if (!this.hasEffects) return;
    resetEffects(bus);
    for (let k = 0; k < this.effects.length; k += 1) {
      const i = this.effects[k]!;
      const { action, params, forUs = Infinity } = this.events[i]!;
      const elapsedUs = clock.us - this.firedUs[i]!;
      const definition = actionOf(action);
      if (elapsedUs >= forUs || !("apply" in definition)) continue;
      definition.apply(params, bus, elapsedUs / 1e6, forUs / 1e6, this.streams[i]!);
      definition.recordEvent(params, bus, i + 1);
    }
    this.hasEffects = this.effects.length > 0;
  }

  private armCrossings(): void {
    for (let k = 0; k < this.armed.length; k += 1) {
      const i = this.crossingEvents[k]!;
      const isSearched = this.pendingUs[i] === NEVER && this.hasBegun(this.events[i]!.trigger as ConditionTrigger);
      this.armed[k] = isSearched ? this.ready[i]! : 0;
    }
  }

  /** Makes one event function per condition that can be located. */
  private makeEventFunctions(places: ReturnType<typeof placesOf>): EventFunctions | undefined {
    const crossings = this.events.flatMap(({ trigger }, event) => {
      const crossing = trigger.at === "condition" ? crossingOf(trigger.condition) : undefined;
      return crossing === undefined ? [] : [{ event, crossing, of: stateQuantity(crossing.quantity) }];
    });
    if (crossings.length === 0) return undefined;
    this.crossingEvents = Int32Array.from(crossings, ({ event }) => event);
    this.armed = new Float64Array(crossings.length).fill(1);
    return {
      crossingCount: crossings.length,
      armed: this.armed,
      crossingsInto: (g: Float64Array, _timeS: Float64Array, x: Float64Array) => {
        for (let k = 0; k < crossings.length; k += 1) {
          const { crossing, of } = crossings[k]!;
          const difference = crossing.sign * (of(x as Readable, places) - crossing.value);
          // A strict comparison is still false at equality, so the crossing is later.
          g[k] = difference === 0 && crossing.isStrict ? -1 : difference;
        }
      },
    };
  }
}

/** Resets the signals to a healthy vehicle without gusts, to which effects are then applied. */
function resetEffects(bus: View<"scenario">): void {
  bus.windGustNed.fill(0);
  bus.motorGain.fill(1);
  bus.motorOffset.fill(0);
  bus.motorJam.fill(0);
  bus.propellerChip.fill(0);
  bus.propellerImbalance.fill(0);
  bus.batteryConnected.fill(1);
  bus.sensorFaultKind.fill(0);
  bus.sensorFaultLevel.fill(0);
  bus.gustEvent.fill(0);
  bus.motorEvent.fill(0);
  bus.batteryEvent.fill(0);
  bus.sensorFaultEvent.fill(0);
}

function roundUpToMultiple(tUs: number, snapUs: number): number {
  return snapUs === 0 ? tUs : Math.ceil(tUs / snapUs) * snapUs;
}
