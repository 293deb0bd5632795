/** The file of a plan `list`: a table (CSV or Parquet) with one column per varied key and one row per flight. */
import { fileErrors, readPlainParquet } from "@escapement/formats";
import { parseKeyPath } from "@escapement/core";
import type { VariedSpec } from "@escapement/campaign";

type ListValue = number | string | boolean;

/** Returns the columns of a table. Parquet is recognised by its first bytes. */
export async function readColumns(bytes: Uint8Array, file: string): Promise<readonly VariedSpec[]> {
  const isParquet = new TextDecoder().decode(bytes.subarray(0, 4)) === "PAR1";
  return isParquet ? parquetColumns(bytes, file) : csvColumns(new TextDecoder().decode(bytes), file);
}

/**
 * Reads the columns of a table. In the results of a campaign, the column `vary.wind.w20Mps` is the key `wind.w20Mps`,
 * and columns without `vary.` are left out.
 */
async function parquetColumns(bytes: Uint8Array, file: string): Promise<readonly VariedSpec[]> {
  const table = await readPlainParquet(bytes, file);
  const isResults = [...table.keys()].some((name) => name.startsWith("vary."));
  const columns = [...table].filter(([name]) => !isResults || name.startsWith("vary."));
  if (columns.length === 0 || columns[0]![1].length === 0) {
    throw fileErrors.syntax({
      what: "the table has no rows",
      where: { file },
      fix: "write one column per key and one row per flight",
    });
  }
  return columns.map(([name, cells]) => {
    const key = name.replace(/^vary\./, "");
    checkKeys([key], file, {});
    return { key, distribution: { list: cells.map((cell, i) => listValue(cell, { file, key, row: i })) } };
  });
}

function listValue(cell: unknown, { file, key, row }: { file: string; key: string; row: number }): ListValue {
  if (typeof cell === "bigint") return Number(cell);
  if (typeof cell === "string" || typeof cell === "boolean" || Number.isFinite(cell)) return cell as ListValue;
  throw fileErrors.syntax({
    what: `the value in row ${row} cannot be used: ${String(cell)}`,
    where: { file, key },
    fix: "write a number, a word, true or false in every row",
  });
}

/** Cells are numbers, `true`, `false` or words; a cell in double quotes is a word. */
function csvColumns(text: string, file: string): readonly VariedSpec[] {
  const lines = text
    .split(/\r?\n/)
    .flatMap((line, i) => (line.trim() === "" || line.startsWith("#") ? [] : [{ line, number: i + 1 }]));
  const [head, ...rows] = lines;
  if (head === undefined || rows.length === 0) {
    throw syntaxError(file, 1, "the table has no rows", "write a line with keys, then one line per flight");
  }
  const keys = cellsOf(head.line).map(({ text: key }) => key);
  checkKeys(keys, file, { line: head.number });
  const values = rows.map(({ line, number }) => {
    const cells = cellsOf(line);
    if (cells.length === keys.length) return cells.map(valueOf);
    throw syntaxError(file, number, `the line has ${cells.length} cells`, `write ${keys.length} cells, one per key`);
  });
  return keys.map((key, i) => ({ key, distribution: { list: values.map((row) => row[i]!) } }));
}

function checkKeys(keys: readonly string[], file: string, place: { readonly line?: number }): void {
  const wrong = keys.find((key, i) => parseKeyPath(key) === undefined || keys.indexOf(key) !== i);
  if (wrong === undefined) return;
  throw fileErrors.syntax({
    what: `"${wrong}" is not a key, or is listed twice`,
    where: { file, ...place },
    fix: 'write each key once, e.g. wind.w20Mps, "scenario.gust.at"',
  });
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

function valueOf({ text, isQuoted }: Cell): ListValue {
  if (isQuoted) return text;
  if (text === "true" || text === "false") return text === "true";
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

function syntaxError(file: string, line: number, what: string, fix: string): Error {
  return fileErrors.syntax({ what, where: { file, line }, fix });
}
