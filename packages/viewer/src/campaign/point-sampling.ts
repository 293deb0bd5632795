/**
 * Chooses the flights of a large campaign that its page draws.
 *
 * All flights that violate a requirement or have no result are drawn if they fit. Most of the other flights are chosen
 * by a hash of their number, because choosing every n-th flight of a Sobol sequence would leave holes. The rest are
 * chosen by cells: every plane of two varied keys is divided into cells, and the first flight in each cell is drawn, so
 * that sparse corners are not empty. The choice depends on the rows only.
 */
import type { ColumnCoding, PointValue } from "./points.ts";

/** Up to this number of flights, every flight is drawn. */
const MAX_POINTS = 20_000;
/** Maximum size of the points before base64 encoding. It keeps a page of 10⁵ flights below 2 MB. */
const MAX_BYTES = 1_300_000;
/** Minimum fraction of the points that is reserved for the other flights if very many flights are notable. */
const MIN_FRACTION_OF_OTHERS = 0.2;
/** Fraction of the points of other flights that are drawn because their flight is the first in a cell. */
const FRACTION_OF_CELLS = 0.1;
const CELLS = 24;
/** Only the first keys span planes; six keys span 15 planes. */
const MAX_KEYS = 6;

interface Counts {
  readonly flights: number;
  /** Flights that violate a requirement or have no result. */
  readonly notable: number;
  readonly bytesPerPoint: number;
}

export class PointSampling {
  private readonly notableFraction: number;
  private readonly otherFraction: number;
  private cellsLeft: number;
  private readonly planes: { readonly a: number; readonly b: number; readonly seen: Uint8Array }[] = [];
  private readonly codings: readonly ColumnCoding[];

  /** `codings` are the codings of the columns of the varied keys. */
  constructor({ flights, notable, bytesPerPoint }: Counts, codings: readonly ColumnCoding[]) {
    const others = flights - notable;
    const capacity = Math.floor(MAX_BYTES / bytesPerPoint);
    const room = Math.min(capacity, Math.max(MAX_POINTS, notable + MIN_FRACTION_OF_OTHERS * MAX_POINTS));
    const forOthers = Math.min(others, Math.max(room - notable, MIN_FRACTION_OF_OTHERS * room));
    this.notableFraction = Math.min(1, (room - forOthers) / Math.max(1, notable));
    const isWhole = forOthers >= others;
    this.cellsLeft = isWhole ? 0 : FRACTION_OF_CELLS * forOthers;
    this.otherFraction = isWhole ? 1 : (forOthers - this.cellsLeft) / others;
    this.codings = codings;
    const keys = Math.min(codings.length, MAX_KEYS);
    for (let a = 0; a < keys; a += 1) {
      for (let b = a + 1; b < keys; b += 1) this.planes.push({ a, b, seen: new Uint8Array(CELLS * CELLS) });
    }
  }

  /** Decides whether flight k is drawn. Call it once per flight, in the order of their numbers. */
  keeps(k: number, isNotable: boolean, varied: readonly PointValue[]): boolean {
    if (isNotable) return hashOf(k) < this.notableFraction;
    if (hashOf(k) < this.otherFraction) return true;
    if (this.cellsLeft < 1 || !this.isFirstInCell(varied)) return false;
    this.cellsLeft -= 1;
    return true;
  }

  private isFirstInCell(varied: readonly PointValue[]): boolean {
    let isFirst = false;
    for (const { a, b, seen } of this.planes) {
      const cell = CELLS * cellOf(this.codings[a]!, varied[a]) + cellOf(this.codings[b]!, varied[b]);
      if (seen[cell] === 0) isFirst = true;
      seen[cell] = 1;
    }
    return isFirst;
  }
}

function cellOf(coding: ColumnCoding, value: PointValue): number {
  if (coding.kind === "indexed") return Math.max(0, coding.values.indexOf(value ?? "")) % CELLS;
  if (coding.kind === "count" || typeof value !== "number" || !(coding.max > coding.min)) return 0;
  return Math.max(0, Math.min(CELLS - 1, Math.floor((CELLS * (value - coding.min)) / (coding.max - coding.min))));
}

/** Maps an integer to a pseudo-random number in [0, 1) with the mixing steps of MurmurHash3. */
export function hashOf(k: number): number {
  let h = k + 0x9e3779b9;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 2 ** 32;
}
