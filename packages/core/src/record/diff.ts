/**
 * Finds the first difference between two recordings: the boundary, the stage and the signal, and how large it is.
 *
 * The comparison is bit by bit and covers the boundaries and their due sets, every held signal, and the logged state
 * and outputs. The earliest boundary wins. At one boundary the stage that runs first wins, because later differences
 * may only follow from it. The state is compared at log ticks, so a difference of the plant alone is found at the next
 * log tick. Vehicles with different dimensions have no comparable signals; then the dimensions are the difference.
 */
import { dueNames, type SignalName, signalSpec, STAGES, type Writer, WRITERS } from "../engine/index.ts";
import type { Recording, Stream } from "./recording.ts";
import { ulpsBetween } from "./ulps.ts";

/** The first place at which two recordings differ. */
export interface Difference {
  readonly tUs: number;
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

/** The first difference; undefined when there is none. */
export function firstDifference(a: Recording, b: Recording): Difference | undefined {
  const dimensions = dimensionDifference(a, b);
  if (dimensions !== undefined) return dimensions;
  const candidates = [boundaryDifference(a, b), ...signalDifferences(a, b)].filter((found) => found !== undefined);
  return candidates.sort((one, other) => one.tUs - other.tUs || rank(one) - rank(other))[0];
}

function dimensionDifference(a: Recording, b: Recording): Difference | undefined {
  const counts = ({ dims, initialState }: Recording) => ({ ...dims, "numbers of the state": initialState.length });
  const [left, right] = [counts(a), counts(b)];
  const name = (Object.keys(left) as (keyof typeof left)[]).find((each) => left[each] !== right[each]);
  return name === undefined ? undefined : difference(0, "vehicle", name, 0, left[name], right[name]);
}

/** Order at equal times: the schedule, then the writers in the order in which they run, then the plant. */
function rank({ stage }: Difference): number {
  if (stage === "boundaries" || stage === "vehicle") return -1;
  return stage === "plant" ? STAGES.length + WRITERS.length : WRITERS.indexOf(stage);
}

function boundaryDifference(a: Recording, b: Recording): Difference | undefined {
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

function signalDifferences(a: Recording, b: Recording): (Difference | undefined)[] {
  const names = new Set([...a.streams, ...a.logged, ...b.streams, ...b.logged].map(({ name }) => name));
  return [...names].map((name) => {
    const find = (recording: Recording) =>
      [...recording.streams, ...recording.logged].find((stream) => stream.name === name);
    const stage = name === "state" ? "plant" : signalSpec(name as SignalName).writer;
    return streamDifference(find(a), find(b), name, stage);
  });
}

/** Steps through both streams by time; a value holds until the next one. */
function streamDifference(
  a: Stream | undefined,
  b: Stream | undefined,
  name: string,
  stage: Difference["stage"],
): Difference | undefined {
  if (a === undefined || b === undefined) {
    const present = (a ?? b)!;
    return present.timesUs.length === 0
      ? undefined
      : difference(present.timesUs[0]!, stage, name, 0, Number(a !== undefined), Number(b !== undefined));
  }
  let [i, k] = [0, 0];
  while (i < a.timesUs.length || k < b.timesUs.length) {
    const tUs = Math.min(a.timesUs[i] ?? Infinity, b.timesUs[k] ?? Infinity);
    if (a.timesUs[i] === tUs) i += 1;
    if (b.timesUs[k] === tUs) k += 1;
    if (i === 0 || k === 0) return difference(tUs, stage, name, 0, Number(i > 0), Number(k > 0));
    const found = rowDifference(a, i - 1, b, k - 1);
    if (found !== undefined) return difference(tUs, stage, name, found.component, found.a, found.b);
  }
  return undefined;
}

function rowDifference(
  a: Stream,
  rowA: number,
  b: Stream,
  rowB: number,
): { component: number; a: number; b: number } | undefined {
  for (let component = 0; component < Math.max(a.size, b.size); component += 1) {
    const left = a.values[rowA * a.size + component]!;
    const right = b.values[rowB * b.size + component]!;
    if (!Object.is(left, right)) return { component, a: left, b: right };
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
): Difference {
  return { tUs, stage, signal, component, a, b, ulps: ulpsBetween(a, b) };
}
