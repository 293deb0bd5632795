// Vectors of three components over Float64Array. Nothing is allocated; `…Into` fills its first argument, which may
// alias another. Trailing offsets locate each vector in a flat state; their default is 0.

/** out = a + b. */
export function vec3AddInto(out: Float64Array, a: Float64Array, b: Float64Array, outAt = 0, aAt = 0, bAt = 0): void {
  out[outAt] = a[aAt] + b[bAt];
  out[outAt + 1] = a[aAt + 1] + b[bAt + 1];
  out[outAt + 2] = a[aAt + 2] + b[bAt + 2];
}

/** out = a − b. */
export function vec3SubtractInto(
  out: Float64Array,
  a: Float64Array,
  b: Float64Array,
  outAt = 0,
  aAt = 0,
  bAt = 0,
): void {
  out[outAt] = a[aAt] - b[bAt];
  out[outAt + 1] = a[aAt + 1] - b[bAt + 1];
  out[outAt + 2] = a[aAt + 2] - b[bAt + 2];
}

/** out = factor·a. */
export function vec3ScaleInto(out: Float64Array, a: Float64Array, factor: number, outAt = 0, aAt = 0): void {
  out[outAt] = factor * a[aAt];
  out[outAt + 1] = factor * a[aAt + 1];
  out[outAt + 2] = factor * a[aAt + 2];
}

/** out = a + factor·b. */
export function vec3AddScaledInto(
  out: Float64Array,
  a: Float64Array,
  b: Float64Array,
  factor: number,
  outAt = 0,
  aAt = 0,
  bAt = 0,
): void {
  out[outAt] = a[aAt] + factor * b[bAt];
  out[outAt + 1] = a[aAt + 1] + factor * b[bAt + 1];
  out[outAt + 2] = a[aAt + 2] + factor * b[bAt + 2];
}

/** Returns a · b. */
export function vec3Dot(a: Float64Array, b: Float64Array, aAt = 0, bAt = 0): number {
  return a[aAt] * b[bAt] + a[aAt + 1] * b[bAt + 1] + a[aAt + 2] * b[bAt + 2];
}

/** out = a × b, right-handed. Either may be out itself. */
export function vec3CrossInto(out: Float64Array, a: Float64Array, b: Float64Array, outAt = 0, aAt = 0, bAt = 0): void {
  const ax = a[aAt];
  const ay = a[aAt + 1];
  const az = a[aAt + 2];
  const bx = b[bAt];
  const by = b[bAt + 1];
  const bz = b[bAt + 2];
  out[outAt] = ay * bz - az * by;
  out[outAt + 1] = az * bx - ax * bz;
  out[outAt + 2] = ax * by - ay * bx;
}

/** Returns the Euclidean length, even if the squares of the components would overflow or underflow. */
export function vec3Norm(a: Float64Array, aAt = 0): number {
  const x = a[aAt];
  const y = a[aAt + 1];
  const z = a[aAt + 2];
  const square = x * x + y * y + z * z;
  if (square > 1e-280 && square < 1e300) return Math.sqrt(square);
  const largest = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
  if (!(largest > 0 && largest < Infinity)) return largest;
  const u = x / largest;
  const v = y / largest;
  const w = z / largest;
  return largest * Math.sqrt(u * u + v * v + w * w);
}

/** out = a/‖a‖ and returns ‖a‖. The zero vector has no direction: out is then zero. */
export function vec3NormaliseInto(out: Float64Array, a: Float64Array, outAt = 0, aAt = 0): number {
  const norm = vec3Norm(a, aAt);
  if (norm > 0 && norm < 1e-300) {
    // A norm this small has too few bits: normalise a multiple of a.
    vec3ScaleInto(out, a, 1e200, outAt, aAt);
    vec3NormaliseInto(out, out, outAt, outAt);
    return norm;
  }
  const divisor = norm === 0 ? 1 : norm;
  out[outAt] = a[aAt] / divisor;
  out[outAt + 1] = a[aAt + 1] / divisor;
  out[outAt + 2] = a[aAt + 2] / divisor;
  return norm;
}
