/**
 * Stores what criteria need from all rows, in columns: one byte per flight and requirement, and one double per flight
 * and measure that a criterion names. Rows may arrive in any order; criteria use flights 0 … n − 1.
 */
import type { Row } from "../contracts.ts";

/** Codes of the verdict on a requirement in a flight. */
export const HELD = 1;
export const VIOLATED = 2;
/** The requirement is undecided in the flight, or the flight has no result (outcome failed, refused or poisoned). */
export const UNKNOWN = 3;

export class Tally {
  private readonly requirements: readonly { readonly mustOccur: boolean }[];
  private prefixLength = 0;
  private capacity = 1024;
  /** Per requirement, the verdict codes of all flights; 0 if a flight has no row yet. */
  private readonly verdicts: Uint8Array[];
  /** Per flight: 0 if it has no row yet, 1 if it has a result, 2 if it failed, was refused or is poisoned. */
  private flights = new Uint8Array(this.capacity);
  /** Values of all flights by index of the measure; NaN if a flight has no value. */
  private readonly measures: Map<number, Float64Array>;
  private weights: Float64Array | undefined;

  /** @param measures indices of the measures that criteria use; storing all measures would take most of the memory */
  constructor(requirements: readonly { readonly mustOccur: boolean }[], measures: Iterable<number>) {
    this.requirements = requirements;
    this.verdicts = requirements.map(() => new Uint8Array(this.capacity));
    this.measures = new Map(Array.from(measures, (i) => [i, new Float64Array(this.capacity).fill(NaN)]));
  }

  add(row: Row): void {
    const { k } = row;
    this.grow(k + 1);
    const isFailed = row.outcome === "failed" || row.outcome === "refused" || row.outcome === "poisoned";
    this.flights[k] = isFailed ? 2 : 1;
    for (const [i, column] of this.verdicts.entries()) column[k] = this.codeOf(row, i, isFailed);
    for (const [i, column] of this.measures) column[k] = row.measures[i] ?? NaN;
    if (row.weight !== undefined) {
      this.weights ??= new Float64Array(this.capacity).fill(1);
      this.weights[k] = row.weight;
    }
    while (this.prefixLength < this.capacity && this.flights[this.prefixLength] !== 0) this.prefixLength += 1;
  }

  /** Number of flights before the first missing row: rows 0 … complete − 1 have arrived. */
  get complete(): number {
    return this.prefixLength;
  }

  /** Returns the verdict codes of a requirement in flights 0 … n − 1. */
  verdictsOf(requirement: number, n: number): Uint8Array {
    return this.verdicts[requirement]!.subarray(0, n);
  }

  measuresOf(measure: number, n: number): Float64Array {
    return this.measures.get(measure)!.subarray(0, n);
  }

  /** Weights of flights 0 … n − 1; undefined if all are 1. */
  weightsOf(n: number): Float64Array | undefined {
    return this.weights?.subarray(0, n);
  }

  /** Returns the flights with even numbers, renumbered without gaps. */
  everySecond(): Tally {
    const half = new Tally(this.requirements, this.measures.keys());
    half.grow(Math.ceil(this.capacity / 2));
    const even = <T extends Uint8Array | Float64Array>(from: T, to: T) => {
      for (let k = 0; 2 * k < from.length; k += 1) to[k] = from[2 * k]!;
    };
    even(this.flights, half.flights);
    this.verdicts.forEach((column, i) => even(column, half.verdicts[i]!));
    for (const [i, column] of this.measures) even(column, half.measures.get(i)!);
    half.prefixLength = Math.ceil(this.prefixLength / 2);
    return half;
  }

  failures(n: number): number {
    return this.flights.subarray(0, n).reduce((count, code) => count + (code === 2 ? 1 : 0), 0);
  }

  private codeOf({ verdicts }: Row, requirement: number, isFailed: boolean): number {
    const word = verdicts[requirement]?.verdict;
    if (word === "violated" || (word === "untested" && this.requirements[requirement]!.mustOccur)) return VIOLATED;
    return word === undefined || word === "undecided" || isFailed ? UNKNOWN : HELD;
  }

  private grow(needed: number): void {
    if (needed <= this.capacity) return;
    while (this.capacity < needed) this.capacity *= 2;
    const longer = <T extends Uint8Array | Float64Array>(column: T, empty: T): T => {
      empty.set(column);
      return empty;
    };
    const doubles = (fill: number) => new Float64Array(this.capacity).fill(fill);
    this.flights = longer(this.flights, new Uint8Array(this.capacity));
    for (const [i, column] of this.verdicts.entries()) this.verdicts[i] = longer(column, new Uint8Array(this.capacity));
    for (const [i, column] of this.measures) this.measures.set(i, longer(column, doubles(NaN)));
    if (this.weights !== undefined) this.weights = longer(this.weights, doubles(1));
  }
}
