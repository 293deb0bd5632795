/**
 * A double pendulum on a fixed pivot, with friction and wind on its bobs, as an example of a user's plant: the
 * equations are a plain function over flat arrays, which `tools/compile` turns into data.
 *
 * sin and cos are replaced by polynomials for small angles; the mass matrix is solved by hand. One bob hits a wall of
 * soft springs.
 */
const COS_2 = -1 / 2;
const SIN_3 = -1 / 6;
const WALL_RAD = 0.3;

/** 1 − a²/2, accurate enough for a test. */
function cosine(a: number): number {
  return 1 + COS_2 * a * a;
}

function sine(a: number): number {
  return a + SIN_3 * a * a * a;
}

/** `x` holds two angles and two rates; `p` masses, lengths, friction and wall; the first value of `u` is the wind. */
export function pendulumInto(
  dx: Float64Array,
  timeS: Float64Array,
  x: Float64Array,
  u: Float64Array,
  w: Float64Array,
  p: Float64Array,
  n: Int32Array,
): void {
  for (let i = 0; i < n[0]!; i += 1) {
    w[i] = -9.81 * sine(x[i]!) * p[i]! - p[4]! * x[2 + i]!;
    if (x[i]! > WALL_RAD) w[i]! -= p[5]! * (x[i]! - WALL_RAD);
  }
  const c = cosine(x[0]! - x[1]!);
  const s = sine(x[0]! - x[1]!);
  const m00 = (p[0]! + p[1]!) * p[2]!;
  const m01 = p[1]! * p[3]! * c;
  const m11 = p[1]! * p[3]!;
  const m10 = p[1]! * p[2]! * c;
  const f0 = w[0]! - p[1]! * p[3]! * x[3]! * x[3]! * s + 0.01 * u[n[1]!]! * (timeS[0]! > 0.2 ? 5 * timeS[0]! : 1);
  const f1 = w[1]! + p[1]! * p[2]! * x[2]! * x[2]! * s;
  const det = m00 * m11 - m01 * m10;
  dx[0] = x[2]!;
  dx[1] = x[3]!;
  dx[2] = (f0 * m11 - m01 * f1) / det;
  dx[3] = (m00 * f1 - m10 * f0) / det;
}
