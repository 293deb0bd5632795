/**
 * The flight's clock as sources see it: whole microseconds decide, seconds compute.
 *
 * Both live in typed-array cells, because a number above 2^31 kept in a field or passed through a call that is not
 * inlined would be boxed at every boundary. Only the engine sets it.
 */
export interface Clock {
  /** Time of this boundary, whole microseconds. */
  readonly us: number;
  /** The same in seconds, correctly rounded. */
  readonly s: number;
}

/** Flight time in whole microseconds and in seconds. */
export class FlightClock implements Clock {
  /** `[seconds, microseconds]`; the first cell is what a plant is given as its time. */
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

  /** Takes the time over from a cell: passed as a number, a late one would be boxed. */
  take(timesUs: Float64Array, at: number): void {
    this.cells[1] = timesUs[at]!;
    this.cells[0] = timesUs[at]! / 1e6;
  }
}
