/**
 * The flight's clock as sources see it: whole microseconds decide, seconds compute.
 *
 * Both are kept in typed-array cells, because V8 would box a number above 2^31 in a field, or in a call that it does not
 * inline, at every boundary. Only the engine sets it.
 */
export interface Clock {
  /** Time of this boundary, whole microseconds. */
  readonly us: number;
  /** The same in seconds, correctly rounded. */
  readonly s: number;
}

/** Flight time in whole microseconds and in seconds. */
export class FlightClock implements Clock {
  /** `[seconds, microseconds]`; plants get the first cell as their time. */
  readonly cells = new Float64Array(2);

  get us(): number {
    return this.cells[1]!;
  }

  get s(): number {
    return this.cells[0]!;
  }

  set(us: number): void {
    this.cells[1] = us;
    this.cells[0] = us / 1e6;
  }

  /** Copies the time from a cell: V8 would box a late time if it were passed as a number. */
  take(timesUs: Float64Array, at: number): void {
    this.cells[1] = timesUs[at]!;
    this.cells[0] = timesUs[at]! / 1e6;
  }
}
