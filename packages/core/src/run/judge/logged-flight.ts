/** A log as requirements read it: signals and blocks of the state, by the names of the simulator. */

/** One signal of a log. Its times increase; values are held in between. */
export interface LoggedSignal {
  readonly timesUs: Float64Array;
  readonly size: number;
  /** `size` values per time, row by row; NaN if the log marks a value as invalid. */
  readonly values: Float64Array;
}

export interface LoggedFlight {
  /** The signal or block of the state with this name; undefined if the log does not have all of it. */
  find(name: string): LoggedSignal | undefined;
  /** What the log must hold to have the signal, e.g. `the topic vehicle_attitude`; undefined if no such log can. */
  placeOf(name: string): string | undefined;
}
