/**
 * Colours and widths for the terminal: one accent colour, red for problems, no colour without a terminal.
 *
 * The NO_COLOR and FORCE_COLOR conventions override this.
 */
export interface Style {
  readonly accent: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly trouble: (text: string) => string;
}

const paint = (code: number, off: number) => (text: string) => `\u001b[${code}m${text}\u001b[${off}m`;
const plain = (text: string) => text;

export const colourful: Style = {
  accent: paint(36, 39),
  quiet: paint(2, 22),
  strong: paint(1, 22),
  trouble: paint(31, 39),
};
export const colourless: Style = { accent: plain, quiet: plain, strong: plain, trouble: plain };

export function styleFor(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Style {
  if (env["NO_COLOR"] !== undefined && env["NO_COLOR"] !== "") return colourless;
  if (env["FORCE_COLOR"] !== undefined && env["FORCE_COLOR"] !== "0") return colourful;
  return stream.isTTY === true && env["TERM"] !== "dumb" ? colourful : colourless;
}

/** Returns the width on the screen; escape codes take no space. */
export function width(text: string): number {
  // oxlint-disable-next-line no-control-regex -- the pattern must match the escape character
  return [...text.replace(/\u001b\[[0-9;]*m/g, "")].length;
}

export function padEnd(text: string, to: number): string {
  return text + " ".repeat(Math.max(0, to - width(text)));
}

export function padStart(text: string, to: number): string {
  return " ".repeat(Math.max(0, to - width(text))) + text;
}

/**
 * Breaks a text at spaces so that it fits the terminal; lines after the first start with the indent. The first
 * `usedColumns` columns of the first line are already in use.
 */
export function wrap(text: string, columns: number, indent: string, usedColumns = indent.length): string {
  const lineWidth = Math.max(20, columns - indent.length - 1);
  return text
    .split("\n")
    .flatMap((paragraph, i) => breakLines(paragraph, lineWidth, i === 0 ? columns - usedColumns - 1 : lineWidth))
    .join(`\n${indent}`);
}

/**
 * Joins parts with a gap of three spaces. A part that does not fit the terminal starts a new line with the indent, so
 * that a part such as a command stays in one piece.
 */
export function joinParts(parts: readonly string[], columns: number, indent: string): string {
  const lines: string[] = [];
  for (const part of parts.filter((text) => width(text) > 0)) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(part);
    else if (width(last) + 3 + width(part.trimEnd()) < columns) lines[lines.length - 1] = `${last}   ${part}`;
    else if (part.trim() !== "") lines.push(`${indent}${part}`);
  }
  return lines.map((line) => line.trimEnd()).join("\n");
}

function breakLines(text: string, lineWidth: number, firstLineWidth: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && width(line) + 1 + width(word) > (lines.length === 0 ? firstLineWidth : lineWidth)) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/**
 * Returns the width to print for: the variable COLUMNS, or the terminal's width limited to 40 to 160, or 80 without a
 * terminal.
 */
export function columnsOf(
  stream: { readonly columns?: number | undefined },
  env: Readonly<Record<string, string | undefined>> = process.env,
): number {
  const set = Number(env["COLUMNS"] ?? "");
  if (Number.isSafeInteger(set) && set >= 20) return set;
  return Math.max(40, Math.min(stream.columns ?? 80, 160));
}

interface TableColumn {
  readonly title: string;
  readonly right?: boolean;
}

/**
 * Formats a table: columns as wide as their widest cell, numbers right-aligned, no rules. A table that is wider than
 * `maxWidth` is continued below itself, each time with the first column.
 */
export function renderTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  style: Style,
  maxWidth = Infinity,
): string {
  const widths = columns.map(({ title }, i) => Math.max(width(title), ...rows.map((row) => width(row[i] ?? ""))));
  return blocksOf(widths, maxWidth)
    .map((block) =>
      renderBlock(
        block.map((i) => columns[i]!),
        rows.map((row) => block.map((i) => row[i] ?? "")),
        style,
      ),
    )
    .join("\n\n");
}

/** Returns the indices of the columns of each block. */
function blocksOf(widths: readonly number[], maxWidth: number): number[][] {
  const blocks: number[][] = [[0]];
  let used = widths[0] ?? 0;
  for (let i = 1; i < widths.length; i += 1) {
    const last = blocks[blocks.length - 1]!;
    if (used + 2 + widths[i]! > maxWidth && last.length > 1) {
      blocks.push([0, i]);
      used = widths[0]! + 2 + widths[i]!;
    } else {
      last.push(i);
      used += 2 + widths[i]!;
    }
  }
  return blocks;
}

function renderBlock(columns: readonly TableColumn[], rows: readonly (readonly string[])[], style: Style): string {
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
