/**
 * Types of the suite's rows and groups. The rows of a group are measured together in one process.
 *
 * A row has a name, a unit, and the divisors of its value. A reading is one process's measurement of a row; the table
 * shows the worst over all processes.
 */
import type { Effort } from "../measure.ts";
import type { YardstickName } from "../yardstick.ts";

/** `base` is a divisor specific to the row. */
export type Divisor = YardstickName | "base";

/** Upper limit of the ratio to a divisor, or of the value itself. */
export interface Limit {
  readonly of: Divisor | "value";
  readonly max: number;
  /** A stricter limit that is not required. The table reports when it is reached. */
  readonly ideal?: number;
}

export interface Row {
  /** Unique in the suite. */
  readonly name: string;
  readonly about: string;
  readonly unit: "ns" | "ms" | "bytes" | "MB";
  readonly limit?: Limit;
  /** Speed to be reached, as a multiple of real time. */
  readonly realTimeGoal?: number;
  /** Description of the divisor `base`. */
  readonly base?: string;
}

export interface Reading {
  readonly row: string;
  readonly value: number;
  readonly ratios: Partial<Record<Divisor, number>>;
  readonly realTime?: number;
  /** The final state differs from the final state of the yardsticks, so the reading is not valid. */
  readonly differs?: true;
}

export interface Group {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly measure: (effort: Effort) => readonly Reading[] | Promise<readonly Reading[]>;
  /** Node flags that the group needs. */
  readonly flags?: readonly string[];
}
