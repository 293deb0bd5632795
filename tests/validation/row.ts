/**
 * One comparison on the validation pages: a number from elsewhere, and ours.
 *
 * Every file of rows exports them as a function. A test checks each row against its tolerance, and the pages are
 * generated from the same rows, so every claim is checked.
 */
export interface ValidationRow {
  /** The comparison that the row belongs to, e.g. "Atmosphere (us76)". `groups.ts` assigns each area to a group. */
  readonly area: string;
  /** The compared quantity, with its place or time. */
  readonly quantity: string;
  /** Where the number comes from: report, table, equation, simulator. */
  readonly source: string;
  /** "published" if absent. */
  readonly basis?: Basis;
  /** The number that ours is compared with. For the bases "theory" and "simulator" it need not be published. */
  readonly published: number;
  readonly ours: number;
  /** The largest allowed |ours − published|, in the same unit. */
  readonly tolerance: number;
  readonly unit: string;
  /** The reason why our number is outside the tolerance. Without this text, the test requires it to be inside. */
  readonly outside?: string;
}

/** What kind of number ours is compared with. */
export type Basis = keyof typeof BASES;

export const BASES = {
  published: "a measurement, standard or data sheet that others published",
  range: "the middle of a published range; the tolerance is at least half its width",
  fitted: "a published number from which one of our parameters was set, so agreement proves little",
  theory: "a closed form or an exact solution",
  simulator: "another simulator's result",
} as const;

export function isWithin({ published, ours, tolerance }: ValidationRow): boolean {
  return Math.abs(ours - published) <= tolerance;
}
