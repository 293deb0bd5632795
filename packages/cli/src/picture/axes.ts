/** Axes of a plot: round ticks, and the mapping from values to pixels. */

/** The step between ticks: one, two or five times a power of ten, so that a range has at most `most` ticks. */
export function tickStep(range: number, most: number): number {
  if (!(range > 0)) return 1;
  const rough = range / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough * (1 - 1e-9)) ?? 10 * power;
}

export function ticks(low: number, high: number, most: number): number[] {
  const step = tickStep(high - low, most);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * step);
}

/** A tick's value with only as many digits as the step needs. */
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

export function scale(low: number, high: number, fromPixel: number, toPixel: number): Scale {
  const span = high - low;
  return { low, high, toPixel: (value) => fromPixel + ((value - low) / span) * (toPixel - fromPixel) };
}
