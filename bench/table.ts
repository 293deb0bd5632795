/**
 * Formats the table of results: one line per row, with its limit. The screen and the docs use the same cells.
 */
import type { Limit, Divisor, Reading, Row } from "./rows/row.ts";

const HEADS = [
  "row",
  "time",
  "kernel",
  "C++ -O2",
  "-O3 native",
  "emitted",
  "base",
  "real time",
  "limit",
  "met",
] as const;
/** The last two columns. */
const LIMITS_FROM = 8;
const DIVISORS: readonly Divisor[] = ["kernel", "cppO2", "cppO3", "emitted", "base"];
const DIVISOR_NAMES: Readonly<Record<Divisor | "value", string>> = {
  kernel: "kernel",
  cppO2: "C++ -O2",
  cppO3: "-O3 native",
  emitted: "emitted",
  base: "base",
  value: "",
};

/** Returns whether a reading meets the row's limit, or why it is not valid, as text. */
export function verdict({ limit, realTimeGoal }: Row, reading: Reading): string {
  if (reading.differs === true) return "differs";
  const parts: string[] = [];
  if (limit !== undefined) {
    const found = limit.of === "value" ? reading.value : reading.ratios[limit.of];
    if (found === undefined) parts.push("no compiler");
    else if (found > limit.max) parts.push("no");
    else parts.push(limit.ideal !== undefined && found <= limit.ideal ? "yes, ideal" : "yes");
  }
  if (realTimeGoal !== undefined && reading.realTime !== undefined && reading.realTime < realTimeGoal)
    parts.push("goal: no");
  return parts.join(", ");
}

function limitText({ limit, realTimeGoal, unit }: Row): string {
  const goal = realTimeGoal === undefined ? "" : `goal ${realTimeGoal} ×`;
  return [limit === undefined ? "" : textOfLimit(limit, unit), goal].filter((part) => part !== "").join(", ");
}

/** Returns what was found, and the limit or goal that it misses, as text. */
function missText(row: Row, reading: Reading): string {
  if (reading.differs === true) return "differs";
  const of = row.limit?.of ?? "value";
  if (of !== "value" && reading.ratios[of] === undefined) return "no compiler";
  const found = of === "value" ? valueText(reading.value, row.unit) : reading.ratios[of]!.toFixed(2);
  const realTime = row.realTimeGoal === undefined ? "" : `, ${reading.realTime?.toFixed(0)} × real time`;
  return `${found}${realTime} (${limitText(row)})`;
}

function textOfLimit({ of, max, ideal }: Limit, unit: Row["unit"]): string {
  const limit = Number(max.toPrecision(4));
  const text = of === "value" ? `≤ ${limit} ${unit}` : `≤ ${limit} × ${DIVISOR_NAMES[of]}`;
  return ideal === undefined ? text : `${text} (ideal ${ideal})`;
}

function valueText(value: number, unit: Row["unit"]): string {
  if (unit === "bytes") return `${value.toFixed(2)} bytes`;
  return `${value < 100 ? value.toFixed(1) : value.toFixed(0)} ${unit}`;
}

function cells(row: Row, reading: Reading): string[] {
  const { ratios, realTime, value } = reading;
  return [
    row.name,
    valueText(value, row.unit),
    ...DIVISORS.map((key) => (ratios[key] === undefined ? "" : ratios[key].toFixed(2))),
    realTime === undefined ? "" : `${realTime.toFixed(0)} ×`,
    limitText(row),
    verdict(row, reading),
  ];
}

function lines(rows: readonly Row[], readings: readonly Reading[]): string[][] {
  return rows.flatMap((row) => {
    const reading = readings.find((each) => each.row === row.name);
    return reading === undefined ? [] : [cells(row, reading)];
  });
}

/** Formats the table for the terminal; a short run has no limits. */
export function screenTable(rows: readonly Row[], readings: readonly Reading[], hasLimits = true): string {
  const shown = hasLimits ? HEADS.length : LIMITS_FROM;
  const all = [[...HEADS], ...lines(rows, readings)].map((line) => line.slice(0, shown));
  const widths = all[0]!.map((_, i) => Math.max(...all.map((line) => line[i]!.length)));
  const text = (line: string[]) =>
    line
      .map((cell, i) => (i === 0 || i >= LIMITS_FROM ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join("  ")
      .trimEnd();
  return all.map(text).join("\n");
}

export function markdownTable(rows: readonly Row[], readings: readonly Reading[]): string {
  const text = (line: readonly string[]) => `| ${line.join(" | ")} |`;
  const rule = `|---|${"---:|".repeat(7)}---|---|`;
  return [text(HEADS), rule, ...lines(rows, readings).map(text)].join("\n");
}

export function missedLimits(rows: readonly Row[], readings: readonly Reading[]): string[] {
  return rows.flatMap((row) => {
    const reading = readings.find((each) => each.row === row.name);
    const text = reading === undefined ? "" : verdict(row, reading);
    return /\bno\b|differs/.test(text) ? [`${row.name}: ${missText(row, reading!)}`] : [];
  });
}
