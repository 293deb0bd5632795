/** Ranges and tick labels of the value axes. */

/** Smallest span in the unit of the plot. A value that varies by less looks flat. */
const LEAST_SPAN = 0.02;
/** Span of a plot that contains only zeros. */
const SPAN_OF_NOTHING = 1e-9;

/** Adds a margin above and below; the span is never empty. */
export function roomy(low: number | null, high: number | null, leastSpan = LEAST_SPAN): [number, number] {
  const [from, to] = [low ?? 0, high ?? 1];
  const missing = (Math.max(leastSpan, SPAN_OF_NOTHING) - (to - from)) / 2;
  const room = Math.max(0.08 * (to - from), 1e-3 * Math.max(Math.abs(from), Math.abs(to)), missing);
  return [from - room, to + room];
}

/** Below this step numbers are written in scientific notation, to save space. */
const LEAST_PLAIN_STEP = 1e-3;

/** Tick labels: at most four decimals, or three significant digits if the steps are small. uPlot passes its plot. */
export function stepTexts(_plot: unknown, steps: readonly number[]): string[] {
  const step = steps.length < 2 ? 1 : Math.abs(steps[1]! - steps[0]!);
  return steps.map((value) => stepText(value, step));
}

function stepText(value: number, step: number): string {
  // The axis adds steps, so its zero may be off by a rounding error.
  if (Math.abs(value) < 1e-6 * step) return "0";
  if (step < LEAST_PLAIN_STEP) return withMinus(Number(value.toPrecision(3)).toExponential());
  return withMinus(String(Number(value.toFixed(4))));
}

/** Errors below this fraction of the largest one are rounding errors. */
const LOWEST_SHARE = 1e-15;

/** The range of whole decades that contains the values. */
export function decadeRange(_plot: unknown, low: number | null, high: number | null): [number, number] {
  const to = high ?? 1;
  const from = Math.max(low ?? to / 10, to * LOWEST_SHARE);
  return [10 ** Math.floor(Math.log10(from)), 10 ** Math.ceil(Math.log10(to) + 1e-9)];
}

/** Rounds a step down to 1, 2 or 5 times a power of ten. */
export function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const leading = rough / power;
  return (leading >= 5 ? 5 : leading >= 2 ? 2 : 1) * power;
}

/** A number as text with a real minus sign, which is as wide as a digit; a negative zero has none. */
export function withMinus(text: string): string {
  return text.replace(/^-(0\.?0*)$/, "$1").replace(/^-/, "−");
}
