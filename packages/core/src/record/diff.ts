/**
 * Finds the first difference between two recordings: its boundary, stage, signal and size.
 *
 * The comparison is bit by bit and covers the boundaries and their due sets, every held signal, and the logged state
 * and outputs. The result is the difference at the earliest boundary and, at that boundary, in the stage that runs
 * first, because later differences may follow from it. The state is compared at log ticks, so a difference of the plant
 * alone is found at the next log tick. Vehicles with different dimensions have no comparable signals; then the
 * difference is that of the dimensions.
 */
import { dueNames, type SignalName, signalSpec, STAGES, type Writer, WRITERS } from "../engine/index.ts";
import { lowerBound } from "../time/index.ts";
import { StreamCursor } from "./cursor.ts";
import type { Recording, Stream } from "./recording.ts";
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
  /** The largest difference of any component, its time and its component. Infinity if a value is missing. */
  readonly largest: number;
  readonly largestUs: number;
  readonly component: number;
}

/** The first difference; undefined if there is none. */
export function firstDifference(a: Recording, b: Recording): Difference | undefined {
  const dimensions = dimensionDifference(a, b);
  if (dimensions !== undefined) return { ...dimensions, boundary: 0 };
  return earliest(a, [boundaryDifference(a, b), ...signalDifferences(a, b)]);
}

/**
 * The first difference of a signal or of the state. Differences of the schedule are ignored, because an event adds a
 * boundary before it changes a signal. Undefined if there is none, or if the dimensions of the vehicles differ.
 */
export function firstSignalDifference(a: Recording, b: Recording): Difference | undefined {
  return dimensionDifference(a, b) === undefined ? earliest(a, signalDifferences(a, b)) : undefined;
}

function earliest({ boundaries }: Recording, found: readonly (FoundDifference | undefined)[]): Difference | undefined {
  const [first] = found
    .filter((each) => each !== undefined)
    .sort((one, other) => one.tUs - other.tUs || rank(one) - rank(other));
  return first === undefined ? undefined : { ...first, boundary: lowerBound(boundaries.timesUs, first.tUs) };
}

/**
 * All signals that differ while both flights last, in the order in which they begin to differ. Empty if the dimensions
 * of the vehicles differ, because then the signals cannot be compared.
 */
export function differingSignals(a: Recording, b: Recording): SignalDifference[] {
  if (dimensionDifference(a, b) !== undefined) return [];
  const order = ({ stage }: SignalDifference) => rank({ stage });
  const untilUs = Math.min(a.endUs, b.endUs);
  const held = comparedStreams(a, b).filter(([name]) => name !== "state");
  return [...held, ...comparedBlocks(a, b)]
    .flatMap((compared) => sizeOfDifference(compared, untilUs) ?? [])
    .sort((one, other) => one.firstUs - other.firstUs || order(one) - order(other));
}

function dimensionDifference(a: Recording, b: Recording): FoundDifference | undefined {
  const counts = ({ dims, initialState }: Recording) => ({ ...dims, "state components": initialState.length });
  const [left, right] = [counts(a), counts(b)];
  const name = (Object.keys(left) as (keyof typeof left)[]).find((each) => left[each] !== right[each]);
  return name === undefined ? undefined : difference(0, "vehicle", name, 0, left[name], right[name]);
}

/** Order at equal times: the schedule, then the writers in the order in which they run, then the plant. */
function rank({ stage }: Pick<Difference, "stage">): number {
  if (stage === "boundaries" || stage === "vehicle") return -1;
  return stage === "plant" ? STAGES.length + WRITERS.length : WRITERS.indexOf(stage);
}

function boundaryDifference(a: Recording, b: Recording): FoundDifference | undefined {
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

function signalDifferences(a: Recording, b: Recording): (FoundDifference | undefined)[] {
  return comparedStreams(a, b).map(([name, stage, left, right]) => streamDifference(left, right, name, stage));
}

type ComparedStream = readonly [
  name: string,
  stage: Difference["stage"],
  a: Stream | undefined,
  b: Stream | undefined,
  unit: string,
];

function comparedStreams(a: Recording, b: Recording): ComparedStream[] {
  const names = new Set([...a.streams, ...a.logged, ...b.streams, ...b.logged].map(({ name }) => name));
  return [...names].map((name) => {
    const find = (recording: Recording) =>
      [...recording.streams, ...recording.logged].find((stream) => stream.name === name);
    if (name === "state") return [name, "plant", find(a), find(b), ""];
    const { writer, unit } = signalSpec(name as SignalName);
    return [name, writer, find(a), find(b), unit];
  });
}

/** The blocks of the logged states. */
function comparedBlocks(a: Recording, b: Recording): ComparedStream[] {
  let offset = 0;
  return a.stateBlocks.map(({ name, size, unit }) => {
    const from = offset;
    offset += size;
    return [name, "plant", blockOf(a, name, from, size), blockOf(b, name, from, size), unit];
  });
}

function blockOf({ logged }: Recording, name: string, offset: number, size: number): Stream | undefined {
  const state = logged.find((stream) => stream.name === "state");
  if (state === undefined) return undefined;
  const values = new Float64Array(size * state.timesUs.length);
  for (let row = 0; row < state.timesUs.length; row += 1) {
    const at = row * state.size + offset;
    values.set(state.values.subarray(at, at + size), row * size);
  }
  return { ...state, name, size, values } as Stream;
}

/** Measures the difference at every time at which one of the streams has a value; a value holds until the next one. */
function sizeOfDifference([signal, stage, a, b, unit]: ComparedStream, untilUs: number): SignalDifference | undefined {
  const first = streamDifference(a, b, signal, stage);
  if (first === undefined || first.tUs > untilUs) return undefined;
  const found = { signal, stage, unit, firstUs: first.tUs };
  if (a === undefined || b === undefined) return { ...found, largest: Infinity, largestUs: first.tUs, component: 0 };
  let [largest, largestUs, component] = [0, first.tUs, first.component];
  for (const [tUs, left, right] of heldRows(a, b)) {
    if (tUs > untilUs) break;
    if (tUs < first.tUs || !left.hasRow || !right.hasRow) continue;
    for (let i = 0; i < a.size; i += 1) {
      const size = Math.abs(left.value(i) - right.value(i));
      if (size > largest) [largest, largestUs, component] = [size, tUs, i];
    }
  }
  return { ...found, largest, largestUs, component };
}

/** Moves two cursors together through every time at which one of the streams has a value. */
function* heldRows(a: Stream, b: Stream): Generator<readonly [tUs: number, a: StreamCursor, b: StreamCursor]> {
  const [left, right] = [new StreamCursor(a), new StreamCursor(b)];
  for (;;) {
    const tUs = Math.min(left.nextUs, right.nextUs);
    if (tUs === Infinity) return;
    left.advanceTo(tUs);
    right.advanceTo(tUs);
    yield [tUs, left, right];
  }
}

/** Steps through both streams by time; a value holds until the next one. */
function streamDifference(
  a: Stream | undefined,
  b: Stream | undefined,
  name: string,
  stage: Difference["stage"],
): FoundDifference | undefined {
  if (a === undefined || b === undefined) {
    const present = (a ?? b)!;
    return present.timesUs.length === 0
      ? undefined
      : difference(present.timesUs[0]!, stage, name, 0, Number(a !== undefined), Number(b !== undefined));
  }
  for (const [tUs, left, right] of heldRows(a, b)) {
    if (!left.hasRow || !right.hasRow) {
      return difference(tUs, stage, name, 0, Number(left.hasRow), Number(right.hasRow));
    }
    for (let i = 0; i < Math.max(a.size, b.size); i += 1) {
      const [one, other] = [left.value(i), right.value(i)];
      if (!Object.is(one, other)) return difference(tUs, stage, name, i, one, other);
    }
  }
  return undefined;
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
