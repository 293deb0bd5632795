/**
 * Finds the first difference between two recordings: its boundary, stage, signal and size.
 *
 * The comparison is bit by bit and covers the boundaries and their due sets, every held signal, and the logged state
 * and outputs. The result is the difference at the earliest boundary and, at that boundary, in the stage that runs
 * first, because later differences may follow from it. The state is compared at log ticks, so a difference of the plant
 * alone is found at the next log tick. Vehicles with different dimensions have no comparable signals; then only the
 * difference of the dimensions is returned.
 *
 * Both recordings are read forward in time, so if they are files, memory does not grow with the length of the
 * flights.
 */
import { BusLayout, dueNames, signalSpec, type Writer, WRITERS } from "../engine/index.ts";
import { lowerBound } from "../time/index.ts";
import { asFed, type FedRecording } from "./feed.ts";
import { FlightPair } from "./flight-pair.ts";
import type { RecordedBlock, Recording } from "./recording.ts";
import { ulpsBetween } from "./ulps.ts";

/** The first place at which two recordings differ. */
export interface Difference {
  readonly tUs: number;
  /** Number of the boundary in the first recording, from 0. */
  readonly boundary: number;
  /**
   * The part that differs: a writer, `boundaries` (the schedule), `plant` (the state) or `vehicle` (the dimensions).
   */
  readonly stage: Writer | "boundaries" | "plant" | "vehicle";
  readonly signal: string;
  /** Index of the component, from 0. */
  readonly component: number;
  readonly a: number;
  readonly b: number;
  readonly ulps: number;
}

type FoundDifference = Omit<Difference, "boundary">;

/** How one signal differs over the whole flight. */
export interface SignalDifference {
  readonly signal: string;
  readonly stage: Difference["stage"];
  readonly unit: string;
  readonly firstUs: number;
  /** The largest difference of any component, its time and its component. */
  readonly largest: number;
  readonly largestUs: number;
  readonly component: number;
}

type AnyRecording = Recording | FedRecording;

/** All differences of two recordings. */
export interface RecordingDifferences {
  /** The first difference; absent if there is none. */
  readonly first?: Difference;
  /** The first difference of a signal or of the state; differences of the schedule are ignored. */
  readonly firstSignal?: Difference;
  /**
   * All signals that differ while both flights last, in the order in which they begin to differ. Empty if the
   * dimensions of the vehicles differ, because then the signals cannot be compared.
   */
  readonly signals: readonly SignalDifference[];
}

/** Returns the first difference between two recordings; undefined if there is none. */
export function firstDifference(a: AnyRecording, b: AnyRecording): Difference | undefined {
  const dimensions = dimensionDifference(a, b);
  if (dimensions !== undefined) return { ...dimensions, boundary: 0 };
  const boundary = boundaryDifference(a, b);
  return earlierOf(a, boundary, new SignalComparison(a, b).findFirst(boundary?.tUs));
}

/**
 * Returns the first difference of a signal or of the state. Differences of the schedule are ignored, because an event
 * adds a boundary before it changes a signal. Undefined if there is none, or if the dimensions of the vehicles differ.
 */
export function firstSignalDifference(a: AnyRecording, b: AnyRecording): Difference | undefined {
  if (dimensionDifference(a, b) !== undefined) return undefined;
  return earlierOf(a, undefined, new SignalComparison(a, b).findFirst());
}

/** Reads both recordings to their ends and finds every difference. */
export function differencesBetween(a: AnyRecording, b: AnyRecording): RecordingDifferences {
  const dimensions = dimensionDifference(a, b);
  if (dimensions !== undefined) return { first: { ...dimensions, boundary: 0 }, signals: [] };
  const comparison = new SignalComparison(a, b);
  const signals = comparison.findAll();
  const first = earlierOf(a, boundaryDifference(a, b), comparison.first);
  const firstSignal = earlierOf(a, undefined, comparison.first);
  return { ...(first === undefined ? {} : { first }), ...(firstSignal === undefined ? {} : { firstSignal }), signals };
}

/** Returns the earlier of the two; at equal times, the difference of the schedule. */
function earlierOf(
  { boundaries }: AnyRecording,
  schedule: FoundDifference | undefined,
  signal: FoundDifference | undefined,
): Difference | undefined {
  const isSignal = signal !== undefined && !(schedule !== undefined && schedule.tUs <= signal.tUs);
  const first = isSignal ? signal : schedule;
  return first === undefined ? undefined : { ...first, boundary: lowerBound(boundaries.timesUs, first.tUs) };
}

function dimensionDifference(a: AnyRecording, b: AnyRecording): FoundDifference | undefined {
  const counts = ({ dims, initialState }: AnyRecording) => ({
    ...dims,
    sticks: dims.sticks ?? 0,
    "state components": initialState.length,
  });
  const [left, right] = [counts(a), counts(b)];
  const name = (Object.keys(left) as (keyof typeof left)[]).find((each) => left[each] !== right[each]);
  return name === undefined ? undefined : difference(0, "vehicle", name, 0, left[name], right[name]);
}

function boundaryDifference(a: AnyRecording, b: AnyRecording): FoundDifference | undefined {
  const [left, right] = [a.boundaries, b.boundaries];
  const shared = Math.min(left.timesUs.length, right.timesUs.length);
  for (let i = 0; i < shared; i += 1) {
    const [ta, tb] = [left.timesUs[i]!, right.timesUs[i]!];
    if (ta !== tb) return difference(Math.min(ta, tb), "boundaries", "time", 0, ta, tb);
    const [da, db] = [left.due[i]!, right.due[i]!];
    if (da !== db) return difference(ta, "boundaries", `due (${dueNames(da ^ db).join(", ")})`, 0, da, db);
  }
  if (left.timesUs.length === right.timesUs.length) return undefined;
  const longer = left.timesUs.length > shared ? left : right;
  return difference(longer.timesUs[shared]!, "boundaries", "end", 0, a.endUs, b.endUs);
}

type ComparedStage = Writer | "plant";

/** Returns the order at equal times: the writers in the order in which they run, then the plant. */
function rank(stage: ComparedStage): number {
  return stage === "plant" ? WRITERS.length : WRITERS.indexOf(stage);
}

/** A signal, or a block of the state, in both flights. */
class ComparedValues {
  readonly name: string;
  readonly stage: ComparedStage;
  /** Time of the first difference; infinite if there is none. */
  firstUs = Infinity;
  private readonly unit: string;
  private readonly a: Float64Array;
  private readonly b: Float64Array;
  /** Offset of a block in the state; 0 for signals. */
  private readonly stateOffset: number;
  private largest = 0;
  private largestUs = 0;
  private component = 0;

  constructor(
    { name, unit, size }: RecordedBlock,
    stage: ComparedStage,
    pair: readonly Float64Array[],
    offset: number,
  ) {
    this.name = name;
    this.stage = stage;
    this.unit = unit;
    this.stateOffset = stage === "plant" ? offset : 0;
    [this.a, this.b] = pair.map((cells) => cells.subarray(offset, offset + size)) as [Float64Array, Float64Array];
  }

  /** Returns the first component that differs (`Object.is`: −0 and +0 differ); −1 if there is none. */
  findDifferent(): number {
    const { a, b } = this;
    for (let i = 0; i < a.length; i += 1) if (!Object.is(a[i], b[i])) return i;
    return -1;
  }

  begin(tUs: number, component: number): void {
    this.firstUs = this.largestUs = tUs;
    this.component = component;
  }

  measure(tUs: number): void {
    const { a, b } = this;
    for (let i = 0; i < a.length; i += 1) {
      const size = Math.abs(a[i]! - b[i]!);
      if (size <= this.largest) continue;
      this.largest = size;
      this.largestUs = tUs;
      this.component = i;
    }
  }

  differenceAt(tUs: number, component: number): FoundDifference {
    const { stage, name, stateOffset, a, b } = this;
    const signal = stage === "plant" ? "state" : name;
    return difference(tUs, stage, signal, stateOffset + component, a[component]!, b[component]!);
  }

  result(): SignalDifference {
    const { name: signal, stage, unit, firstUs, largest, largestUs, component } = this;
    return { signal, stage, unit, firstUs, largest, largestUs, component };
  }
}

/** Compares all signals and the state of two flights with equal dimensions, boundary by boundary. */
class SignalComparison {
  first: FoundDifference | undefined;
  private readonly pair: FlightPair;
  /** In the order of their ranks. */
  private readonly compared: readonly ComparedValues[];
  private readonly untilUs: number;

  constructor(a: AnyRecording, b: AnyRecording) {
    this.pair = new FlightPair(asFed(a), asFed(b));
    this.untilUs = Math.min(a.endUs, b.endUs);
    const all = [...this.signals(new BusLayout(a.dims)), ...this.blocks(a.stateBlocks)];
    this.compared = all.sort((one, other) => rank(one.stage) - rank(other.stage));
  }

  /** Returns the first difference, searched up to this time. */
  findFirst(untilUs = Infinity): FoundDifference | undefined {
    while (this.first === undefined && this.pair.nextUs <= untilUs && this.pair.next()) this.compare();
    return this.first;
  }

  findAll(): SignalDifference[] {
    while (this.pair.next()) this.compare();
    return this.compared
      .filter(({ firstUs }) => firstUs <= this.untilUs)
      .sort((one, other) => one.firstUs - other.firstUs)
      .map((each) => each.result());
  }

  /** Returns all signals except the sum of the winds, which is not recorded. */
  private signals(layout: BusLayout): ComparedValues[] {
    const buses = this.pair.feeds.map(({ bus }) => bus);
    return layout.signals.flatMap(({ name, offset, size }) => {
      const { writer, unit } = signalSpec(name);
      return writer === "windSum" ? [] : [new ComparedValues({ name, unit, size }, writer, buses, offset)];
    });
  }

  private blocks(stateBlocks: readonly RecordedBlock[]): ComparedValues[] {
    const states = this.pair.feeds.map(({ frame }) => frame.subarray(1));
    let offset = 0;
    return stateBlocks.map((block) => {
      offset += block.size;
      return new ComparedValues(block, "plant", states, offset - block.size);
    });
  }

  private compare(): void {
    const { tUs } = this.pair;
    for (let i = 0; i < this.compared.length; i += 1) {
      const each = this.compared[i]!;
      const component = each.findDifferent();
      if (component < 0) continue;
      if (each.firstUs === Infinity) each.begin(tUs, component);
      if (tUs <= this.untilUs) each.measure(tUs);
      this.first ??= each.differenceAt(tUs, component);
    }
  }
}

function difference(
  tUs: number,
  stage: Difference["stage"],
  signal: string,
  component: number,
  a: number,
  b: number,
): FoundDifference {
  return { tUs, stage, signal, component, a, b, ulps: ulpsBetween(a, b) };
}
