/** Tables in Markdown, for the generated parts of the docs. */
export type Row = readonly string[];

export function table(head: Row, rows: readonly Row[]): string {
  const line = (row: Row) => `| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
