/**
 * One line of docs/validation.md: a published number, and ours.
 *
 * Every area exports its rows as a function. A test checks each row against its tolerance, and the page is generated from
 * the same rows, so every claim is checked.
 */
export interface ValidationRow {
  /** Heading on the page, e.g. "Atmosphere". */
  readonly area: string;
  /** The compared quantity, and where or when. */
  readonly quantity: string;
  /** Publication: report, table, equation. */
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
