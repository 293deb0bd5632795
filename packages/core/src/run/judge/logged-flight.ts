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
  /** The part of a log that holds the signal, e.g. `the topic vehicle_attitude`; undefined if this type of log has none. */
  placeOf(name: string): string | undefined;
}
