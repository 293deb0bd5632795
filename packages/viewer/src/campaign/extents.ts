/** First pass over the rows of a campaign: finds the range or the distinct values of each column, and its encoding. */
import { decidedMargin, type Manifest, type Row } from "@escapement/formats/campaigns";
import { type ColumnCoding, MAX_INDEXED, type PointValue } from "./points.ts";

/** Description of one column of the points. */
export interface PageColumn {
  readonly role: "flight" | "outcome" | "verdict" | "margin" | "varied" | "measure" | "end";
  readonly name: string;
  readonly unit: string;
  readonly coding: ColumnCoding;
}

type ColumnInfo = Omit<PageColumn, "coding">;

/** Returns the columns of a campaign's points, in the order in which they are stored. */
export function columnsOf({ keys, requirements, measures }: Manifest): ColumnInfo[] {
  return [
    { role: "flight", name: "flight number", unit: "" },
    { role: "outcome", name: "outcome", unit: "" },
    { role: "end", name: "end of the flight", unit: "s" },
    ...requirements.map(({ name }) => ({ role: "verdict" as const, name, unit: "" })),
    ...requirements.map(({ name, unit }) => ({ role: "margin" as const, name, unit: unit ?? "scales" })),
    ...keys.map(({ key, unit }) => ({ role: "varied" as const, name: key, unit })),
    ...measures.map(({ name, unit }) => ({ role: "measure" as const, name, unit })),
  ];
}

/** Returns the values of a row, in the order of the columns. */
export function valuesOf({ keys, requirements, measures }: Manifest, row: Row): PointValue[] {
  const wasFlown = row.fingerprint !== "";
  return [
    row.k,
    row.outcome,
    wasFlown ? row.endUs / 1e6 : undefined,
    ...requirements.map((_, i) => row.verdicts[i]?.verdict),
    ...requirements.map((_, i) => (row.verdicts[i] === undefined ? undefined : decidedMargin(row.verdicts[i]))),
    ...keys.map((_, i) => row.varied[i]),
    ...measures.map((_, i) => row.measures[i] ?? undefined),
  ];
}

/** The smallest and largest finite number of a column, and its distinct values if they are few. */
export class Extent {
  min = Infinity;
  max = -Infinity;
  private hasWords = false;
  private readonly values = new Set<number | string | boolean>();

  add(value: PointValue): void {
    if (value === undefined) return;
    if (typeof value !== "number") this.hasWords = true;
    else if (Number.isFinite(value)) {
      this.min = Math.min(this.min, value);
      this.max = Math.max(this.max, value);
    }
    if (this.values.size <= MAX_INDEXED) this.values.add(value);
  }

  /**
   * Returns how to encode the column. A column with many distinct numbers, or with a number that is not finite, is
   * encoded as scaled numbers. Any other column is encoded as indices of its distinct values, sorted so that an axis
   * shows them in order.
   */
  coding(): ColumnCoding {
    if (!this.hasWords && this.values.size > MAX_INDEXED) return { kind: "scaled", min: this.min, max: this.max };
    if ([...this.values].some((value) => typeof value === "number" && !Number.isFinite(value))) {
      return { kind: "scaled", min: this.min <= this.max ? this.min : 0, max: this.min <= this.max ? this.max : 0 };
    }
    return { kind: "indexed", values: [...this.values].slice(0, MAX_INDEXED).sort(compareValues) };
  }
}

function compareValues(a: number | string | boolean, b: number | string | boolean): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a) < String(b) ? -1 : 1;
}
