/** Formats a comparison of integrators as text, CSV and JSON. */
import { COMPARED, type ComparedName, type ComparisonRow, type ReplayComparison, displayUnit } from "@escapement/core";
import { renderTable, type Style, wrap } from "./style.ts";

const NAMES = Object.keys(COMPARED) as ComparedName[];

/** The columns on the terminal: title without unit, compared quantity, and measure of its error. */
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

/** How the recording was replayed. */
export interface ComparisonScope {
  readonly path: string;
  readonly loop: "open" | "closed";
  readonly endUs: number;
  /** End of the whole recording. */
  readonly recordedUs: number;
  /** Set if the comparison ends because the reference is then this far from the recorded path. */
  readonly leftPathM?: number;
}

export function comparisonText(
  scope: ComparisonScope,
  comparison: ReplayComparison,
  style: Style,
  maxColumns: number,
): string {
  const { rows, reference } = comparison;
  const columns = [
    { title: "integrator" },
    ...SHOWN.map(([title, name]) => ({ title: withUnit(title, displayUnit(name).unit), right: true })),
    ...["evaluations", "rejected", "time"].map((title) => ({ title, right: true })),
  ];
  const ratios = timeRatios(comparison);
  const cells = rows.map((row, i) => [
    row.label,
    ...SHOWN.map(([, name, measure]) => shortNumber(row.errors[name]?.[measure], displayUnit(name).factor)),
    String(row.evaluations),
    String(row.rejected),
    `${ratios[i]!.toFixed(1)}×`,
  ]);
  const { path, loop, endUs, recordedUs } = scope;
  const span = endUs < recordedUs ? `first ${secondsText(endUs)} of ${secondsText(recordedUs)}` : secondsText(endUs);
  const head = wrap(`${path}, ${span}, ${loop} loop, reference ${integratorText(reference)}`, maxColumns, "", 0);
  const recorded = rows.filter(({ reproduces }) => reproduces).map(({ label }) => label);
  const notes = [
    ...(recorded.length === 0 ? [] : [`${recorded.join(", ")} reproduces the recorded bits`]),
    scopeNote(scope),
  ].map((note) => wrap(note, maxColumns, "", 0));
  return [style.strong(head), renderTable(columns, cells, style, maxColumns), ...notes].join("\n\n");
}

/** Formats an integrator as it was given to a flag: `rk45:toleranceScale=0.1` becomes `rk45 (toleranceScale = 0.1)`. */
function integratorText(flag: string): string {
  const [kind, settings] = flag.split(":", 2);
  if (settings === undefined) return flag;
  return `${kind} (${settings.split(",").join(", ").replaceAll("=", " = ")})`;
}

/** Explains what an error in the table means. */
function scopeNote({ loop, endUs, leftPathM }: ComparisonScope): string {
  if (loop === "closed") {
    return "closed loop: sensors, estimator and autopilot run live and correct part of each error; wind and scenario are replayed.";
  }
  const open =
    "open loop: the recorded commands are replayed, nothing corrects an error, and every error grows with time.";
  if (leftPathM === undefined) return `${open} --closed-loop flies with the autopilot live.`;
  return (
    `${open} The comparison ends at ${secondsText(endUs)}: after that, the reference is more than ${leftPathM * 100} cm ` +
    "from the recorded path, and errors show the instability of the uncontrolled vehicle. " +
    "--until sets a different end; --closed-loop flies with the autopilot live."
  );
}

function secondsText(tUs: number): string {
  return `${(tUs / 1e6).toFixed(1)} s`;
}

function withUnit(title: string, unit: string): string {
  return unit === "1" ? title : `${title} ${unit}`;
}

/** Returns wall times relative to rk4, or to the first integrator if rk4 is not among them. */
export function timeRatios({ rows }: ReplayComparison): number[] {
  const baselineS = (rows.find(({ label }) => /^rk4(?!\d)/.test(label)) ?? rows[0])?.wallS ?? 0;
  return rows.map(({ wallS }) => (baselineS > 0 ? wallS / baselineS : 1));
}

/**
 * Formats as JSON. Wall times are separate from the results, so that the results of two runs are equal. If only the
 * beginning of the recording was compared, it has no digest, so `reproduces` is left out.
 */
export function comparisonJson(
  scope: ComparisonScope,
  { rows, reference }: ReplayComparison,
  hasDigest: boolean,
): string {
  const facts = rows.map(({ series: _series, wallS: _wallS, reproduces, ...row }) =>
    hasDigest ? { ...row, reproduces } : row,
  );
  const { path, loop, endUs, recordedUs } = scope;
  const head = { recording: path, loop, endS: endUs / 1e6, recordedS: recordedUs / 1e6, reference };
  const timing = { rows: rows.map(({ label, wallS }) => ({ label, wallS })) };
  return JSON.stringify({ ...head, rows: facts, timing }, null, 2);
}

/** Formats as CSV. Numbers have the fewest digits that round-trip. Wall times are left out, because they vary. */
export function comparisonCsv({ rows, reference }: ReplayComparison): string {
  const measures = ["max", "rms", "final", "maxUs"] as const;
  const errors = NAMES.flatMap((name) => measures.map((measure) => ({ name, measure })));
  const head = ["integrator", ...errors.map(errorTitle), "evaluations", "accepted", "rejected"];
  const line = (row: ComparisonRow) => [
    quote(row.label),
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

function quote(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
