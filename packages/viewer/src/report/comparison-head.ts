/** Head and column names of a page that compares integrators; the writer and the page share them. */
import type { ComparedName, FlightDefinition } from "@escapement/core";

export interface ComparedVariant {
  readonly label: string;
  /** Per quantity: the largest, root-mean-square and final error, and the time of the largest error in seconds. */
  readonly errors: Readonly<Partial<Record<ComparedName, { max: number; rms: number; final: number; maxS: number }>>>;
  readonly evaluations: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly timeRatio: number;
  readonly reproduces: boolean;
}

export interface ComparisonHead {
  readonly kind: "integrators";
  readonly title: string;
  readonly reference: string;
  /** Open: the recorded commands are replayed. Closed: sensors, estimator and autopilot run live. */
  readonly loop: "open" | "closed";
  readonly fingerprint: string;
  readonly version: string;
  readonly definition: FlightDefinition;
  /** The compared quantities, in the order of the table. */
  readonly quantities: readonly { readonly name: ComparedName; readonly unit: string }[];
  readonly variants: readonly ComparedVariant[];
  readonly rows: number;
  readonly rowsPerBucket: number;
  /** `t`, then `errorColumn(quantity, variant)` for each quantity and variant. */
  readonly columns: readonly string[];
}

export function errorColumn(name: ComparedName, variant: number): string {
  return `${name} ${variant}`;
}
