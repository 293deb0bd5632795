/**
 * Writes docs/validation.md, which states how accurate the models are, its plots, and docs/validation-rows.md with
 * every number behind it.
 *
 * Both are generated from the rows that the tests check against their tolerances, so every claim is checked.
 */
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { GROUPS, MAX_LISTED, type ValidationGroup } from "../tests/validation/groups.ts";
import { validationRows } from "../tests/validation/index.ts";
import { validationPlots } from "../tests/validation/plots.ts";
import { BASES, type Basis, isWithin, type ValidationRow } from "../tests/validation/row.ts";
import { linePlotSvg } from "./line-plot.ts";

export const VALIDATION_PAGE = "docs/validation.md";
export const VALIDATION_ROWS_PAGE = "docs/validation-rows.md";

const PLOTS = validationPlots();

/** Returns the plots as files: path and text. */
export function plotFiles(): (readonly [path: string, text: string])[] {
  return Object.entries(PLOTS).map(([name, plot]) => [`docs/pictures/${name}.svg`, linePlotSvg(plot)]);
}

/** Returns the page, by group: what is compared, the result, and what is not modelled. */
export function validationPage(rows: readonly ValidationRow[]): string {
  return [
    "# Validation",
    "",
    "This page shows how accurate the models are, grouped by use. Each row compares a number from a source with our number.",
    "`npm run docs` generates this page from the rows that the tests check; [validation-rows.md](validation-rows.md) lists every row.",
    "",
    `This page compares ${rows.length} numbers from ${new Set(rows.map(({ source }) => source)).size} sources. The tolerance is the largest difference that is allowed: the uncertainty`,
    "of a published number, half the width of a published range, or, for theory and other simulators, rounding or a numerical error.",
    "*Share* is the difference as a fraction of the tolerance. The basis of a comparison is",
    "",
    ...Object.entries(BASES).map(([basis, about]) => `- **${basis}**: ${about}`),
    "",
    ...summaryTable(rows),
    "",
    ...GROUPS.flatMap((group) => groupSection(group, rows)),
  ].join("\n");
}

function summaryTable(rows: readonly ValidationRow[]): string[] {
  const cells = GROUPS.map((group) => {
    const own = rowsOf(group, rows);
    const counts = (Object.keys(BASES) as Basis[]).map((basis) => own.filter((row) => basisOf(row) === basis).length);
    const outside = own.filter((row) => !isWithin(row)).length;
    const verdict =
      own.length === 0
        ? "not compared"
        : outside === 0
          ? "all within"
          : `${own.length - outside} within, ${outside} outside`;
    return [
      `[${group.title}](#${anchorOf(group.title)})`,
      ...counts.map((count) => (count === 0 ? "" : String(count))),
      verdict,
    ];
  });
  return [
    `| group | ${Object.keys(BASES).join(" | ")} | verdict |`,
    `|---|${Object.keys(BASES)
      .map(() => "---:")
      .join("|")}|---|`,
    ...cells.map(tableLine),
  ];
}

function groupSection(group: ValidationGroup, rows: readonly ValidationRow[]): string[] {
  const own = rowsOf(group, rows);
  return [
    `## ${group.title}`,
    "",
    group.lead,
    "",
    ...(group.plots ?? []).flatMap((name) => [`![${PLOTS[name]!.title}](pictures/${name}.svg)`, ""]),
    ...(own.length === 0 ? [] : [...comparisonTable(group, own), ""]),
    ...outsideLines(own),
    ...(group.extra === undefined ? [] : [...group.extra(), ""]),
    ...(group.missing.length === 0
      ? []
      : ["Not modelled or not compared:", "", ...group.missing.map((text) => `- ${text}`), ""]),
  ];
}

/** Returns the reasons why rows are outside their tolerances, each with its rows. */
function outsideLines(rows: readonly ValidationRow[]): string[] {
  const reasons = [...new Set(rows.flatMap(({ outside }) => outside ?? []))];
  const lines = reasons.map((reason) => {
    const names = rows.filter(({ outside }) => outside === reason).map(({ quantity }) => quantity);
    return `- Outside: ${names.join("; ")}. Reason: ${reason}.`;
  });
  return lines.length === 0 ? [] : [...lines, ""];
}

/**
 * Lists every row of a short area. For a long area, and in a brief group, lists only one row per source: the row that
 * uses the largest share of its tolerance.
 */
function comparisonTable(group: ValidationGroup, rows: readonly ValidationRow[]): string[] {
  const sources = [...new Set(rows.map(({ source }) => source))];
  const cells = (row: ValidationRow, quantity: string) => [
    ...cellsOf(row, quantity),
    String(1 + sources.indexOf(row.source)),
  ];
  const lines = group.areas.flatMap((area) => {
    const areaRows = rows.filter((row) => row.area === area);
    if (group.isBrief !== true && areaRows.length <= MAX_LISTED) return areaRows.map((row) => cells(row, row.quantity));
    return [...new Set(areaRows.map(({ source }) => source))].map((source) => {
      const sourceRows = areaRows.filter((row) => row.source === source);
      const worst = sourceRows.reduce((a, b) => (shareOf(b) > shareOf(a) ? b : a));
      return cells(worst, `${area}: ${sourceRows.length} numbers; the one with the largest share is ${worst.quantity}`);
    });
  });
  return [
    "| quantity | unit | basis | compared with | ours | tolerance | share | verdict | source |",
    "|---|---|---|---:|---:|---:|---:|---|---:|",
    ...lines.map(tableLine),
    "",
    "Sources:",
    "",
    ...sources.map((source, i) => `${i + 1}. ${source}`),
  ];
}

function cellsOf(row: ValidationRow, quantity: string): string[] {
  const { unit, published, ours, tolerance } = row;
  const share = tolerance === 0 ? "exact" : `${(100 * shareOf(row)).toFixed(0)} %`;
  const numbers = [comparable(published, tolerance), comparable(ours, tolerance), `±${digits(tolerance, 2)}`];
  return [quantity, unit, basisOf(row), ...numbers, share, isWithin(row) ? "within" : "**outside**"];
}

/** Returns a number with the digits that matter for a tolerance, at most eight. */
function comparable(value: number, tolerance: number): string {
  if (tolerance === 0) return digits(value, 8);
  const decimals = Math.min(100, Math.max(0, 2 + Math.floor(-Math.log10(tolerance))));
  return digits(Number(value.toFixed(decimals)), 8);
}

function basisOf({ basis = "published" }: ValidationRow): Basis {
  return basis;
}

/** Returns the difference as a fraction of the tolerance. */
function shareOf({ published, ours, tolerance }: ValidationRow): number {
  return tolerance === 0 ? 0 : Math.abs(ours - published) / tolerance;
}

/** Returns the appendix with every row. */
export function validationRowsPage(rows: readonly ValidationRow[]): string {
  return [
    "# Every number of the validation",
    "",
    "This page lists all rows behind [validation.md](validation.md). The difference is our number minus the number that it is compared",
    "with. Numbers are printed to twelve digits.",
    "",
    ...GROUPS.flatMap((group) => [
      `## ${group.title}`,
      "",
      ...group.areas.flatMap((area) =>
        areaTables(
          area,
          rows.filter((row) => row.area === area),
        ),
      ),
    ]),
  ].join("\n");
}

function areaTables(area: string, rows: readonly ValidationRow[]): string[] {
  const sources = [...new Set(rows.map(({ source }) => source))];
  return [
    `### ${area}`,
    "",
    ...sources.flatMap((source) => [
      `Source: ${source}`,
      "",
      "| quantity | unit | compared with | ours | difference | tolerance |",
      "|---|---|---:|---:|---:|---:|",
      ...rows
        .filter((row) => row.source === source)
        .map(({ quantity, published, ours, tolerance, unit }) =>
          tableLine([
            quantity,
            unit,
            digits(published),
            digits(ours),
            digits(ours - published, 3),
            digits(tolerance, 3),
          ]),
        ),
      "",
    ]),
  ];
}

function rowsOf({ areas }: ValidationGroup, rows: readonly ValidationRow[]): ValidationRow[] {
  return areas.flatMap((name) => rows.filter(({ area }) => area === name));
}

function anchorOf(title: string): string {
  return title.toLowerCase().replaceAll(" ", "-");
}

function tableLine(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function digits(value: number, count = 12): string {
  return String(Number(value.toPrecision(count)));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const rows = validationRows();
  writeFileSync(VALIDATION_PAGE, validationPage(rows));
  writeFileSync(VALIDATION_ROWS_PAGE, validationRowsPage(rows));
  for (const [path, text] of plotFiles()) writeFileSync(path, text);
}
