/**
 * The values and events of a flight that requirements read: names from its vehicle and sensors, events from its
 * scenario.
 *
 * At a boundary only the elements that requirements read are kept. Values and events are read later, for many samples
 * in a row. Values are those that observers read at the end of a boundary. A timed event happens at its time. Other
 * events are recognised by signals that hold the number of the event that caused an effect, a request or a change. So a
 * replay, in which no scenario runs, finds the same events. If an event repeats while its own effect is still active,
 * no signal changes, so the repetition is not counted.
 */
import {
  type BoundaryView,
  BusLayout,
  type Dims,
  DUE_BITS,
  hasBit,
  SENSOR_WRITERS,
  signalSpec,
} from "../../engine/index.ts";
import {
  allNames,
  FactColumns,
  findNamed,
  heldBy,
  isFact,
  type NamedValue,
  placesOf,
  quantityColumnReader,
  quantityInfo,
  SampleElements,
  type SignalValuesView,
  STATE_BLOCK_OF,
} from "../../quantities/index.ts";
import { detectValue } from "../../requirements/columns.ts";
import { BLOCK_SIZE } from "../../requirements/sample-block.ts";
import type {
  ColumnReader,
  EventColumnReader,
  EventReader,
  KeptColumn,
  KeptSamples,
  SampleSource,
  PlainEvent,
} from "../../requirements/sample-source.ts";
import type { SignalName } from "../../signals/table.ts";
import type { Saveable, SnapshotReader, SnapshotWriter } from "../../snapshot/index.ts";
import { parameterEvents } from "../../sources/scenario/index.ts";
import type { StateLayout } from "../../state/index.ts";
import type { FlightDefinition } from "../definition/definition.ts";
import type { ResolvedEvent } from "./scenario-spec.ts";
import { FlightClock } from "../../time/index.ts";
import { settingChanges } from "../build/setting-changes.ts";
import { KeptValues } from "./kept-values.ts";

/** The frame holds the time, then the state. */
const STATE_IN_FRAME = 1;
/** Index of the downward component of a vector. */
const DOWN = 2;

/** The flight to judge: the vehicle's dimensions, and the parts of the definition that decide names. */
export interface SampledFlight {
  readonly dims: Dims;
  readonly layout: StateLayout;
  readonly definition: Pick<FlightDefinition, "scenario" | "sensors" | "timeline">;
}

export class FlightSamples implements SampleSource, KeptSamples, Saveable {
  private readonly flight: SampledFlight;
  private readonly bus: BusLayout;
  private readonly facts: FactColumns;
  /** Whether a requirement reads the facts; if none does, they are not derived. */
  private hasFacts = false;
  private readonly places: ReturnType<typeof placesOf>;
  /** The memory of the event readers. */
  private readonly cells: Float64Array[] = [];
  readonly keeper: KeptSamples = this;
  readonly size = BLOCK_SIZE;
  private readonly keptFrame = new KeptValues(BLOCK_SIZE);
  private readonly keptBus = new KeptValues(BLOCK_SIZE);
  private view: BoundaryView | undefined;
  /** Due bits of the kept samples, if an event needs them. */
  private readonly dues: number[] = [];
  private readsDue = false;
  // The present sample: only the elements that facts, events and computed quantities read are set.
  private readonly frame: Float64Array;
  private readonly values: Float64Array;
  private readonly clock = new FlightClock();
  private due = 0;
  private readonly x: Float64Array;
  private readonly signals = {} as SignalValuesView;

  constructor(flight: SampledFlight) {
    this.flight = flight;
    this.bus = new BusLayout(flight.dims);
    this.facts = new FactColumns(flight.layout, BLOCK_SIZE);
    this.places = placesOf(flight.layout);
    this.frame = new Float64Array(STATE_IN_FRAME + flight.layout.size);
    this.x = this.frame.subarray(STATE_IN_FRAME);
    this.values = new Float64Array(this.bus.size);
  }

  /** Sets the boundary that `keep` copies. */
  setBoundary(view: BoundaryView): void {
    this.view = view;
  }

  keep(k: number): void {
    const { view } = this;
    this.keptFrame.keep(view!.frame, k);
    this.keptBus.keep(view!.bus, k);
    if (this.readsDue) this.dues[k] = view!.due;
  }

  prepare(count: number, timesUs: Float64Array): void {
    if (!this.hasFacts) return;
    const { clock, facts, frame, x, signals } = this;
    for (let k = 0; k < count; k += 1) {
      this.select(k, timesUs);
      clock.take(frame, 0);
      facts.add(k, clock, x, signals);
    }
  }

  select(k: number, timesUs: Float64Array): void {
    const { frame, values } = this;
    frame[0] = timesUs[k]!;
    this.keptFrame.copyTo(frame, k);
    this.keptBus.copyTo(values, k);
    if (this.readsDue) this.due = this.dues[k]!;
  }

  named(name: string): NamedValue | undefined {
    return findNamed(name, this.flight);
  }

  names(): string[] {
    return allNames(this.flight);
  }

  missing({ name, source, size, sizedBy }: NamedValue): { what: string; fix: string } | undefined {
    if (size === 0)
      return {
        what: `${name} does not exist: this vehicle has no ${sizedBy ?? name}`,
        fix: "compare another quantity",
      };
    if (source.from !== "signal") return undefined;
    const { writer } = signalSpec(source.name);
    const isSensor = (SENSOR_WRITERS as readonly string[]).includes(writer);
    if (!isSensor || this.flight.definition.sensors.some(({ kind }) => kind === writer)) return undefined;
    return {
      what: `${name} does not exist: this flight does not have that sensor`,
      fix: `write sensors.${writer} = true`,
    };
  }

  columnReader({ source }: NamedValue): ColumnReader | undefined {
    if (source.from !== "quantity") return undefined;
    const { x, values, signals, places, keptFrame, keptBus } = this;
    const { needs, components, signals: names } = quantityInfo(source.name);
    const ofState = needs
      .flatMap((need) => this.stateOffsets(need, components))
      .map((offset) => ({ offset, column: keptFrame.add(STATE_IN_FRAME + offset) }));
    const ofBus = names
      .flatMap((name) => this.signalOffsets(name))
      .map((offset) => ({ offset, column: keptBus.add(offset) }));
    for (const name of names) this.showSignal(name);
    return quantityColumnReader(source.name, new SampleElements({ x, ofState, values, ofBus, signals, places }));
  }

  keptColumn({ source }: NamedValue, component: number): KeptColumn | undefined {
    const { keptFrame, keptBus } = this;
    switch (source.from) {
      case "quantity": {
        if (isFact(source.name)) {
          this.keepForFacts();
          return { values: this.facts.columns[source.name], sign: 1 };
        }
        const held = heldBy(source.name, this.places, this.flight.dims.batteries);
        if (held === undefined) return undefined;
        return held.from === "state"
          ? { values: keptFrame.add(STATE_IN_FRAME + held.offset), sign: held.sign }
          : { values: keptBus.add(this.bus.find(held.signal).offset), sign: 1 };
      }
      case "signal":
        return { values: keptBus.add(this.bus.find(source.name).offset + component), sign: 1 };
      case "state": {
        const { offset } = this.flight.layout.require(source.name, "a requirement");
        return { values: keptFrame.add(STATE_IN_FRAME + offset + component), sign: 1 };
      }
    }
  }

  event(event: PlainEvent): EventReader | undefined {
    // All other events are detected by `eventColumn`.
    return event.event === "named" ? this.scenarioEventReader(event.name) : undefined;
  }

  eventColumn(event: PlainEvent): EventColumnReader | undefined {
    switch (event.event) {
      case "takeoff":
        return this.changeReader(this.airborneColumn(), 1);
      case "touchdown":
        return this.changeReader(this.airborneColumn(), 0);
      case "arming":
        return this.changeReader(this.signalColumn("armed"), 1);
      case "disarming":
        return this.changeReader(this.signalColumn("armed"), 0);
      case "missionItem":
        return this.changeReader(this.signalColumn("missionReached"), event.item);
      default:
        return undefined;
    }
  }

  eventNames(): string[] {
    const { scenario } = this.flight.definition;
    return [...new Set(scenario.flatMap(({ name, action }) => (name === undefined ? [action] : [name, action])))];
  }

  save(writer: SnapshotWriter): void {
    this.facts.save(writer);
    for (const cells of this.cells) writer.numbers(cells);
  }

  load(reader: SnapshotReader): void {
    this.facts.load(reader);
    for (const cells of this.cells) reader.numbersInto(cells);
  }

  /** Returns the offsets of components of a block of the state, all by default, if the vehicle has it. */
  private stateOffsets(block: keyof typeof STATE_BLOCK_OF, components?: readonly number[]): number[] {
    const { offset = 0, size = 0 } = this.flight.layout.find(STATE_BLOCK_OF[block]) ?? {};
    const all = Array.from({ length: size }, (_, i) => i);
    return all.filter((i) => components?.includes(i) !== false).map((i) => offset + i);
  }

  /** Keeps components of a block of the state, and copies them into the present sample. */
  private keepState(block: keyof typeof STATE_BLOCK_OF, components?: readonly number[]): void {
    for (const offset of this.stateOffsets(block, components)) this.keptFrame.addCopied(STATE_IN_FRAME + offset);
  }

  /** Keeps the elements from which the facts are derived, and no others, because copying them takes time. */
  private keepForFacts(): void {
    if (this.hasFacts) return;
    this.hasFacts = true;
    this.keepState("vel");
    this.keepState("pos", [DOWN]);
    this.keepSignal("contactForceNed", [DOWN]);
  }

  /** Keeps components of a signal, all by default, and returns the signal's values at the present sample. */
  private keepSignal(name: SignalName, components?: readonly number[]): Float64Array {
    this.signalOffsets(name).forEach((offset, i) => {
      if (components?.includes(i) !== false) this.keptBus.addCopied(offset);
    });
    return this.showSignal(name);
  }

  private signalOffsets(name: SignalName): number[] {
    const { offset, size } = this.bus.find(name);
    return Array.from({ length: size }, (_, i) => offset + i);
  }

  /** Returns the values of a signal at the present sample, and adds them to `signals`. */
  private showSignal(name: SignalName): Float64Array {
    const { offset, size } = this.bus.find(name);
    const values = this.values.subarray(offset, offset + size);
    // Add only the signals that are read, because a table of all signals would be slow to make and to read.
    (this.signals as Record<SignalName, Float64Array>)[name] = values;
    return values;
  }

  private airborneColumn(): Float64Array {
    this.keepForFacts();
    return this.facts.columns.airborne;
  }

  private signalColumn(name: SignalName): Float64Array {
    return this.keptBus.add(this.bus.find(name).offset);
  }

  /** Returns a reader that reports when a column changes to a value. The first sample gives no event. */
  private changeReader(column: Float64Array, value: number): EventColumnReader {
    const memory = this.addMemory(1);
    return (fired, count) => detectValue(fired, count, column, value, memory);
  }

  /** Returns a reader of the events with this name or, if there are none, of all events with this action. */
  private scenarioEventReader(name: string): EventReader | undefined {
    const { scenario } = this.flight.definition;
    const named = [...scenario.keys()].filter((i) => scenario[i]!.name === name);
    const found = named.length > 0 ? named : [...scenario.keys()].filter((i) => scenario[i]!.action === name);
    if (found.length === 0) return undefined;
    const readers = found.map((i) => this.eventReader(scenario[i]!, i));
    return () => {
      let happens = false;
      for (const read of readers) if (read()) happens = true;
      return happens;
    };
  }

  private eventReader(event: ResolvedEvent, index: number): EventReader {
    const { trigger } = event;
    const { frame } = this;
    const memory = this.addMemory(1);
    if (trigger.at === "time") {
      return () => {
        const happens = memory[0] === 0 && frame[0]! >= trigger.tUs;
        if (happens) memory[0] = 1;
        return happens;
      };
    }
    if (trigger.at === "step") {
      this.readsDue = true;
      return () => {
        if ((this.due & DUE_BITS.scenario) === 0) return false;
        memory[0]! += 1;
        return memory[0] === trigger.boundary + 1;
      };
    }
    return this.conditionReader(event, index);
  }

  /**
   * Returns the reader of an event with a condition. While the event has an effect, a signal of its action holds the
   * event's number or bit.
   */
  private conditionReader(event: ResolvedEvent, index: number): EventReader {
    const isSignalled = this.signalReader(event, index);
    // Three cells: whether a signal holds the number or bit of the event, how often the event has happened, and when
    // its effect ends.
    const memory = this.addMemory(3);
    const { repeats, forUs = Infinity } = event;
    const { frame } = this;
    this.readsDue = true;
    return () => {
      if ((this.due & DUE_BITS.scenario) === 0) return false;
      const tUs = frame[0]!;
      const isSignalledNow = isSignalled();
      // A signal holds the number of an event again when a later event that replaced it has ended. This is not a new
      // event.
      const isNew = memory[1] === 0 || (repeats && tUs >= memory[2]!);
      const happens = isSignalledNow && memory[0] === 0 && isNew;
      memory[0] = isSignalledNow ? 1 : 0;
      if (!happens) return false;
      memory[1]! += 1;
      memory[2] = tUs + Math.min(forUs, Number.MAX_SAFE_INTEGER);
      return true;
    };
  }

  private signalReader({ action, params }: ResolvedEvent, index: number): () => boolean {
    const { scenario } = this.flight.definition;
    const number = index + 1;
    const holdsNumber = (name: SignalName) => {
      const values = this.keepSignal(name);
      return () => {
        for (let i = 0; i < values.length; i += 1) if (values[i] === number) return true;
        return false;
      };
    };
    const hasChange = (name: "parameterChanges" | "settingChanges", bit: number) => {
      const values = this.keepSignal(name);
      return () => hasBit(values[0]!, bit);
    };
    if (action === "parameter") {
      return hasChange("parameterChanges", parameterEvents(scenario).find((change) => change.index === index)!.bit);
    }
    const change = settingChanges(scenario).find((setting) => setting.index === index);
    if (change !== undefined) return hasChange("settingChanges", change.bit);
    if (action === "stop") return holdsNumber("stop");
    if (action === "gust" || action === "windMean") return holdsNumber("gustEvent");
    if (action === "sensorFault") return holdsNumber("sensorFaultEvent");
    if (action.startsWith("battery")) return holdsNumber("batteryEvent");
    if (action.startsWith("motor") && "motor" in params) return holdsNumber("motorEvent");
    return this.requestReader(number);
  }

  /**
   * Returns a reader that reports whether the event made a request at this boundary. Every request raises the number of
   * requests.
   */
  private requestReader(number: number): () => boolean {
    const memory = this.addMemory(1);
    const requestCount = this.keepSignal("requestCount");
    const requestEvent = this.keepSignal("requestEvent");
    return () => {
      const isNew = requestCount[0] !== memory[0];
      memory[0] = requestCount[0]!;
      return isNew && (requestEvent[0] === number || requestEvent[1] === number);
    };
  }

  private addMemory(size: number): Float64Array {
    const memory = new Float64Array(size);
    this.cells.push(memory);
    return memory;
  }
}
