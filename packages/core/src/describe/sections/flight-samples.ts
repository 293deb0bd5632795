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
  findNamed,
  heldBy,
  type NamedValue,
  placesOf,
  quantityInfo,
  isStateQuantity,
  quantityReaderInto,
  type QuantitySample,
  type SignalValuesView,
  STATE_BLOCK_OF,
  stateColumnReader,
  StateSample,
  TouchFacts,
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
  ValueReader,
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

export class FlightSamples implements SampleSource, KeptSamples, QuantitySample, Saveable {
  private readonly flight: SampledFlight;
  private readonly bus: BusLayout;
  readonly facts: TouchFacts;
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
  readonly x: Float64Array;
  readonly signals = {} as SignalValuesView;

  constructor(flight: SampledFlight) {
    this.flight = flight;
    this.bus = new BusLayout(flight.dims);
    this.facts = new TouchFacts(flight.layout);
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

  select(k: number, timesUs: Float64Array): void {
    const { frame, values, clock } = this;
    frame[0] = timesUs[k]!;
    this.keptFrame.copyTo(frame, k);
    this.keptBus.copyTo(values, k);
    if (this.readsDue) this.due = this.dues[k]!;
    if (!this.hasFacts) return;
    clock.take(frame, 0);
    this.facts.update(clock, this.x, this.signals);
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

  reader({ source }: NamedValue): ValueReader {
    const { name } = source as Extract<NamedValue["source"], { from: "quantity" }>;
    const { needs, signals, usesFacts } = quantityInfo(name);
    if (usesFacts === true) this.keepForFacts();
    for (const need of needs) this.keepState(need);
    for (const signal of signals) this.keepSignal(signal);
    return quantityReaderInto(name, this.places, this);
  }

  /** Quantities of the state are computed from the kept columns, without the rest of the sample. */
  columnReader({ source }: NamedValue): ColumnReader | undefined {
    if (source.from !== "quantity" || !isStateQuantity(source.name)) return undefined;
    const { needs, components } = quantityInfo(source.name);
    const offsets = needs.flatMap((need) => this.stateOffsets(need, components));
    const columns = offsets.map((offset) => this.keptFrame.add(STATE_IN_FRAME + offset));
    return stateColumnReader(source.name, new StateSample({ x: this.x, places: this.places, offsets, columns }));
  }

  keptColumn({ source }: NamedValue, component: number): KeptColumn | undefined {
    const { keptFrame, keptBus } = this;
    switch (source.from) {
      case "quantity": {
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
    const { facts } = this;
    switch (event.event) {
      case "named":
        return this.scenarioEventReader(event.name);
      case "takeoff":
        this.keepForFacts();
        return this.edgeReader(() => facts.isAirborne === 1);
      case "touchdown":
        this.keepForFacts();
        return this.edgeReader(() => facts.isAirborne === 0);
      default:
        // All other events are detected by `eventColumn`.
        return undefined;
    }
  }

  eventColumn(event: PlainEvent): EventColumnReader | undefined {
    switch (event.event) {
      case "arming":
        return this.valueColumn("armed", 1);
      case "disarming":
        return this.valueColumn("armed", 0);
      case "missionItem":
        return this.valueColumn("missionReached", event.item);
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

  /** Keeps the components of a signal that are read, all by default, and returns its values at the present sample. */
  private keepSignal(name: SignalName, components?: readonly number[]): Float64Array {
    const { offset, size } = this.bus.find(name);
    for (let i = 0; i < size; i += 1) {
      if (components?.includes(i) !== false) this.keptBus.addCopied(offset + i);
    }
    const values = this.values.subarray(offset, offset + size);
    // Add only the signals that are read, because a table of all signals would be slow to make and to read.
    (this.signals as Record<SignalName, Float64Array>)[name] = values;
    return values;
  }

  /**
   * Returns a reader that reports when a condition becomes true. A condition that is true at the first sample gives no
   * event.
   */
  private edgeReader(isTrue: () => boolean): EventReader {
    // The cell is 0 before the first sample, then 1 if the condition is true and 2 if it is false.
    const memory = this.addMemory(1);
    return () => {
      const now = isTrue() ? 1 : 2;
      const happens = now === 1 && memory[0] === 2;
      memory[0] = now;
      return happens;
    };
  }

  /** Returns a reader that reports when a signal takes a value. The first sample gives no event. */
  private valueColumn(name: SignalName, value: number): EventColumnReader {
    const column = this.keptBus.add(this.bus.find(name).offset);
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
