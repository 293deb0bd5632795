/**
 * What the suite is made of: rows, in groups that are measured together in one process.
 *
 * A row is what a reader looks at: a name, a value with its unit, and what it is divided by. A reading is one process's
 * word about it; the table shows the worst of all processes.
 */
import type { Effort } from "../measure.ts";
import type { YardstickName } from "../yardstick.ts";

/** `base`: what the row itself names. */
export type Divisor = YardstickName | "base";

/** At most so much. Of a divisor: the ratio to it; of `value`: the value itself. */
export interface Bar {
  readonly of: Divisor | "value";
  readonly most: number;
  readonly moonshot?: number;
}

export interface Row {
  /** Unique in the suite. */
  readonly name: string;
  readonly about: string;
  readonly unit: "ns" | "ms" | "bytes";
  readonly bar?: Bar;
  /** Multiples of real time to be reached. */
  readonly realTimeGoal?: number;
  /** What `base` is. */
  readonly base?: string;
}

export interface Reading {
  readonly row: string;
  readonly value: number;
  readonly ratios: Partial<Record<Divisor, number>>;
  readonly realTime?: number;
  /** Its final state is not that of the yardsticks: it does not count. */
  readonly differs?: true;
}

export interface Group {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly measure: (effort: Effort) => readonly Reading[] | Promise<readonly Reading[]>;
  /** Flags of node that it needs. */
  readonly flags?: readonly string[];
}
