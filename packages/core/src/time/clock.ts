/**
 * The flight's clock: whole microseconds for decisions, seconds for equations.
 *
 * Both are typed-array cells: a number above 2^31 in a field, or passed to a call that is not inlined, would be boxed at
 * every boundary. Only the engine sets the clock.
 */
export interface Clock {
  /** Time of this boundary in whole microseconds. */
  readonly us: number;
  /** The same time in seconds, correctly rounded. */
  readonly s: number;
}

/** Flight time in whole microseconds and in seconds. */
export class FlightClock implements Clock {
  /** `[seconds, microseconds]`; the plant receives the first cell as its time. */
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

  /** Sets the time from a cell: passed as a number, a time above 2^31 µs would be boxed. */
  take(timesUs: Float64Array, at: number): void {
    this.cells[1] = timesUs[at]!;
    this.cells[0] = timesUs[at]! / 1e6;
  }
}
