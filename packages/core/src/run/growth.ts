/**
 * Measures how the difference between two recordings grows: at several times after it first appears, evenly spaced on
 * a logarithmic scale, and at the end.
 */
import { DEG_PER_RAD } from "../math/angle.ts";
import { quatAngleBetween } from "../math/index.ts";
import { findBlock, findStream, type Recording, sampleHoldInto, type Stream } from "../record/index.ts";
import { lowerBound } from "../time/index.ts";

/** The difference at one instant. A quantity that the vehicle does not have is absent. */
export interface DifferenceAt {
  /** The last log tick of both recordings at or before the requested time. */
  readonly tUs: number;
  /** Norms of the differences. */
  readonly positionM?: number;
  readonly velocityMps?: number;
  /** The angle between the two attitudes. */
  readonly attitudeDeg?: number;
  /** The largest difference of any motor's command. */
  readonly motorCommand: number;
}

/** Times after the difference first appears. */
const AFTER_US = [100_000, 300_000, 1_000_000, 3_000_000, 10_000_000, 30_000_000, 100_000_000] as const;

/**
 * Returns the differences at 0.1, 0.3, 1, 3, 10, 30 and 100 s after `fromUs`, while both flights last, and at the end
 * of the shorter one. The recordings must have the same dimensions.
 */
export function differenceGrowth(a: Recording, b: Recording, fromUs: number): DifferenceAt[] {
  const endUs = Math.min(a.endUs, b.endUs);
  const wanted = [...AFTER_US.map((afterUs) => fromUs + afterUs).filter((tUs) => tUs < endUs), endUs];
  const timesUs = wanted.map((tUs) => lastSharedTick(a, b, tUs)).filter((tUs) => tUs !== undefined && tUs >= fromUs);
  return [...new Set(timesUs)].map((tUs) => differenceAt(a, b, tUs!));
}

function differenceAt(a: Recording, b: Recording, tUs: number): DifferenceAt {
  const rows = (stream: string): [Float64Array, Float64Array] => [rowAt(a, stream, tUs), rowAt(b, stream, tUs)];
  const [stateA, stateB] = rows("state");
  const blocks = (name: string) => {
    const place = findBlock(a, name);
    if (place === undefined) return undefined;
    const part = (state: Float64Array) => state.subarray(place.offset, place.offset + place.size);
    return [part(stateA), part(stateB)] as const;
  };
  const [position, velocity, attitude] = [blocks("posNed"), blocks("velNed"), blocks("qBodyToNed")];
  return {
    tUs,
    ...(position === undefined ? {} : { positionM: distance(...position) }),
    ...(velocity === undefined ? {} : { velocityMps: distance(...velocity) }),
    ...(attitude === undefined ? {} : { attitudeDeg: DEG_PER_RAD * quatAngleBetween(...attitude) }),
    motorCommand: largestDifference(...rows("motorCommand")),
  };
}

/** The last time at or before `tUs` at which both recordings have a log row. */
function lastSharedTick(a: Recording, b: Recording, tUs: number): number | undefined {
  const [left, right] = [findStream(a, "state").timesUs, findStream(b, "state").timesUs];
  for (let row = lowerBound(left, tUs + 1) - 1; row >= 0; row -= 1) {
    if (right[lowerBound(right, left[row]!)] === left[row]) return left[row];
  }
  return undefined;
}

function rowAt(recording: Recording, name: string, tUs: number): Float64Array {
  const stream: Stream = findStream(recording, name);
  const row = new Float64Array(stream.size);
  sampleHoldInto(row, stream, tUs);
  return row;
}

function distance(a: Float64Array, b: Float64Array): number {
  return Math.sqrt(a.reduce((sum, value, i) => sum + (value - b[i]!) * (value - b[i]!), 0));
}

function largestDifference(a: Float64Array, b: Float64Array): number {
  return a.reduce((largest, value, i) => Math.max(largest, Math.abs(value - b[i]!)), 0);
}
