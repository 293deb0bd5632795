/** Formats tables for the terminal. */
import { padEnd, padStart, type Style } from "./style.ts";

/** Formats a table. Columns are right-aligned, except those whose indices are in `left`. */
export function table(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  style: Style,
  left: readonly number[] = [],
): string {
  const widths = titles.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]) =>
    `  ${cells.map((cell, i) => (left.includes(i) ? padEnd : padStart)(cell, widths[i]!)).join("  ")}`.trimEnd();
  return [style.quiet(line(titles)), ...rows.map(line)].join("\n");
}
