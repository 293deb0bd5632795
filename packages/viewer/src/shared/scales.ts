/** Ranges and tick labels of the value axes. */

/** Minimum span in the unit of the plot, so that a value that varies by less looks flat. */
const MIN_SPAN = 0.02;
/** Span of a plot that contains only one value. */
const ZERO_SPAN = 1e-9;

/** Returns a range with a margin above and below the values; it is never empty. */
export function paddedRange(low: number | null, high: number | null, minSpan = MIN_SPAN): [number, number] {
  const [from, to] = [low ?? 0, high ?? 1];
  const missing = (Math.max(minSpan, ZERO_SPAN) - (to - from)) / 2;
  const room = Math.max(0.08 * (to - from), 1e-3 * Math.max(Math.abs(from), Math.abs(to)), missing);
  return [from - room, to + room];
}

/** If the step is smaller than this, numbers are written in scientific notation to save space. */
const MIN_PLAIN_STEP = 1e-3;

/**
 * Formats tick labels with at most four decimals, or three significant digits if the step is small. uPlot passes its
 * plot.
 */
export function stepTexts(_plot: unknown, steps: readonly number[]): string[] {
  const step = steps.length < 2 ? 1 : Math.abs(steps[1]! - steps[0]!);
  return steps.map((value) => stepText(value, step));
}

function stepText(value: number, step: number): string {
  // uPlot computes ticks by adding steps, so its zero may have a rounding error.
  if (Math.abs(value) < 1e-6 * step) return "0";
  if (step < MIN_PLAIN_STEP) return withMinus(Number(value.toPrecision(3)).toExponential());
  return withMinus(String(Number(value.toFixed(4))));
}

/** The axis does not extend below this fraction of the largest error, because smaller errors are rounding errors. */
const MIN_FRACTION = 1e-15;

/** Returns the range of whole decades that contains the values. */
export function decadeRange(_plot: unknown, low: number | null, high: number | null): [number, number] {
  const to = high ?? 1;
  const from = Math.max(low ?? to / 10, to * MIN_FRACTION);
  return [10 ** Math.floor(Math.log10(from)), 10 ** Math.ceil(Math.log10(to) + 1e-9)];
}

/** Rounds a step down to 1, 2 or 5 times a power of ten. */
export function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const leading = rough / power;
  return (leading >= 5 ? 5 : leading >= 2 ? 2 : 1) * power;
}

/** Replaces the hyphen of a negative number with a minus sign, which is as wide as a digit; drops it from zero. */
export function withMinus(text: string): string {
  return text.replace(/^-(0\.?0*)$/, "$1").replace(/^-/, "−");
}
