/**
 * One line of docs/validation.md: a number that somebody else published, and ours.
 *
 * Every area exports its rows as a function; a test holds each to its tolerance, and the page is made from the same
 * rows, so what is claimed is what is checked.
 */
export interface ValidationRow {
  /** Heading under which it stands, e.g. "Atmosphere". */
  readonly area: string;
  /** What is compared, and where or when. */
  readonly quantity: string;
  /** Who published it: report, table, equation. */
  readonly source: string;
  readonly published: number;
  readonly ours: number;
  /** Largest |ours − published| allowed, in the same unit. */
  readonly tolerance: number;
  readonly unit: string;
}

export function isWithin({ published, ours, tolerance }: ValidationRow): boolean {
  return Math.abs(ours - published) <= tolerance;
}
