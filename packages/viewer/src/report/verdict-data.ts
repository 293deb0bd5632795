/** Verdicts in the form that a page holds: times in seconds, and no infinities, because JSON has none. */
import type { Verdict } from "@escapement/core";

export interface ReportVerdict extends Pick<Verdict, "name" | "text" | "verdict" | "severity" | "note"> {
  /** Absolute value of the margin, in `unit`; absent if it is infinite. */
  readonly margin?: number;
  readonly unit: string;
  readonly predicate?: string;
  /** Left-hand side of the predicate at `atS`, in `unit`; absent for a yes-or-no condition. */
  readonly value?: number;
  /** The instant that decides the verdict. */
  readonly atS?: number;
  /** The window that decides the verdict; the whole flight if absent. */
  readonly windowS?: readonly [from: number, to: number];
}

export function reportVerdict(verdict: Verdict, endUs: number): ReportVerdict {
  const { name, text, severity, note, binding, windowUs, low, high, unit } = verdict;
  const margin = unit === undefined ? (binding?.margin ?? Infinity) : verdict.verdict === "violated" ? high : low;
  return {
    name,
    text,
    severity,
    verdict: verdict.verdict,
    unit: unit ?? binding?.unit ?? "",
    ...(Number.isFinite(margin) ? { margin: Math.abs(margin) } : {}),
    ...(note === undefined ? {} : { note }),
    ...(binding === undefined ? {} : { predicate: binding.predicate, atS: binding.tUs / 1e6 }),
    ...(binding === undefined || !Number.isFinite(binding.margin) ? {} : { value: binding.value }),
    ...(windowUs === undefined
      ? {}
      : { windowS: [Math.max(0, windowUs[0]) / 1e6, Math.min(windowUs[1], endUs) / 1e6] as const }),
  };
}
