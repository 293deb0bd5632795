/** Formats verdicts as text and as JSON. */
import type { Verdict } from "@escapement/core";
import { joinParts, padEnd, type Style, width, wrap } from "./style.ts";

const MAX_NAME_COLUMNS = 40;

/** Returns one line per verdict, and below it the text of a requirement that has a name, and notes. */
export function verdictLines(verdicts: readonly Verdict[], style: Style, columns: number): string[] {
  const widest = Math.min(MAX_NAME_COLUMNS, Math.max(0, ...verdicts.map(({ name }) => width(name))));
  return verdicts.flatMap((verdict) => {
    const { name, text } = verdict;
    const paint = verdict.verdict === "violated" ? style.trouble : (plain: string) => plain;
    const parts = [padEnd(name, widest), paint(resultText(verdict)), bindingText(verdict)];
    const line = `  ${joinParts(parts, columns - 2, "    ")}`;
    const below = [...(name === text ? [] : [text]), ...(verdict.note === undefined ? [] : [verdict.note])];
    return [line, ...below.map((more) => `    ${style.quiet(wrap(more, columns, "      ", 4))}`)];
  });
}

/** Formats a verdict in one line: `violated by 2 m   altitude > 2 m at 33.412 s (was 0 m)`. */
export function verdictText(verdict: Verdict): string {
  return [resultText(verdict), bindingText(verdict)].filter((part) => part !== "").join("   ");
}

/** Formats the margin of a verdict with its unit: `2 m`. */
export function marginText({ verdict, low, high, unit, binding }: Verdict): string {
  const margin = unit === undefined ? (binding?.margin ?? NaN) : verdict === "violated" ? high : low;
  return `${numberText(Math.abs(margin))} ${unit ?? binding?.unit ?? ""}`.trim();
}

/** Formats the verdict and its margin: `violated by 2.00 m`, `holds by 12.4 deg`, `holds`. */
function resultText(given: Verdict): string {
  const { verdict, low, high, unit, binding, mustOccur, note } = given;
  if (verdict === "untested") return mustOccur ? "untested, which counts as violated" : "untested";
  if (verdict === "undecided") return note === undefined ? "undecided: the flight ended too early" : "undecided";
  const margin = unit === undefined ? (binding?.margin ?? NaN) : verdict === "violated" ? high : low;
  return Number.isFinite(margin) ? `${verdict} by ${marginText(given)}` : verdict;
}

function bindingText({ binding, verdict }: Verdict): string {
  if (binding === undefined) return "";
  const at = `at ${(binding.tUs / 1e6).toFixed(3)} s`;
  if (verdict === "holds") return at;
  const was = Number.isFinite(binding.margin) ? ` (was ${`${numberText(binding.value)} ${binding.unit}`.trim()})` : "";
  return `${binding.predicate} ${at}${was}`;
}

function numberText(value: number): string {
  return Math.abs(value) >= 1e-3 && Math.abs(value) < 1e6 ? String(Number(value.toPrecision(3))) : value.toPrecision(3);
}

/** Returns a verdict for JSON. Infinities and −0 are strings, because `JSON.stringify` cannot represent them. */
export function verdictFacts(verdict: Verdict): object {
  const { low, high, scaledLow, scaledHigh, binding, unit, ...rest } = verdict;
  return {
    ...rest,
    unit: unit ?? null,
    low: exact(low),
    high: exact(high),
    scaledLow: exact(scaledLow),
    scaledHigh: exact(scaledHigh),
    binding: binding === undefined ? null : { ...binding, margin: exact(binding.margin) },
  };
}

function exact(value: number): number | string {
  if (Object.is(value, -0)) return "-0";
  return Number.isFinite(value) ? value : value > 0 ? "inf" : "-inf";
}
