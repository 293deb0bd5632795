/**
 * A flight, ready to fly: the parts and the memory they share.
 *
 * All memory that can affect the results belongs either to the flight (the frame `[t, x, u]` in one buffer, the bus,
 * the schedule) or to one of its parts; each part saves its own memory. A checkpoint is taken before a boundary runs,
 * never inside one.
 */
import { type Arithmetic, arithmeticFaults } from "../math/arithmetic.ts";
import { FlightClock, listedAxis, periodicAxis } from "../time/index.ts";
import { SimError } from "../errors/index.ts";
import { snapshotErrors } from "../snapshot/errors.ts";
import { type Saveable, type Snapshot, SnapshotBuilder, withMemory } from "../snapshot/index.ts";
import { Boundary } from "./boundary.ts";
import { Bus, TruthWindow } from "./bus.ts";
import { inputLayout } from "./input.ts";
import type {
  Column,
  Integrator,
  IntegratorContext,
  Observer,
  Plant,
  Probe,
  ScenarioSource,
  Sink,
  Source,
} from "./contracts.ts";
import { rowColumns } from "./columns.ts";
import { engineErrors } from "./errors.ts";
import type { CommandPolicy } from "./guards.ts";
import { Interval } from "./interval.ts";
import { type AxisEntry, type RecordedBoundaries, Schedule } from "./schedule.ts";
import type { Dims } from "../signals/table.ts";
import { DUE_BITS, SENSOR_WRITERS, type SensorWriter } from "./stages.ts";

/** A raw sensor. `Source<SensorWriter>` is accepted too, because the types in a registry do not name the sensor. */
export type SensorSource = { [W in SensorWriter]: Source<W> }[SensorWriter] | Source<SensorWriter>;

/** Everything a flight is made of. The signals of an absent source keep their initial values. */
export interface FlightParts {
  readonly startUs?: number;
  readonly endUs: number;
  readonly dims?: Dims;
  readonly plant: Plant;
  readonly integrator: (context: IntegratorContext) => Integrator;
  readonly scenario?: ScenarioSource;
  readonly wind?: Source<"wind">;
  readonly sensors?: readonly SensorSource[];
  readonly estimator?: Source<"estimator">;
  readonly autopilot?: Source<"autopilot">;
  readonly logPeriodUs?: number;
  /** Period of a physics axis, for fixed-step integration: one interval per tick. */
  readonly physicsPeriodUs?: number;
  readonly probes?: readonly Probe[];
  readonly sinks?: readonly Sink[];
  /** Digests and recorders, in the order in which they are called. */
  readonly observers?: readonly Observer[];
  readonly commandPolicy?: CommandPolicy;
  /** Hash of the definition. Checkpoints carry it, and a checkpoint with another hash is rejected. */
  readonly hash?: string;
  /** States whether compiled code runs, and if not, why. */
  readonly code?: { readonly text: string };
  /** The boundaries of the recording that the flight replays, with the due bits of each. */
  readonly recorded?: RecordedBoundaries;
}

const DEFAULT_DIMS: Dims = { rotors: 1, batteries: 1, buses: 1 };

/** A plant, its sources and its observers, ready for the loop. */
export class Flight {
  readonly parts: FlightParts;
  readonly clock = new FlightClock();
  readonly schedule: Schedule;
  readonly bus: Bus;
  /** `[t (µs), x, u]`: the plant digest hashes it in place. */
  readonly frame: Float64Array;
  readonly x: Float64Array;
  readonly u: Float64Array;
  readonly integrator: Integrator;
  readonly interval: Interval;
  readonly boundary: Boundary;
  /** Set when a loop starts, so that no second loop can start; reset when a checkpoint is loaded. */
  isUnderWay = false;
  /** Set by the loop after the last boundary, or after an error. */
  isOver = false;
  /** Set by the loop: sinks are opened only once, even if the flight is rewound. */
  hasOpenSinks = false;
  /** Everything that a checkpoint holds, in order. A part without a section name begins its sections itself. */
  private readonly memory: readonly (readonly [section: string | undefined, part: Saveable])[];
  /** The value of `columns`, computed when it is first requested. */
  private columnsOfRows: readonly Column[] | undefined;
  /** Number of values in the last checkpoint; the next one needs about as many. */
  private savedCount: number | undefined;

  constructor(parts: FlightParts) {
    this.parts = parts.sensors === undefined ? parts : { ...parts, sensors: sortSensors(parts.sensors) };
    checkArithmetic();
    checkSensorAxes(parts);
    const { plant } = parts;
    const dims = parts.dims ?? DEFAULT_DIMS;
    const stateSize = plant.layout.size;
    const { size: inputSize } = inputLayout(dims);
    this.frame = new Float64Array(1 + stateSize + inputSize);
    this.x = this.frame.subarray(1, 1 + stateSize);
    this.u = this.frame.subarray(1 + stateSize);
    this.bus = new Bus(dims, new TruthWindow(plant.layout, this.x));
    this.schedule = new Schedule({
      startUs: parts.startUs ?? 0,
      endUs: parts.endUs,
      axes: axesOf(parts),
      ...(parts.recorded === undefined ? {} : { recorded: parts.recorded }),
    });
    parts.scenario?.connect?.(this.schedule.insert);
    plant.initialInto(this.x);
    this.integrator = parts.integrator({ plant, u: this.u });
    this.interval = new Interval({
      plant,
      integrator: this.integrator,
      schedule: this.schedule,
      x: this.x,
      u: this.u,
      eventFunctions: parts.scenario?.eventFunctions,
    });
    this.boundary = new Boundary(this);
    this.memory = [
      [undefined, this.schedule],
      ["state", withMemory(this.x)],
      ["input", withMemory(this.u)],
      ["bus", withMemory(this.bus.values)],
      [undefined, this.boundary],
      [undefined, this.interval],
      ...this.sources().map((source) => [source.writer, source] as const),
      ...(parts.observers ?? []).filter(hasMemory).map((observer) => [undefined, observer] as const),
    ];
  }

  /** The columns of the rows that sinks get. */
  get columns(): readonly Column[] {
    this.columnsOfRows ??= rowColumns(this.parts.plant.layout, this.bus.layout);
    return this.columnsOfRows;
  }

  /** "compiled", "compiled at build time", or "reference: " and the reason. It does not affect the results. */
  get code(): string {
    return this.parts.code?.text ?? "reference: no code was requested";
  }

  /** Returns the sources in the order in which they run. */
  sources(): Source[] {
    const { scenario, wind, sensors = [], estimator, autopilot } = this.parts;
    return [scenario, wind, ...sensors, estimator, autopilot].filter((source) => source !== undefined) as Source[];
  }

  /** False if the memory of some source cannot be saved in a checkpoint. */
  get isSaveable(): boolean {
    return this.sources().every(({ restore = "saved" }) => restore === "saved");
  }

  /** Saves the whole flight before the present boundary runs. */
  save(): Snapshot {
    if (this.boundary.isOpen) throw this.insideBoundaryError("saved");
    for (const source of this.sources()) this.requireSaveable(source);
    const writer = new SnapshotBuilder(this.savedCount);
    for (const [section, part] of this.memory) {
      if (section !== undefined) writer.section(section);
      part.save(writer);
    }
    this.savedCount = writer.count;
    return writer.finish(this.parts.hash);
  }

  /**
   * Restores a snapshot of the same flight: before the flight starts, at a pause, or after its end. A new loop can then
   * continue from there.
   */
  load(snapshot: Snapshot): void {
    if (this.boundary.isOpen && !this.isOver) throw this.insideBoundaryError("loaded");
    const { hash = "" } = this.parts;
    if (snapshot.flightHash !== hash) throw otherFlightError(snapshot.flightHash, hash);
    this.loadParts(snapshot);
    const { nowUs } = this.schedule;
    for (const { rewindTo } of this.parts.observers ?? []) rewindTo?.(this.boundary.count, nowUs);
    this.clock.set(nowUs);
    this.boundary.isOpen = false;
    this.isUnderWay = false;
    this.isOver = false;
  }

  /**
   * Loads all parts. A checkpoint that was read from a file may hold values that no flight saves, so loading may throw
   * any error.
   */
  private loadParts(snapshot: Snapshot): void {
    const reader = snapshot.reader();
    let name = "schedule";
    try {
      for (const [section, part] of this.memory) {
        if (section !== undefined) reader.section(section);
        name = section ?? name;
        part.load(reader);
      }
      reader.end();
    } catch (error) {
      if (error instanceof SimError) throw error;
      throw snapshotErrors.mismatch({
        what: `the checkpoint holds values that cannot be loaded, in section "${name}" or after it: ${String(error)}`,
        fix: "fly the flight from its start",
        cause: error,
      });
    }
  }

  private insideBoundaryError(what: string): SimError {
    return engineErrors.insideBoundary({
      what: `a checkpoint cannot be ${what} while a boundary runs${what === "saved" ? ", or after the last one" : ""}`,
      where: { tUs: this.schedule.nowUs, stage: this.boundary.stage },
      fix: "do this before the flight starts, or at a pause of kind mark, yield or drain",
    });
  }

  private requireSaveable(source: Source): void {
    if (source.restore === undefined || source.restore === "saved") return;
    throw engineErrors.notRestorable({
      what: `the ${source.writer} of this flight cannot be saved: it runs outside the process, or is read from a file as the flight proceeds`,
      where: { tUs: this.schedule.nowUs },
      fix:
        source.restore === "fly-again"
          ? "fly again from the start with the recorded inputs up to that instant"
          : "use an autopilot that can be saved, or load the whole recording into memory",
    });
  }
}

function hasMemory(observer: Observer): observer is Observer & Saveable {
  return observer.save !== undefined;
}

function otherFlightError(found: string, expected: string): SimError {
  const nameOf = (hash: string) => (hash === "" ? "a flight without a description" : `flight ${hash.slice(0, 16)}`);
  return snapshotErrors.otherFlight({
    what: `the checkpoint belongs to ${nameOf(found)}, but this is ${nameOf(expected)}`,
    fix: "load it into the flight that it was taken from; to continue with changes, branch that flight",
  });
}

/** Sorts sensors into table order, the order in which they run. Each may occur only once. */
function sortSensors(sensors: readonly SensorSource[]): SensorSource[] {
  const duplicate = sensors.find(({ writer }, i) => sensors.findIndex((other) => other.writer === writer) !== i);
  if (duplicate === undefined) {
    return [...sensors].sort((a, b) => SENSOR_WRITERS.indexOf(a.writer) - SENSOR_WRITERS.indexOf(b.writer));
  }
  throw engineErrors.sensorTwice({
    what: `two sensors write the signals of ${duplicate.writer}`,
    fix: "remove one of them",
  });
}

/** Checks that each sensor's ticks are ticks of the autopilot. */
function checkSensorAxes({ sensors = [], autopilot }: FlightParts): void {
  if (autopilot?.axis.kind !== "periodic") return;
  const { startUs, periodUs } = autopilot.axis;
  for (const { writer, axis } of sensors) {
    // Skip replayed sensors, whose axes are empty because they add no boundaries.
    if (axis.kind === "listed" && axis.timesUs.length === 0) continue;
    const isPeriodic = axis.kind === "periodic";
    if (isPeriodic && axis.periodUs % periodUs === 0 && (axis.startUs - startUs) % periodUs === 0) continue;
    const when = isPeriodic ? `every ${axis.periodUs} µs from ${axis.startUs} µs` : "without a period";
    throw engineErrors.sensorAxis({
      what: `the ${writer} runs ${when}, but the autopilot runs every ${periodUs} µs from ${startUs} µs`,
      fix: "give the sensor a whole multiple of the autopilot's period, and the same start",
    });
  }
}

function axesOf(parts: FlightParts): AxisEntry[] {
  const startUs = parts.startUs ?? 0;
  const axes: AxisEntry[] = [];
  const { scenario, wind, sensors = [], estimator, autopilot } = parts;
  // The scenario runs at the start whatever its axis, because it sets up the flight.
  if (scenario !== undefined) axes.push({ axis: listedAxis([startUs]), due: DUE_BITS.scenario });
  for (const source of [scenario, wind, ...sensors, estimator, autopilot]) {
    if (source !== undefined) axes.push({ axis: source.axis, due: DUE_BITS[source.writer] });
  }
  if (parts.logPeriodUs !== undefined) {
    axes.push({ axis: periodicAxis({ startUs, periodUs: parts.logPeriodUs }), due: DUE_BITS.log });
  }
  if (parts.physicsPeriodUs !== undefined) {
    axes.push({ axis: periodicAxis({ startUs, periodUs: parts.physicsPeriodUs }), due: DUE_BITS.physics });
  }
  return axes;
}

/** Throws if this thread does not compute with IEEE 754 doubles, because the results would differ. */
export function checkArithmetic(arithmetic?: Arithmetic): void {
  const faults = arithmeticFaults(arithmetic);
  if (faults.length === 0) return;
  throw engineErrors.arithmetic({
    what: faults.join("; "),
    fix: "fly on a 64-bit engine, in an ordinary thread or worker, without libraries built with -ffast-math",
  });
}
