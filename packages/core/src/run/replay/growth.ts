/**
 * Measures how the difference between two recordings grows: at several times after it first appears, evenly spaced on a
 * logarithmic scale, and at the end.
 */
import { DEG_PER_RAD } from "../../math/angle.ts";
import { quatAngleBetween } from "../../math/index.ts";
import { BusLayout, DUE_BITS, type RecordedBoundaries } from "../../engine/index.ts";
import { asFed, type FedRecording, findBlock, type Recording, type ValueFeed } from "../../record/index.ts";
import { lowerBound } from "../../time/index.ts";

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
export function differenceGrowth(
  a: Recording | FedRecording,
  b: Recording | FedRecording,
  fromUs: number,
): DifferenceAt[] {
  const endUs = Math.min(a.endUs, b.endUs);
  const requestedUs = [...AFTER_US.map((afterUs) => fromUs + afterUs).filter((tUs) => tUs < endUs), endUs];
  const timesUs = requestedUs
    .map((tUs) => lastSharedTick(a, b, tUs))
    .filter((tUs) => tUs !== undefined && tUs >= fromUs);
  const feeds = [a, b].map((recording) => asFed(recording).openFeed());
  const [one, other] = feeds.map((feed) => partsOf(a, feed)) as [Parts, Parts];
  return [...new Set(timesUs)].map((tUs) => {
    for (const feed of feeds) feed.advanceTo(tUs!);
    return { tUs: tUs!, ...differenceNow(one, other) };
  });
}

/** Cells of a feed that hold the compared quantities. */
interface Parts {
  readonly position?: Float64Array;
  readonly velocity?: Float64Array;
  readonly attitude?: Float64Array;
  readonly motors: Float64Array;
}

function partsOf(recording: Recording | FedRecording, { frame, bus }: ValueFeed): Parts {
  const part = (key: keyof Parts, block: string) => {
    const place = findBlock(recording, block);
    return place === undefined ? {} : { [key]: frame.subarray(1 + place.offset, 1 + place.offset + place.size) };
  };
  const { offset, size } = new BusLayout(recording.dims).find("motorCommand");
  return {
    ...part("position", "posNed"),
    ...part("velocity", "velNed"),
    ...part("attitude", "qBodyToNed"),
    motors: bus.subarray(offset, offset + size),
  };
}

function differenceNow(a: Parts, b: Parts): Omit<DifferenceAt, "tUs"> {
  return {
    ...(a.position === undefined ? {} : { positionM: distance(a.position, b.position!) }),
    ...(a.velocity === undefined ? {} : { velocityMps: distance(a.velocity, b.velocity!) }),
    ...(a.attitude === undefined ? {} : { attitudeDeg: DEG_PER_RAD * quatAngleBetween(a.attitude, b.attitude!) }),
    motorCommand: maxDifference(a.motors, b.motors),
  };
}

/** Returns the last time at or before `tUs` at which both recordings have a log row. */
function lastSharedTick(
  { boundaries: left }: Pick<Recording, "boundaries">,
  { boundaries: right }: Pick<Recording, "boundaries">,
  tUs: number,
): number | undefined {
  const isLogTick = ({ timesUs, due }: RecordedBoundaries, i: number, atUs: number) =>
    timesUs[i] === atUs && (due[i]! & DUE_BITS.log) !== 0;
  for (let i = lowerBound(left.timesUs, tUs + 1) - 1; i >= 0; i -= 1) {
    const atUs = left.timesUs[i]!;
    if (isLogTick(left, i, atUs) && isLogTick(right, lowerBound(right.timesUs, atUs), atUs)) return atUs;
  }
  return undefined;
}

function distance(a: Float64Array, b: Float64Array): number {
  return Math.sqrt(a.reduce((sum, value, i) => sum + (value - b[i]!) * (value - b[i]!), 0));
}

function maxDifference(a: Float64Array, b: Float64Array): number {
  return a.reduce((max, value, i) => Math.max(max, Math.abs(value - b[i]!)), 0);
}
