/**
 * Numbers of a line between two instants, and its step response.
 *
 * The values are those of the log rows in the span, with both ends. The mean and the rms are over time, by the
 * trapezoidal rule, so that rows need not be equally far apart.
 */

export interface Measured {
  readonly from: number;
  readonly to: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly rms: number;
  /** Absent if the line does not change between the ends, or does not settle between them. */
  readonly step?: StepResponse;
}

/** How a line goes from its first to its last value. Times are seconds after the first instant. */
interface StepResponse {
  /** Beyond the last value, as a fraction of the step. */
  readonly overshoot: number;
  /** From 10 % to 90 % of the step. */
  readonly riseS: number;
  /** Until the line stays within 2 % of the step around its last value. */
  readonly settlingS: number;
}

const SETTLED_SHARE = 0.02;
/** A smaller change than this fraction of the range of the line is no step. */
const LEAST_STEP_SHARE = 0.25;
/** A line that is not settled after this fraction of the span has not reached its end. */
const SETTLED_BY_SHARE = 0.9;

/** Undefined if the span holds fewer than two values. */
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
  const response = Math.abs(last[1] - first[1]) > LEAST_STEP_SHARE * (max - min) ? stepResponse(points) : undefined;
  const isSettled = response !== undefined && response.settlingS <= SETTLED_BY_SHARE * lengthS;
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
  // From 0 at the first value to 1 at the last one.
  const progress = points.map(([timeS, value]) => [timeS - startS, (value - from) / size] as const);
  let settled = progress.length - 1;
  while (settled > 0 && Math.abs(progress[settled - 1]![1] - 1) <= SETTLED_SHARE) settled -= 1;
  return {
    overshoot: Math.max(0, ...progress.map(([, share]) => share - 1)),
    riseS: crossingS(progress, 0.9) - crossingS(progress, 0.1),
    settlingS: progress[settled]![0],
  };
}

/** When the line first reaches a fraction of the step, between two points by interpolation. */
function crossingS(progress: readonly (readonly [timeS: number, share: number])[], wanted: number): number {
  const index = progress.findIndex(([, share]) => share >= wanted);
  const [timeS, share] = progress[Math.max(0, index)]!;
  const [beforeS, before] = progress[Math.max(0, index - 1)]!;
  return share === before ? timeS : beforeS + ((wanted - before) / (share - before)) * (timeS - beforeS);
}
