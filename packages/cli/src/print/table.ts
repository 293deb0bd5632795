/** Formats a text table: columns as wide as their widest cell, numbers right-aligned, no rules. */
import { padEnd, padStart, type Style, width } from "./style.ts";

interface TableColumn {
  readonly title: string;
  readonly right?: boolean;
}

export function renderTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  style: Style,
): string {
  const widths = columns.map(({ title }, i) => Math.max(width(title), ...rows.map((row) => width(row[i] ?? ""))));
  const line = (cells: readonly string[], paint: (text: string) => string) =>
    cells
      .map((cell, i) => paint(columns[i]!.right === true ? padStart(cell, widths[i]!) : padEnd(cell, widths[i]!)))
      .join("  ")
      .trimEnd();
  const head = line(
    columns.map(({ title }) => title),
    style.quiet,
  );
  return [head, ...rows.map((row) => line(row, (text) => text))].join("\n");
}
