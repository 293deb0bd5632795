/**
 * Reuses rows of another build. A sample of them is flown again first, and must be equal byte for byte. If a row
 * differs, the campaign ends with an error.
 *
 * A plan reuses rows when its whole sample has been flown again. A search needs the rows of a generation to choose the
 * next one, so it reuses rows of every generation whose sample was equal; a later sample can still differ. The
 * coordinator then sets aside the journal, which contains the reused rows.
 */
import { encodeLine, type Row } from "@escapement/formats";
import type { FlightOrder } from "../fly/one.ts";
import type { RowCache } from "../rows/cache.ts";
import { campaignErrors } from "../spec/errors.ts";

export interface OtherBuild {
  /** Hash of its code. */
  readonly code: string;
  /** Rows of flights that it flew, judged by the same requirements and measures. */
  readonly cache: RowCache;
  /** Fraction of the rows that are flown again, 0 to 1; at least one row is. */
  readonly sample: number;
}

export class TakenOver {
  private readonly build: OtherBuild;
  /** Rows of flights that are flown again. */
  private readonly expected = new Map<number, Row>();
  private held: FlightOrder[] = [];
  private found = 0;
  /** Whether a row differed. */
  isRefuted = false;
  /** Number of rows that were reused, and of rows that were flown again and were equal. */
  rows = 0;
  repeated = 0;

  constructor(build: OtherBuild) {
    this.build = build;
  }

  get code(): string {
    return this.build.code;
  }

  get isHolding(): boolean {
    return this.held.length > 0;
  }

  /**
   * Holds a flight back if the other build has its row, unless the flight belongs to the sample. Returns true if the
   * flight is held.
   */
  hold(order: FlightOrder, key: string): boolean {
    const row = this.build.cache.find(key, order.k);
    if (row === undefined) return false;
    const { sample } = this.build;
    const isFlown = this.found === 0 || Math.floor((this.found + 1) * sample) > Math.floor(this.found * sample);
    this.found += 1;
    if (isFlown) this.expected.set(order.k, row);
    else this.held.push(order);
    return !isFlown;
  }

  /** Compares a flown row with the row of the other build. Throws a typed error if they differ. */
  check(row: Row): void {
    const expected = this.expected.get(row.k);
    if (expected === undefined) return;
    this.expected.delete(row.k);
    if (encodeLine(expected) !== encodeLine(row)) {
      this.isRefuted = true;
      throw campaignErrors.otherRows({
        what: `flight ${row.k} differs from its row of build ${this.code.slice(0, 12)}: ${row.outcome} ${row.fingerprint} instead of ${expected.outcome} ${expected.fingerprint}`,
        fix: "leave out --cache-from: this build flies differently, so all flights must be flown again",
      });
    }
    this.repeated += 1;
  }

  /** Returns the rows to reuse. Call it when every flight of the sample so far has been flown again. */
  *release(keyOf: (order: FlightOrder) => string): Generator<Row> {
    const { held } = this;
    this.held = [];
    for (const order of held) {
      this.rows += 1;
      yield this.build.cache.find(keyOf(order), order.k)!;
    }
  }
}
