/** Rotations that sensors need, on flat arrays. */
import type { Readable } from "../../engine/contracts.ts";

/** Writes a NED vector in body axes to `out`: v − w·t + u × t with t = 2·u × v and attitude (w, u). */
export function nedToBodyInto(out: Float64Array, qBodyToNed: Readable, v: Readable): void {
  const w = qBodyToNed[0]!;
  const x = qBodyToNed[1]!;
  const y = qBodyToNed[2]!;
  const z = qBodyToNed[3]!;
  const tx = 2 * (y * v[2]! - z * v[1]!);
  const ty = 2 * (z * v[0]! - x * v[2]!);
  const tz = 2 * (x * v[1]! - y * v[0]!);
  out[0] = v[0]! - w * tx + (y * tz - z * ty);
  out[1] = v[1]! - w * ty + (z * tx - x * tz);
  out[2] = v[2]! - w * tz + (x * ty - y * tx);
}

/** Returns the down component of a vector given in body axes. */
export function downOfBody(qBodyToNed: Readable, v: Readable): number {
  const w = qBodyToNed[0]!;
  const x = qBodyToNed[1]!;
  const y = qBodyToNed[2]!;
  const z = qBodyToNed[3]!;
  return 2 * (x * z - w * y) * v[0]! + 2 * (y * z + w * x) * v[1]! + (1 - 2 * (x * x + y * y)) * v[2]!;
}
