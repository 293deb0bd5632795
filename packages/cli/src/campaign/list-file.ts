/** Reads the file of a `list` plan: a CSV table with one column per varied key and one row per flight. */
import { fileErrors } from "@escapement/formats";
import { parseKeyPath } from "@escapement/core";
import type { VariedSpec } from "@escapement/campaign";

/** Parses the table. Cells are numbers, `true`, `false` or words; a cell in double quotes is always a word. */
export function readColumns(text: string, file: string): readonly VariedSpec[] {
  const lines = text
    .split(/\r?\n/)
    .flatMap((line, i) => (line.trim() === "" || line.startsWith("#") ? [] : [{ line, number: i + 1 }]));
  const [head, ...rows] = lines;
  if (head === undefined || rows.length === 0) {
    throw syntaxError(file, 1, "the table has no rows", "write a line with keys, then one line per flight");
  }
  const keys = cellsOf(head.line).map(({ text: key }) => key);
  const wrong = keys.find((key, i) => parseKeyPath(key) === undefined || keys.indexOf(key) !== i);
  if (wrong !== undefined) {
    throw syntaxError(
      file,
      head.number,
      `"${wrong}" is not a key, or is given twice`,
      'e.g. wind.w20Mps, "scenario.gust.at"',
    );
  }
  const values = rows.map(({ line, number }) => {
    const cells = cellsOf(line);
    if (cells.length === keys.length) return cells.map(valueOf);
    throw syntaxError(file, number, `the line has ${cells.length} cells`, `write ${keys.length} cells, one per key`);
  });
  return keys.map((key, i) => ({ key, distribution: { list: values.map((row) => row[i]!) } }));
}

interface Cell {
  readonly text: string;
  readonly isQuoted: boolean;
}

function cellsOf(line: string): Cell[] {
  const cells = line.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/gy);
  const found = [...cells].map(([, quoted, plain = ""]) =>
    quoted === undefined
      ? { text: plain.trim(), isQuoted: false }
      : { text: quoted.replaceAll('""', '"'), isQuoted: true },
  );
  // If the line does not end with a comma, the last match is the empty string at its end, which is not a cell.
  return line.trimEnd().endsWith(",") ? found : found.slice(0, -1);
}

function valueOf({ text, isQuoted }: Cell): number | string | boolean {
  if (isQuoted) return text;
  if (text === "true" || text === "false") return text === "true";
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

function syntaxError(file: string, line: number, what: string, fix: string): Error {
  return fileErrors.syntax({ what, where: { file, line }, fix });
}
