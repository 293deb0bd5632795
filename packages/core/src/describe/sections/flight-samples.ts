/**
 * The values and events of a flight that requirements read: names from its vehicle and sensors, events from its
 * scenario.
 *
 * Values are those that observers read at the end of a boundary. A timed event happens at its time. Other events are
 * recognised by the signals that name the event behind an effect, a request or a change, so that a replay, in which no
 * scenario runs, finds the same events. If an event repeats while its own effect is still active, no signal changes,
 * and it counts once.
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
  quantityReaderInto,
  type QuantityName,
  type QuantitySample,
  type SignalValuesView,
  TouchFacts,
} from "../../quantities/index.ts";
import type {
  EventReader,
  SampleSource,
  PlainEvent,
  ValuePlace,
  ValueReader,
} from "../../requirements/sample-source.ts";
import type { Saveable, SnapshotReader, SnapshotWriter } from "../../snapshot/index.ts";
import { parameterEvents } from "../../sources/scenario/index.ts";
import type { StateLayout } from "../../state/index.ts";
import type { FlightDefinition } from "../definition/definition.ts";
import type { ResolvedEvent } from "./scenario-spec.ts";
import { settingChanges } from "../build/setting-changes.ts";

const EMPTY = new Float64Array(0);
/** The arrays that hold values as they are. */
const BUS = 0;
const STATE = 1;

/** The flight to judge: the vehicle's dimensions, and the parts of the definition that decide names. */
export interface SampledFlight {
  readonly dims: Dims;
  readonly layout: StateLayout;
  readonly definition: Pick<FlightDefinition, "scenario" | "sensors" | "timeline">;
}

export class FlightSamples implements SampleSource, QuantitySample, Saveable {
  readonly endUs: number;
  private readonly flight: SampledFlight;
  private readonly bus: BusLayout;
  readonly facts: TouchFacts;
  private readonly places: ReturnType<typeof placesOf>;
  /** The memory of the event readers. */
  private readonly cells: Float64Array[] = [];
  x: Float64Array = EMPTY;
  private values: Float64Array = EMPTY;
  signals: SignalValuesView = {} as SignalValuesView;
  private view: BoundaryView | undefined;
  readonly arrays: Float64Array[] = [EMPTY, EMPTY];

  constructor(flight: SampledFlight) {
    this.flight = flight;
    this.endUs = Math.round(flight.definition.timeline.endS * 1e6);
    this.bus = new BusLayout(flight.dims);
    this.facts = new TouchFacts(flight.layout);
    this.places = placesOf(flight.layout);
  }

  /** Sets the boundary whose values are read. */
  show(view: BoundaryView): void {
    if (this.view !== view || this.values !== view.bus) this.attach(view);
    this.facts.update(view.clock, this.x, this.signals);
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
    return quantityReaderInto(name, this.places, this);
  }

  place({ source }: NamedValue, component: number): ValuePlace | undefined {
    switch (source.from) {
      case "quantity":
        return this.quantityPlace(source.name);
      case "signal":
        return { array: BUS, offset: this.bus.find(source.name).offset + component, sign: 1 };
      case "state": {
        const { offset } = this.flight.layout.require(source.name, "a requirement");
        return { array: STATE, offset: offset + component, sign: 1 };
      }
    }
  }

  event(event: PlainEvent): EventReader | undefined {
    switch (event.event) {
      case "named":
        return this.scenarioEvent(event.name);
      case "takeoff":
        return this.edge(() => this.facts.isAirborne === 1);
      case "touchdown":
        return this.edge(() => this.facts.isAirborne === 0);
      case "arming":
        return this.edge(() => this.signals.armed[0] === 1);
      case "disarming":
        return this.edge(() => this.signals.armed[0] === 0);
      case "missionItem":
        return this.edge(() => this.signals.missionReached[0] === event.item);
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

  private quantityPlace(name: QuantityName): ValuePlace | undefined {
    const held = heldBy(name, this.places, this.flight.dims.batteries);
    if (held === undefined) return undefined;
    return held.from === "state"
      ? { array: STATE, offset: held.offset, sign: held.sign }
      : { array: BUS, offset: this.bus.find(held.signal).offset, sign: 1 };
  }

  private attach(view: BoundaryView): void {
    this.view = view;
    this.arrays[BUS] = view.bus;
    this.arrays[STATE] = view.frame.subarray(1, 1 + view.stateSize);
    this.values = view.bus;
    this.x = this.arrays[STATE]!;
    this.signals = Object.fromEntries(
      this.bus.signals.map(({ name, offset, size }) => [name, view.bus.subarray(offset, offset + size)]),
    ) as unknown as SignalValuesView;
  }

  /**
   * Returns the event that happens when a condition becomes true. A condition that is true at the first sample gives no
   * event.
   */
  private edge(isTrue: () => boolean): EventReader {
    const memory = this.memory(1);
    return () => {
      const now = isTrue() ? 1 : 2;
      const happens = now === 1 && memory[0] === 2;
      memory[0] = now;
      return happens;
    };
  }

  /** Returns the events of this name, or, if there is none, all events with this action. */
  private scenarioEvent(name: string): EventReader | undefined {
    const { scenario } = this.flight.definition;
    const named = [...scenario.keys()].filter((i) => scenario[i]!.name === name);
    const found = named.length > 0 ? named : [...scenario.keys()].filter((i) => scenario[i]!.action === name);
    if (found.length === 0) return undefined;
    const readers = found.map((i) => this.reading(scenario[i]!, i));
    return () => {
      let happens = false;
      for (const read of readers) if (read()) happens = true;
      return happens;
    };
  }

  private reading(event: ResolvedEvent, index: number): EventReader {
    const { trigger } = event;
    const memory = this.memory(1);
    if (trigger.at === "time") {
      return () => {
        const happens = memory[0] === 0 && this.view!.frame[0]! >= trigger.tUs;
        if (happens) memory[0] = 1;
        return happens;
      };
    }
    if (trigger.at === "step") {
      return () => {
        if ((this.view!.due & DUE_BITS.scenario) === 0) return false;
        memory[0]! += 1;
        return memory[0] === trigger.boundary + 1;
      };
    }
    return this.conditional(event, index);
  }

  /** Returns an event with a condition, by the signals of its action. */
  private conditional(event: ResolvedEvent, index: number): EventReader {
    const shows = this.shows(event, index);
    // Whether its signal shows it now, how often it has happened, and when its effect ends.
    const memory = this.memory(3);
    const { repeats, forUs = Infinity } = event;
    return () => {
      if ((this.view!.due & DUE_BITS.scenario) === 0) return false;
      const tUs = this.view!.frame[0]!;
      const isShown = shows();
      // A signal names an event again after a later event that replaced it has ended. This is not a new event.
      const isNew = memory[1] === 0 || (repeats && tUs >= memory[2]!);
      const happens = isShown && memory[0] === 0 && isNew;
      memory[0] = isShown ? 1 : 0;
      if (!happens) return false;
      memory[1]! += 1;
      memory[2] = tUs + Math.min(forUs, Number.MAX_SAFE_INTEGER);
      return true;
    };
  }

  private shows({ action, params }: ResolvedEvent, index: number): () => boolean {
    const { scenario } = this.flight.definition;
    const number = index + 1;
    const within = (name: keyof SignalValuesView) => () => {
      const values = this.signals[name];
      for (let i = 0; i < values.length; i += 1) if (values[i] === number) return true;
      return false;
    };
    const hasChange = (name: "parameterChanges" | "settingChanges", bit: number) => () =>
      hasBit(this.signals[name][0]!, bit);
    if (action === "parameter") {
      return hasChange("parameterChanges", parameterEvents(scenario).find((change) => change.index === index)!.bit);
    }
    const change = settingChanges(scenario).find((setting) => setting.index === index);
    if (change !== undefined) return hasChange("settingChanges", change.bit);
    if (action === "stop") return within("stop");
    if (action === "gust" || action === "windMean") return within("gustEvent");
    if (action === "sensorFault") return within("sensorFaultEvent");
    if (action.startsWith("battery")) return within("batteryEvent");
    if (action.startsWith("motor") && "motor" in params) return within("motorEvent");
    return this.request(number);
  }

  /** Returns the event of a request, which is visible at the boundary at which the number of requests rises. */
  private request(number: number): () => boolean {
    const memory = this.memory(1);
    return () => {
      const { requestCount, requestEvent } = this.signals;
      const isNew = requestCount[0] !== memory[0];
      memory[0] = requestCount[0]!;
      return isNew && (requestEvent[0] === number || requestEvent[1] === number);
    };
  }

  private memory(size: number): Float64Array {
    const memory = new Float64Array(size);
    this.cells.push(memory);
    return memory;
  }
}
