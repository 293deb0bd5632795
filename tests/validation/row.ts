/**
 * One comparison on the validation pages: a number of others, and ours.
 *
 * Every file of rows exports them as a function. A test checks each row against its tolerance, and the pages are generated
 * from the same rows, so every claim is checked.
 */
export interface ValidationRow {
  /** Which comparison it belongs to, e.g. "Atmosphere (us76)". `groups.ts` says in which group each area is shown. */
  readonly area: string;
  /** The compared quantity, and where or when. */
  readonly quantity: string;
  /** Publication: report, table, equation. */
  readonly source: string;
  /** "published" if absent. */
  readonly basis?: Basis;
  readonly published: number;
  readonly ours: number;
  /** Spread: the largest |ours − published| allowed, in the same unit. */
  readonly tolerance: number;
  readonly unit: string;
  /** Why our number lies outside the spread, if it does. Without this text, the test demands that it lies within. */
  readonly outside?: string;
}

/** What kind of number ours is compared with. */
export type Basis = keyof typeof BASES;

export const BASES = {
  published: "a measurement, standard or data sheet that others published",
  range: "the middle of a published range; the spread is half its width",
  fitted: "a published number that a parameter of ours was set with, so agreement proves little",
  theory: "a closed form or an exact solution",
  simulator: "another simulator's result",
} as const;

export function isWithin({ published, ours, tolerance }: ValidationRow): boolean {
  return Math.abs(ours - published) <= tolerance;
}
