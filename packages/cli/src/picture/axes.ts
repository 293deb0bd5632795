/** Axes of a plot: round ticks, the mapping from values to pixels, and the grid. */
import { label, type Shape } from "./drawing.ts";

const FAINT = "#dddddd";

/** Returns the step between ticks: 1, 2 or 5 times a power of ten, so that a range has at most `maxSteps` steps. */
export function tickStep(range: number, maxSteps: number): number {
  if (!(range > 0)) return 1;
  const rough = range / maxSteps;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough * (1 - 1e-9)) ?? 10 * power;
}

export function ticks(low: number, high: number, maxSteps: number): number[] {
  const step = tickStep(high - low, maxSteps);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * step);
}

/** Formats a tick's value with only as many digits as the step needs. */
export function tickText(value: number, step: number): string {
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? (0).toFixed(decimals) : text;
}

export interface Scale {
  readonly low: number;
  readonly high: number;
  readonly toPixel: (value: number) => number;
}

export function scale(low: number, high: number, startPixel: number, endPixel: number): Scale {
  const span = high - low;
  return { low, high, toPixel: (value) => startPixel + ((value - low) / span) * (endPixel - startPixel) };
}

/** A scale with its ticks. */
interface Axis {
  readonly scale: Scale;
  readonly name: string;
  readonly ticks: readonly number[];
  readonly tickText: (value: number) => string;
}

/** Makes an axis with round ticks, at most `maxSteps` steps and thus at most `maxSteps + 1` ticks. */
export function linearAxis(of: Scale, name: string, maxSteps: number): Axis {
  const step = tickStep(of.high - of.low, maxSteps);
  return { scale: of, name, ticks: ticks(of.low, of.high, maxSteps), tickText: (value) => tickText(value, step) };
}

/** Makes an axis of base-10 logarithms with one tick per decade. */
export function decadeAxis(of: Scale, name: string): Axis {
  const decades = Array.from({ length: Math.floor(of.high) - Math.ceil(of.low) + 1 }, (_, i) => Math.ceil(of.low) + i);
  return { scale: of, name, ticks: decades, tickText: (value) => `1e${value}` };
}

export function grid(across: Axis, up: Axis): Shape[] {
  const [left, right] = [across.scale.toPixel(across.scale.low), across.scale.toPixel(across.scale.high)];
  const [bottom, top] = [up.scale.toPixel(up.scale.low), up.scale.toPixel(up.scale.high)];
  const horizontal = up.ticks.flatMap((value): Shape[] => {
    const at = up.scale.toPixel(value);
    return [
      { shape: "line", points: [left, at, right, at], colour: FAINT, width: 1 },
      label(left - 6, at + 4, up.tickText(value), 12, "end"),
    ];
  });
  const vertical = across.ticks.flatMap((value): Shape[] => {
    const at = across.scale.toPixel(value);
    return [
      { shape: "line", points: [at, top, at, bottom], colour: FAINT, width: 1 },
      label(at, bottom + 16, across.tickText(value), 12, "middle"),
    ];
  });
  return [
    ...horizontal,
    ...vertical,
    label((left + right) / 2, bottom + 38, across.name, 13, "middle"),
    label(left, top - 8, up.name, 13, "start"),
  ];
}
