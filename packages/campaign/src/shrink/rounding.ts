/** Decimal roundings of a number, from one significant digit on. */
const MOST_DIGITS = 15;

/** Roundings with 1, 2, 3 … significant digits: of each two neighbours, first the one on the side of `neutral`. */
export function* roundings(value: number, neutral: number): Generator<number> {
  for (let digits = 1; digits <= MOST_DIGITS; digits += 1) {
    const nearest = Number(value.toPrecision(digits));
    const unit = unitOf(value, digits);
    const other = nearest > value ? moved(nearest, -unit, digits) : moved(nearest, unit, digits);
    if (nearest === value) {
      yield nearest;
      continue;
    }
    const [low, high] = nearest < other ? [nearest, other] : [other, nearest];
    yield* neutral < value ? [low, high] : [high, low];
  }
}

/** The number one unit of its last digit nearer to `neutral`; undefined if that would pass it. */
export function stepTowards(value: number, neutral: number): number | undefined {
  if (value === neutral) return undefined;
  let digits = 1;
  while (digits < MOST_DIGITS && Number(value.toPrecision(digits)) !== value) digits += 1;
  const unit = unitOf(value, digits);
  const next = moved(value, neutral < value ? -unit : unit, digits + 1);
  return (neutral - value) * (neutral - next) < 0 ? undefined : next;
}

/** Size of the last of so many significant digits. */
function unitOf(value: number, digits: number): number {
  const [, exponent] = value.toExponential().split("e");
  return Number(`1e${Number(exponent) - digits + 1}`);
}

/** A sum without the binary rest that decimals leave. */
function moved(value: number, by: number, digits: number): number {
  return Number((value + by).toPrecision(digits + 1));
}
