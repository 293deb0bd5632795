/**
 * Measures a line between two instants: extremes, mean, root mean square and step response.
 *
 * It uses the log rows in the span, including both ends. The mean and the rms are integrals over time by the
 * trapezoidal rule, so that rows need not be equally spaced.
 */

export interface Measured {
  readonly from: number;
  readonly to: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly rms: number;
  /** Absent if the line hardly changes between the ends, or does not settle. */
  readonly step?: StepResponse;
}

/** Step response from the first value of a line to the last. */
interface StepResponse {
  /** Largest excess over the last value, as a fraction of the step. */
  readonly overshoot: number;
  /** Time from 10 % to 90 % of the step. */
  readonly riseS: number;
  /** Time until the line stays within 2 % of the step around its last value. */
  readonly settlingS: number;
}

const SETTLED_FRACTION = 0.02;
/** A change below this fraction of the line's range is not a step. */
const MIN_STEP_FRACTION = 0.25;
/** A line that settles only after this fraction of the span is treated as not settled. */
const SETTLED_BY_FRACTION = 0.9;

/** Returns undefined if the span contains fewer than two values. */
export function measure(timesS: ArrayLike<number>, values: ArrayLike<number>): Measured | undefined {
  const points = Array.from({ length: values.length }, (_, i) => [timesS[i]!, values[i]!] as const).filter(
    ([, value]) => Number.isFinite(value),
  );
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.length < 2) return undefined;
  let [min, max, area, squares] = [Infinity, -Infinity, 0, 0];
  points.forEach(([timeS, value], i) => {
    min = Math.min(min, value);
    max = Math.max(max, value);
    const [beforeS, before] = points[Math.max(0, i - 1)]!;
    area += ((timeS - beforeS) * (value + before)) / 2;
    squares += ((timeS - beforeS) * (value * value + before * before)) / 2;
  });
  const lengthS = last[0] - first[0];
  const response = Math.abs(last[1] - first[1]) > MIN_STEP_FRACTION * (max - min) ? stepResponse(points) : undefined;
  const isSettled = response !== undefined && response.settlingS <= SETTLED_BY_FRACTION * lengthS;
  return {
    from: first[1],
    to: last[1],
    min,
    max,
    mean: area / lengthS,
    rms: Math.sqrt(squares / lengthS),
    ...(isSettled ? { step: response } : {}),
  };
}

function stepResponse(points: readonly (readonly [timeS: number, value: number])[]): StepResponse {
  const [startS, from] = points[0]!;
  const to = points.at(-1)![1];
  const size = to - from;
  // Progress is 0 at the first value and 1 at the last.
  const progress = points.map(([timeS, value]) => [timeS - startS, (value - from) / size] as const);
  let settled = progress.length - 1;
  while (settled > 0 && Math.abs(progress[settled - 1]![1] - 1) <= SETTLED_FRACTION) settled -= 1;
  return {
    overshoot: Math.max(0, ...progress.map(([, fraction]) => fraction - 1)),
    riseS: crossingS(progress, 0.9) - crossingS(progress, 0.1),
    settlingS: progress[settled]![0],
  };
}

/** Returns the time at which the line first reaches a fraction of the step, interpolated between two points. */
function crossingS(progress: readonly (readonly [timeS: number, fraction: number])[], wanted: number): number {
  const index = progress.findIndex(([, fraction]) => fraction >= wanted);
  const [timeS, fraction] = progress[Math.max(0, index)]!;
  const [beforeS, before] = progress[Math.max(0, index - 1)]!;
  return fraction === before ? timeS : beforeS + ((wanted - before) / (fraction - before)) * (timeS - beforeS);
}
