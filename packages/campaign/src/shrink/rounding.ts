/** Rounds numbers to few decimal digits, so that shrunk flights have short numbers. */

/** A double has at least this many significant decimal digits. */
const MAX_DIGITS = 15;

/**
 * Yields, for 1, 2, 3 … significant digits, the two neighbours of `value`, first the one nearer to `neutral`. If
 * `value` itself has that few digits, only it is yielded.
 */
export function* roundings(value: number, neutral: number): Generator<number> {
  for (let digits = 1; digits <= MAX_DIGITS; digits += 1) {
    const nearest = Number(value.toPrecision(digits));
    const unit = unitOf(value, digits);
    const other = addRounded(nearest, nearest > value ? -unit : unit, digits);
    if (nearest === value) {
      yield nearest;
      continue;
    }
    const [low, high] = nearest < other ? [nearest, other] : [other, nearest];
    yield* neutral < value ? [low, high] : [high, low];
  }
}

/**
 * Moves `value` towards `neutral` by one unit in its last significant digit. Returns undefined if `value` is `neutral`
 * or the step would overshoot it.
 */
export function stepTowards(value: number, neutral: number): number | undefined {
  if (value === neutral) return undefined;
  let digits = 1;
  while (digits < MAX_DIGITS && Number(value.toPrecision(digits)) !== value) digits += 1;
  const unit = unitOf(value, digits);
  const next = addRounded(value, neutral < value ? -unit : unit, digits + 1);
  return (neutral - value) * (neutral - next) < 0 ? undefined : next;
}

/** Returns the place value of the last of `digits` significant digits. */
function unitOf(value: number, digits: number): number {
  const [, exponent] = value.toExponential().split("e");
  return Number(`1e${Number(exponent) - digits + 1}`);
}

/** Adds two numbers and removes the binary rounding error. */
function addRounded(value: number, by: number, digits: number): number {
  return Number((value + by).toPrecision(digits + 1));
}
