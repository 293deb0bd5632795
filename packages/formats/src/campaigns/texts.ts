/** Texts about the flights of a campaign, shared by the terminal, the page and the JUnit report. */
import type { JsonNumber } from "./plain-numbers.ts";
import type { ManifestKey, VariedValue } from "./row.ts";
import type { CriterionSummary, FlightMargin, RequirementProbability } from "./summary.ts";

/** Formats a number with about three significant digits. Very small and very large numbers get an exponent. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return value.toExponential(2);
  const decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 || size === 0 ? 2 : 3;
  return value.toFixed(decimals);
}

/**
 * Formats a probability as a percentage without the % sign, with at least two significant digits of its distance from
 * 0 or 100.
 */
export function percentNumber(probability: number): string {
  const rest = Math.min(probability, 1 - probability);
  const decimals = rest > 0 && rest < 0.01 ? Math.min(12, Math.ceil(-Math.log10(rest)) - 1) : 1;
  return (100 * probability).toFixed(decimals);
}

/**
 * Formats a probability with its interval, e.g. "P = 98.8 % (97.7 … 99.4)". If all flights have the same verdict, only
 * the bound is shown: "P ≥ 99.5 %". Without verdicts, the probability is unknown.
 */
export function probabilityText({ value, low, high }: Omit<RequirementProbability, "confidence">): string {
  if (low === 0 && high === 1) return "P unknown";
  if (high === 1 && value === 1) return `P ≥ ${percentNumber(low)} %`;
  if (low === 0 && value === 0) return `P ≤ ${percentNumber(high)} %`;
  return `P = ${percentNumber(value)} %  (${percentNumber(low)} … ${percentNumber(high)})`;
}

export function withUnit(text: string, unit: string): string {
  return unit === "" ? text : `${text} ${unit}`;
}

/** Formats the estimate of a criterion with its interval: `97.9 %  (96.8 … 98.7)`; empty if it has none. */
export function estimateText({
  estimate,
  low,
  high,
  isProbability,
  unit,
}: Pick<CriterionSummary, "estimate" | "low" | "high" | "isProbability" | "unit">): string {
  const number = (value: number | null) =>
    value === null ? "…" : isProbability ? percentNumber(value) : shortNumber(value);
  const value = estimate === null ? "" : withUnit(number(estimate), isProbability ? "%" : unit);
  return low === null && high === null ? value : `${value}  (${number(low)} … ${number(high)})`;
}

/** Formats a verdict with its margin, e.g. "violated by 2.00 m at 33.412 s". A yes-or-no condition has no margin. */
export function marginText(
  verdict: string,
  { margin, unit, atS }: Pick<FlightMargin, "margin" | "unit" | "atS">,
): string {
  const by = typeof margin === "number" ? ` by ${withUnit(shortNumber(Math.abs(margin)), unit)}` : "";
  return `${verdict}${by}${atS === null ? "" : ` at ${atS.toFixed(3)} s`}`;
}

/** Formats a signed margin for a table, e.g. "−2.00 m". */
export function signedMargin(margin: JsonNumber, unit: string): string {
  if (typeof margin !== "number") return margin === "inf" ? "∞" : "−∞";
  return withUnit(shortNumber(margin).replace("-", "−"), unit);
}

/** Lists the varied values as flown, with every digit. */
export function variedText(keys: readonly ManifestKey[], values: readonly VariedValue[]): string {
  return keys.map(({ key, unit }, i) => `${key} = ${withUnit(String(values[i]), unit)}`).join(", ");
}

interface FlightCommands {
  readonly fly: string;
  readonly view: string;
  readonly branch: string;
  readonly shrink: string;
}

/** Returns commands that fly, show, branch or shrink flight k; `atS` is the instant to branch at. */
export function flightCommands(file: string, k: number, atS: number): FlightCommands {
  const flight = quote(`${file}#${k}`);
  return {
    fly: `escapement fly ${flight} --record flight-${k}.mcap`,
    view: `escapement view ${flight}`,
    branch: `escapement branch ${flight} --at ${atS}`,
    shrink: `escapement shrink ${flight}`,
  };
}

/**
 * Returns where to find a flight with stock PX4, which cannot be flown again. Only flights that violate a requirement
 * are recorded, on the machine and in the folder in which they are flown.
 */
export function unrepeatableText(k: number, isViolated: boolean): string {
  return isViolated
    ? `not repeatable; recorded in flights/${k}.mcap where it was flown`
    : "not repeatable, and not recorded";
}

/** Quotes a word for a shell if necessary. A "#" inside a word does not start a comment. */
function quote(word: string): string {
  return /^[\w@%+=:,./-][\w@%+=:,./#-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
