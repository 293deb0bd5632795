/**
 * Axes: the times at which something is due, described as data.
 *
 * A periodic axis does not list its ticks; they follow from two integers, so a long flight needs no memory for them.
 * `Schedule` alone decides which axes are due at a boundary and when the next boundary is.
 */
import { timeErrors } from "./errors.ts";

export interface PeriodicAxis {
  readonly kind: "periodic";
  readonly startUs: number;
  readonly periodUs: number;
}

export interface ListedAxis {
  readonly kind: "listed";
  /** Strictly increasing. */
  readonly timesUs: Float64Array;
}

/** Due at every boundary; adds no boundaries. */
export interface EveryBoundary {
  readonly kind: "every-boundary";
}

/** Due whenever one of its axes is due. */
export interface UnionAxis {
  readonly kind: "union";
  readonly axes: readonly Axis[];
}

export type Axis = PeriodicAxis | ListedAxis | EveryBoundary | UnionAxis;

/** The axis of sources that run at every boundary. */
export const everyBoundary: EveryBoundary = { kind: "every-boundary" };

/** Returns an axis of ticks at a fixed period. */
export function periodicAxis(options: { periodUs: number; startUs?: number }): PeriodicAxis {
  const { periodUs, startUs = 0 } = options;
  if (!Number.isSafeInteger(startUs) || !Number.isSafeInteger(periodUs) || periodUs < 1) {
    throw timeErrors.badAxis({
      what: `a periodic axis cannot start at ${startUs} µs with a period of ${periodUs} µs`,
      fix: "use whole microseconds and a period of at least 1 µs",
    });
  }
  return { kind: "periodic", startUs, periodUs };
}

/** Returns an axis from times in any order; equal times are one tick. */
export function listedAxis(timesUs: Iterable<number>): ListedAxis {
  const sorted = [...new Set(timesUs)].sort((a, b) => a - b);
  const bad = sorted.find((tUs) => !Number.isSafeInteger(tUs));
  if (bad !== undefined) {
    throw timeErrors.badAxis({ what: `${bad} µs is not a whole microsecond`, fix: "list whole microseconds" });
  }
  return { kind: "listed", timesUs: Float64Array.from(sorted) };
}

export function unionAxis(...axes: readonly Axis[]): UnionAxis {
  return { kind: "union", axes };
}

/** Returns the axes of a union, with nested unions flattened. */
export function partsOf(axis: Axis): readonly (PeriodicAxis | ListedAxis | EveryBoundary)[] {
  return axis.kind === "union" ? axis.axes.flatMap(partsOf) : [axis];
}

/** Returns the first tick at or after a time; Infinity if there is none. */
export function firstTickAtOrAfter(axis: PeriodicAxis | ListedAxis, tUs: number): number {
  if (axis.kind === "listed") {
    const at = lowerBound(axis.timesUs, tUs);
    return at < axis.timesUs.length ? axis.timesUs[at]! : Infinity;
  }
  if (tUs <= axis.startUs) return axis.startUs;
  return axis.startUs + Math.ceil((tUs - axis.startUs) / axis.periodUs) * axis.periodUs;
}

/** Returns the index of the first element at or after a value in an ascending list. */
export function lowerBound(ascending: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
