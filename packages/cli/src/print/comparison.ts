/** A comparison of integrators as text, CSV and JSON. */
import { COMPARED, type ComparedName, type ComparisonRow, type ReplayComparison, shownAs } from "@escapement/core";
import { renderTable, type Style } from "./style.ts";

const NAMES = Object.keys(COMPARED) as ComparedName[];

/** The columns on the terminal: title before the unit, quantity, measure. */
const SHOWN: readonly (readonly [title: string, name: ComparedName, measure: "max" | "rms" | "final"])[] = [
  ["position max", "position", "max"],
  ["rms", "position", "rms"],
  ["velocity", "velocity", "max"],
  ["attitude", "attitude", "max"],
  ["rate", "rate", "max"],
  ["rotor", "rotor", "max"],
  ["SOC final", "soc", "final"],
  ["V1", "v1", "max"],
];

interface ComparisonContext {
  readonly path: string;
  readonly endUs: number;
  readonly comparison: ReplayComparison;
  readonly style: Style;
}

export function comparisonText({ path, endUs, comparison, style }: ComparisonContext): string {
  const { rows, reference } = comparison;
  const columns = [
    { title: "integrator" },
    ...SHOWN.map(([title, name]) => ({ title: withUnit(title, shownAs(name).unit), right: true })),
    ...["evaluations", "rejected", "time"].map((title) => ({ title, right: true })),
  ];
  const ratios = timeRatios(comparison);
  const cells = rows.map((row, i) => [
    row.label,
    ...SHOWN.map(([, name, measure]) => shortNumber(row.errors[name]?.[measure], shownAs(name).factor)),
    String(row.evaluations),
    String(row.rejected),
    `${ratios[i]!.toFixed(1)}×`,
  ]);
  const head = style.quiet(`replaying ${path} (${(endUs / 1e6).toFixed(1)} s) against ${reference}`);
  const recorded = rows.filter(({ reproduces }) => reproduces).map(({ label }) => label);
  const note = recorded.length === 0 ? "" : `\n\n${recorded.join(", ")} gives the recorded bits`;
  return `${head}\n\n${renderTable(columns, cells, style)}${note}`;
}

function withUnit(title: string, unit: string): string {
  return unit === "1" ? title : `${title} ${unit}`;
}

/** Wall times relative to rk4, or to the first integrator if rk4 is not among them. */
export function timeRatios({ rows }: ReplayComparison): number[] {
  const base = (rows.find(({ label }) => /^rk4(?!\d)/.test(label)) ?? rows[0])?.wallS ?? 0;
  return rows.map(({ wallS }) => (base > 0 ? wallS / base : 1));
}

/** The beginning of a recording has no digest, so whether its bits were reproduced is unknown and left out. */
export function comparisonJson({ rows, reference }: ReplayComparison, hasDigest: boolean): string {
  const facts = rows.map(({ series: _series, reproduces, ...row }) => (hasDigest ? { ...row, reproduces } : row));
  return JSON.stringify({ reference, rows: facts }, null, 2);
}

/** Numbers have the shortest digits that round-trip. Wall time is left out, because it differs in every run. */
export function comparisonCsv({ rows, reference }: ReplayComparison): string {
  const measures = ["max", "rms", "final", "maxUs"] as const;
  const errors = NAMES.flatMap((name) => measures.map((measure) => ({ name, measure })));
  const head = ["integrator", ...errors.map(errorTitle), "evaluations", "accepted", "rejected"];
  const line = (row: ComparisonRow) => [
    quoted(row.label),
    ...errors.map(({ name, measure }) => row.errors[name]?.[measure] ?? ""),
    row.evaluations,
    row.accepted,
    row.rejected,
  ];
  return [`# reference = ${reference}`, head.join(","), ...rows.map((row) => line(row).join(",")), ""].join("\n");
}

const UNIT_ENDINGS: Readonly<Record<string, string>> = {
  m: "_m",
  "m/s": "_mps",
  rad: "_rad",
  "rad/s": "_radps",
  V: "_v",
};

function errorTitle({ name, measure }: { name: ComparedName; measure: string }): string {
  if (measure === "maxUs") return `${name}_max_us`;
  return `${name}_${measure}${UNIT_ENDINGS[COMPARED[name].unit] ?? ""}`;
}

function shortNumber(value: number | undefined, factor: number): string {
  if (value === undefined) return "—";
  const size = value * factor;
  if (size === 0) return "0";
  return size < 1e-3 ? size.toExponential(1) : size.toPrecision(3);
}

function quoted(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
