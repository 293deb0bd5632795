/**
 * The flight's clock: integer microseconds for scheduling, seconds for equations.
 *
 * Both are stored in a typed array: V8 would box a number above 2³¹ in a field or in a call that it does not inline.
 * Only the engine sets the clock.
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

  /** Sets the time from an array element, because V8 would box a time above 2³¹ µs that is passed as a number. */
  take(timesUs: Float64Array, at: number): void {
    this.cells[1] = timesUs[at]!;
    this.cells[0] = timesUs[at]! / 1e6;
  }
}
