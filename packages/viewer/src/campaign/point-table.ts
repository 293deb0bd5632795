/** The decoded points of the page, by column and by flight. */
import { shortNumber, withUnit } from "@escapement/formats/campaigns";
import type { PageColumn } from "./extents.ts";
import { type DecodedColumn, decodeColumns } from "./points.ts";

export interface TableColumn extends PageColumn, DecodedColumn {}

export class PointTable {
  readonly columns: readonly TableColumn[];
  readonly size: number;
  private readonly numbers: Float64Array;

  constructor(columns: readonly PageColumn[], bytes: Uint8Array) {
    const decoded = decodeColumns(
      columns.map(({ coding }) => coding),
      bytes,
    );
    this.columns = columns.map((column, i) => ({ ...column, ...decoded[i]! }));
    this.numbers = this.withRole("flight")[0]!.numbers;
    this.size = this.numbers.length;
  }

  withRole(role: PageColumn["role"]): readonly TableColumn[] {
    return this.columns.filter((column) => column.role === role);
  }

  flightOf(point: number): number {
    return this.numbers[point]!;
  }

  /** Finds the point of a flight by bisection; undefined if the page does not have it. Points are sorted by flight. */
  pointOf(k: number): number | undefined {
    let [low, high] = [0, this.size];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.numbers[middle]! < k) low = middle + 1;
      else high = middle;
    }
    return low < this.size && this.numbers[low] === k ? low : undefined;
  }
}

/** Formats the value of a point. Numbers of a rounded column are shown short. */
export function cellText({ words, numbers, resolution, unit }: TableColumn, point: number): string {
  const value = numbers[point]!;
  if (Number.isNaN(value)) return "—";
  if (words !== undefined) return words[value] ?? "—";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const text = resolution === 0 ? exactText(value) : shortNumber(value);
  return withUnit(text.replace("-", "−"), unit);
}

/** Formats a value that the page holds exactly, with at most six significant digits. */
function exactText(value: number): string {
  return String(Number(value.toPrecision(6)));
}
