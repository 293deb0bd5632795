/**
 * Formats the table of results: one line per row, with its bar. The screen and the docs use the same cells.
 */
import type { Bar, Divisor, Reading, Row } from "./rows/row.ts";

const HEADS = ["row", "time", "kernel", "C++ -O2", "-O3 native", "emitted", "base", "real time", "bar", "met"] as const;
/** The last two columns. */
const BARS_FROM = 8;
const DIVISORS: readonly Divisor[] = ["kernel", "cppO2", "cppO3", "emitted", "base"];
const DIVISOR_NAMES: Readonly<Record<Divisor | "value", string>> = {
  kernel: "kernel",
  cppO2: "C++ -O2",
  cppO3: "-O3 native",
  emitted: "emitted",
  base: "base",
  value: "",
};

/** Returns whether a reading meets the row's bar, or why it does not count, as text. */
export function verdict({ bar, realTimeGoal }: Row, reading: Reading): string {
  if (reading.differs === true) return "differs";
  const parts: string[] = [];
  if (bar !== undefined) {
    const found = bar.of === "value" ? reading.value : reading.ratios[bar.of];
    if (found === undefined) parts.push("no compiler");
    else if (found > bar.most) parts.push("no");
    else parts.push(bar.moonshot !== undefined && found <= bar.moonshot ? "yes, moonshot" : "yes");
  }
  if (realTimeGoal !== undefined && reading.realTime !== undefined && reading.realTime < realTimeGoal)
    parts.push("goal: no");
  return parts.join(", ");
}

function barText({ bar, realTimeGoal, unit }: Row): string {
  const goal = realTimeGoal === undefined ? "" : `goal ${realTimeGoal} ×`;
  return [bar === undefined ? "" : ofBar(bar, unit), goal].filter((part) => part !== "").join(", ");
}

function ofBar({ of, most, moonshot }: Bar, unit: Row["unit"]): string {
  const limit = of === "value" ? `≤ ${most} ${unit}` : `≤ ${most} × ${DIVISOR_NAMES[of]}`;
  return moonshot === undefined ? limit : `${limit} (moonshot ${moonshot})`;
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
    barText(row),
    verdict(row, reading),
  ];
}

function lines(rows: readonly Row[], readings: readonly Reading[]): string[][] {
  return rows.flatMap((row) => {
    const reading = readings.find((each) => each.row === row.name);
    return reading === undefined ? [] : [cells(row, reading)];
  });
}

/** Formats the table for the terminal; a short run has no bars. */
export function screenTable(rows: readonly Row[], readings: readonly Reading[], hasBars = true): string {
  const shown = hasBars ? HEADS.length : BARS_FROM;
  const all = [[...HEADS], ...lines(rows, readings)].map((line) => line.slice(0, shown));
  const widths = all[0]!.map((_, i) => Math.max(...all.map((line) => line[i]!.length)));
  const text = (line: string[]) =>
    line
      .map((cell, i) => (i === 0 || i >= BARS_FROM ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join("  ")
      .trimEnd();
  return all.map(text).join("\n");
}

export function markdownTable(rows: readonly Row[], readings: readonly Reading[]): string {
  const text = (line: readonly string[]) => `| ${line.join(" | ")} |`;
  const rule = `|---|${"---:|".repeat(7)}---|---|`;
  return [text(HEADS), rule, ...lines(rows, readings).map(text)].join("\n");
}

export function missedBars(rows: readonly Row[], readings: readonly Reading[]): string[] {
  return rows.flatMap((row) => {
    const reading = readings.find((each) => each.row === row.name);
    const text = reading === undefined ? "" : verdict(row, reading);
    return /\bno\b|differs/.test(text) ? [`${row.name}: ${text}`] : [];
  });
}
