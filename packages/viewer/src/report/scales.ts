/** Ranges of the axes that show values, and the texts at their steps. */

/** In the plot's unit: what varies less is drawn as good as flat, which it is. */
const LEAST_SPAN = 0.02;
/** A plot of nothing but zeros has to have some height too. */
const SPAN_OF_NOTHING = 1e-9;

/** A little room above and below, and never a span of nothing. */
export function roomy(low: number | null, high: number | null, leastSpan = LEAST_SPAN): [number, number] {
  const [from, to] = [low ?? 0, high ?? 1];
  const missing = (Math.max(leastSpan, SPAN_OF_NOTHING) - (to - from)) / 2;
  const room = Math.max(0.08 * (to - from), 1e-3 * Math.max(Math.abs(from), Math.abs(to)), missing);
  return [from - room, to + room];
}

/** Below this step numbers are written as powers of ten, for want of room. */
const LEAST_PLAIN_STEP = 1e-3;

/** As many digits as tell the steps of an axis apart. */
export function stepTexts(_plot: unknown, steps: readonly number[]): string[] {
  const step = steps.length < 2 ? 1 : Math.abs(steps[1]! - steps[0]!);
  return steps.map((value) => stepText(value, step));
}

function stepText(value: number, step: number): string {
  // What is left of a zero after adding up steps.
  if (Math.abs(value) < 1e-6 * step) return "0";
  if (step < LEAST_PLAIN_STEP) return Number(value.toPrecision(3)).toExponential();
  return String(Number(value.toFixed(4)));
}

/** Below this share of the largest error there is only rounding. */
const LOWEST_SHARE = 1e-15;

/** Whole decades around the values. */
export function decadeRange(_plot: unknown, low: number | null, high: number | null): [number, number] {
  const to = high ?? 1;
  const from = Math.max(low ?? to / 10, to * LOWEST_SHARE);
  return [10 ** Math.floor(Math.log10(from)), 10 ** Math.ceil(Math.log10(to) + 1e-9)];
}
