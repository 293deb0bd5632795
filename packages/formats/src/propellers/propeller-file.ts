/**
 * Reads measured coefficients of a propeller, as in the UIUC Propeller Database: a header with the names of the
 * columns, then numbers, separated by blanks, tabs, commas or semicolons. Columns may be in any order and are found by
 * name: `RPM`, `J`, `CT`, `CP` and `eta`. Other columns are ignored. A static test has no `J`. A wind-tunnel test often
 * has no `RPM`, because the database gives it in the file name. If there is no `CP`, it is computed from the
 * efficiency, C_P = C_T·J/η. All errors are reported together.
 */
import { type PropellerRow, SimError } from "@escapement/core";
import { fileErrors } from "../text/file-errors.ts";
import { Findings, type Reading } from "../text/findings.ts";
import { decodeText, linesOf, parseNumber, quote } from "../text/text.ts";

type Column = "rpm" | "advance" | "thrust" | "power" | "efficiency";

const NAMES: Readonly<Record<string, Column>> = {
  rpm: "rpm",
  j: "advance",
  advance_ratio: "advance",
  ct: "thrust",
  ct0: "thrust",
  c_t: "thrust",
  cp: "power",
  cp0: "power",
  c_p: "power",
  eta: "efficiency",
};

const RANGES: Readonly<Record<Column, readonly [low: number, high: number]>> = {
  rpm: [1, 200_000],
  advance: [0, 5],
  thrust: [-2, 2],
  power: [-2, 2],
  efficiency: [-100, 2],
};

/** Reads a file of measurements. `rpm` is the rotor speed of all rows, if the file has no column for it. */
export function readPropeller(
  input: string | Uint8Array,
  file: string,
  rpm: number | undefined = rpmInName(file),
): Reading<readonly PropellerRow[]> {
  const findings = new Findings(file);
  const rows: PropellerRow[] = [];
  try {
    let columns: (Column | undefined)[] | undefined;
    let isHeaderValid = false;
    linesOf(decodeText(input, file)).forEach((text, i) => {
      if (text.trim() === "" || text.trimStart().startsWith("#")) return;
      const words = text.trim().split(/\s*[,;]\s*|\s+/);
      if (columns === undefined) {
        columns = words.map((word) => NAMES[word.toLowerCase()]);
        checkColumns(columns, rpm, findings, i + 1);
        isHeaderValid = findings.errors.length === 0;
      } else if (isHeaderValid) {
        const row = readRow(words, columns, rpm, findings, i + 1);
        if (row !== undefined) rows.push(row);
      }
    });
    if (columns === undefined)
      findings.error(fileErrors.wrongHeader, "the file is empty", "give a header such as `J CT CP eta`, then numbers");
    return findings.reading(() => rows);
  } catch (error) {
    if (!(error instanceof SimError)) throw error;
    findings.errors.push(error);
    return findings.reading(() => []);
  }
}

/** Returns the number after the last underscore, as in `apcsf_10x4.7_rd0841_6512.txt`. */
function rpmInName(file: string): number | undefined {
  const found = /_(\d{3,6})\.\w+$/.exec(file);
  return found === null ? undefined : Number(found[1]);
}

function checkColumns(
  columns: readonly (Column | undefined)[],
  rpm: number | undefined,
  findings: Findings,
  line: number,
): void {
  const has = (column: Column) => columns.includes(column);
  const missing = (what: string, fix: string) => findings.error(fileErrors.missingKey, what, fix, { line });
  if (columns.every((column) => column === undefined)) {
    findings.error(
      fileErrors.wrongHeader,
      "the first line names no column of a propeller test",
      "start with a header such as `J CT CP eta` or `RPM CT CP`",
      { line },
    );
    return;
  }
  for (const column of new Set(columns)) {
    if (column !== undefined && columns.indexOf(column) !== columns.lastIndexOf(column))
      findings.error(fileErrors.duplicate, "a column is given twice", "keep one of them", { line });
  }
  if (!has("thrust")) missing("there is no thrust coefficient", "add a column CT");
  if (!has("power") && !(has("efficiency") && has("advance")))
    missing("there is no power coefficient", "add a column CP, or eta beside J");
  if (!has("rpm") && rpm === undefined)
    missing("the rotor speed is not given", "add a column RPM, or give --rpm for files without one");
}

function readRow(
  words: readonly string[],
  columns: readonly (Column | undefined)[],
  rpm: number | undefined,
  findings: Findings,
  line: number,
): PropellerRow | undefined {
  if (words.length !== columns.length) {
    findings.error(
      fileErrors.wrongColumns,
      `the line has ${words.length} columns, the header ${columns.length}`,
      "give every line one value per column",
      { line },
    );
    return undefined;
  }
  const before = findings.errors.length;
  const found: { [column in Column]?: number } = {};
  columns.forEach((column, i) => {
    if (column === undefined) return;
    const value = parseNumber(words[i]!);
    const [low, high] = RANGES[column];
    if (value !== undefined && value >= low && value <= high) found[column] = value;
    else
      findings.error(
        fileErrors.notNumber,
        `${quote(words[i]!)} in column ${i + 1}`,
        `use a number from ${low} to ${high}`,
        {
          line,
        },
      );
  });
  const { thrust = 0, advance = 0, efficiency, power } = found;
  if (findings.errors.length > before) return undefined;
  if (power === undefined && !(efficiency! > 0)) {
    findings.error(
      fileErrors.notNumber,
      "the power cannot be computed from this efficiency",
      "use an efficiency above 0, or give CP",
      {
        line,
      },
    );
    return undefined;
  }
  return {
    rpm: found.rpm ?? rpm ?? 0,
    advanceRatio: advance,
    thrustCoefficient: thrust,
    powerCoefficient: power ?? (thrust * advance) / efficiency!,
  };
}
