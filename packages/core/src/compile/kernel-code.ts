/** The code of a kernel: the functions of the right-hand side of one structure, and the facts on which they depend. */
import type { Equations } from "../integrate/contract.ts";
import type { FunctionText, Maker } from "./function-text.ts";
import type { MethodMakers } from "./method.ts";

/** The properties of a right-hand side on which its code depends. */
export interface KernelFacts {
  /** The equations that the code was made from, and everything else on which it depends except numbers. */
  readonly program: string;
  readonly structure: string;
  /** Size of the state. */
  readonly size: number;
  readonly usesTime: boolean;
  readonly inputsRead: readonly number[];
  /** States whose slope is the constant +0. */
  readonly still: readonly number[];
  /** States with bounds that decide whether the plant is clear of events. */
  readonly bounded: readonly number[];
  readonly jumped: Equations["jumped"];
  /** Cells of scratch that an evaluation writes. */
  readonly written: readonly number[];
  /** How many values are constant over a flight, over an interval, and over a jump. */
  readonly constantCount: number;
  readonly heldCount: number;
  readonly keptCount: number;
}

/**
 * `bind` computes the values that are constant over a flight, and returns false if the code is not valid for its
 * vehicle; `prepare` does the same for an interval; `slopes` computes slopes; `evaluate` computes slopes and outputs
 * without `prepare`; `rhs` computes slopes with `slopes` or, through `evaluateSlopes`, with `evaluate`; `take` copies a
 * state and an input; `afterJump` computes slopes after a jump that followed `evaluate`; `compare` returns how much of
 * the last evaluation is valid for a state and an input (`Known`).
 */
type KernelFunction =
  | "bind"
  | "prepare"
  | "slopes"
  | "afterJump"
  | "evaluate"
  | "rhs"
  | "evaluateSlopes"
  | "take"
  | "compare";

export interface KernelText extends KernelFacts {
  readonly functions: Readonly<Record<KernelFunction, FunctionText>>;
}

export interface KernelCode extends KernelFacts {
  readonly functions: Readonly<Record<KernelFunction, Maker>>;
  /** Methods compiled ahead of time, by `methodKey`. */
  readonly methods: Readonly<Record<string, MethodMakers>>;
}

/** Number of the first calls of a kernel's `rhs` that use `evaluate`, about as many as one flight makes. */
export const FIRST_CALLS = 1 << 17;

/**
 * How much of an evaluation is valid for a new state and input: nothing, the values that a jump keeps, or everything.
 */
export const NOTHING = 0;
export const ALL_BUT_JUMP = 1;
export const ALL = 2;
export type Known = typeof NOTHING | typeof ALL_BUT_JUMP | typeof ALL;

/** Returns a string that is equal for plants of the same structure. */
export function structureOf(size: number, { clearBounds, jumped, outputCells, refusedAt }: Equations): string {
  return JSON.stringify([size, clearBounds?.states ?? [], jumped, outputCells, refusedAt]);
}
