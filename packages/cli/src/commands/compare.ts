/** `escapement compare`: one recording, several integrators against a reference; table, CSV and picture. */
import { writeFileSync } from "node:fs";
import type { Command } from "commander";
import { COMPARED, type ComparedName, type ComparisonRow, compareReplays, type ReplayComparison, type Variant } from "@escapement/core";
import { loadRecording } from "../load/recording-files.ts";
import { comparisonSvg } from "../print/comparison-svg.ts";
import { styleFor } from "../print/style.ts";
import { renderTable } from "../print/table.ts";
import { registry } from "../registry.ts";
import { integratorOf } from "./replay.ts";

interface CompareFlags {
  readonly with: readonly string[];
  readonly reference: string;
  readonly csv?: string;
  readonly picture?: string;
  readonly json?: true;
}

const USUAL = ["euler", "rk23", "rk4", "rk45"];

export function addCompare(program: Command): void {
  program
    .command("compare")
    .description("replay a recording with several integrators and compare them with a reference")
    .argument("<recording>", "an .mcap file written by fly --record")
    .option("--with <integrator>", "an integrator to compare (repeatable); the four usual ones when left out", collect, [])
    .option("--reference <integrator>", "what they are compared with", "rk45:toleranceScale=0.0001")
    .option("--csv <file>", "write the table as CSV")
    .option("--picture <file.svg>", "draw the position errors over time")
    .option("--json", "print as JSON")
    .addHelpText("after", "\nExamples:\n  escapement compare flight.mcap\n  escapement compare flight.mcap --with rk4 --with rk45:toleranceScale=0.1 --csv errors.csv")
    .action(async (path: string, flags: CompareFlags) => {
      const { recording } = await loadRecording(path);
      const labels = flags.with.length > 0 ? flags.with : USUAL;
      const comparison = compareReplays(recording, {
        variants: labels.map(variantOf),
        reference: variantOf(flags.reference),
        now: () => Number(process.hrtime.bigint()) / 1e9,
      });
      if (flags.csv !== undefined) writeFileSync(flags.csv, comparisonCsv(comparison));
      if (flags.picture !== undefined) writeFileSync(flags.picture, comparisonSvg(comparison));
      process.stdout.write(flags.json === true ? `${comparisonJson(comparison)}\n` : `${comparisonText(path, recording.endUs, comparison)}\n`);
    });
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

function variantOf(label: string): Variant {
  return { label, options: { registry, integrator: integratorOf(label) } };
}

const NAMES = Object.keys(COMPARED) as ComparedName[];

function comparisonText(path: string, endUs: number, { rows, reference }: ReplayComparison): string {
  const columns = [
    { title: "integrator" },
    ...NAMES.map((name) => ({ title: `${name} max (${COMPARED[name].unit})`, right: true })),
    { title: "position rms", right: true },
    { title: "evaluations", right: true },
    { title: "rejected", right: true },
    { title: "time", right: true },
  ];
  const base = rows.find(({ label }) => label.startsWith("rk4") && !label.startsWith("rk45"))?.wallS ?? rows[0]?.wallS ?? 1;
  const cells = rows.map((row) => [
    row.label,
    ...NAMES.map((name) => row.errors[name]?.max.toPrecision(3) ?? "—"),
    row.errors.position?.rms.toPrecision(3) ?? "—",
    String(row.evaluations),
    String(row.rejected),
    `${(row.wallS / base).toFixed(1)}×`,
  ]);
  const head = `  replaying ${path} (${(endUs / 1e6).toFixed(1)} s) against ${reference}\n`;
  return `${head}\n${renderTable(columns, cells, styleFor(process.stdout, process.env))}`;
}

function comparisonJson({ rows, reference }: ReplayComparison): string {
  return JSON.stringify({ reference, rows: rows.map(({ series: _series, ...row }) => row) }, null, 2);
}

/** Shortest round-trip digits; wall time is left out, because it is never twice the same. */
function comparisonCsv({ rows, reference }: ReplayComparison): string {
  const measures = ["max", "rms", "final", "maxUs"] as const;
  const head = ["integrator", ...NAMES.flatMap((name) => measures.map((measure) => `${name}_${measure}`)), "evaluations", "accepted", "rejected"];
  const line = (row: ComparisonRow) =>
    [quoted(row.label), ...NAMES.flatMap((name) => measures.map((measure) => row.errors[name]?.[measure] ?? "")), row.evaluations, row.accepted, row.rejected].join(",");
  return [`# reference = ${reference}`, head.join(","), ...rows.map(line), ""].join("\n");
}

function quoted(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
