/**
 * Rotation algebra over plain arrays for the reference solutions, written for clarity, not speed.
 *
 * It deliberately does not use the core's vector and quaternion functions: a reference that shared their code would
 * share their errors. A matrix is a list of its columns.
 */
import { asin } from "../math/index.ts";

export type Vector = readonly [number, number, number];
export type Matrix = readonly [Vector, Vector, Vector];

export function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function unit(a: Vector): Vector {
  const length = Math.sqrt(dot(a, a));
  return [a[0] / length, a[1] / length, a[2] / length];
}

/** Rotates a body vector into space axes by the quaternion x[0..3]: q ⊗ v ⊗ q*. */
export function rotate(x: ArrayLike<number>, v: Vector): Vector {
  const [w, axis] = [x[0]!, [x[1]!, x[2]!, x[3]!] as const];
  const twice = cross(axis, v).map((value) => 2 * value) as unknown as Vector;
  const more = cross(axis, twice);
  return [v[0] + w * twice[0] + more[0], v[1] + w * twice[1] + more[1], v[2] + w * twice[2] + more[2]];
}

/**
 * Returns a right-handed triad whose third vector is along `pole` and whose first vector is along the part of
 * `reference` that is normal to `pole`.
 */
export function triadAround(pole: Vector, reference: Vector): Matrix {
  const third = unit(pole);
  const along = dot(reference, third);
  const first = unit([
    reference[0] - along * third[0],
    reference[1] - along * third[1],
    reference[2] - along * third[2],
  ]);
  return [first, cross(third, first), third];
}

/** Writes to x[0..3] the quaternion of the rotation from triad `from` to triad `to`, with w ≥ 0 if w is the largest. */
export function quaternionOf(x: Float64Array, to: Matrix, from: Matrix): void {
  // R = Σ to_k from_kᵀ; its elements by row and column.
  const element = (row: number, column: number): number =>
    to[0][row]! * from[0][column]! + to[1][row]! * from[1][column]! + to[2][row]! * from[2][column]!;
  const diagonal = [element(0, 0), element(1, 1), element(2, 2)] as const;
  const trace = diagonal[0] + diagonal[1] + diagonal[2];
  // Shepperd's method: start from the largest of the four components, to avoid dividing by a small one.
  const candidates = [trace, ...diagonal];
  const largest = candidates.indexOf(Math.max(...candidates));
  if (largest === 0) {
    const w = Math.sqrt(1 + trace) / 2;
    x[0] = w;
    for (let i = 0; i < 3; i += 1) {
      const [j, k] = [(i + 1) % 3, (i + 2) % 3];
      x[1 + i] = (element(k, j) - element(j, k)) / (4 * w);
    }
    return;
  }
  const i = largest - 1;
  const [j, k] = [(i + 1) % 3, (i + 2) % 3];
  const big = Math.sqrt(1 + 2 * diagonal[i]! - trace) / 2;
  x[0] = (element(k, j) - element(j, k)) / (4 * big);
  x[1 + i] = big;
  x[1 + j] = (element(j, i) + element(i, j)) / (4 * big);
  x[1 + k] = (element(k, i) + element(i, k)) / (4 * big);
}

/**
 * Returns the angle between two attitudes, 4 asin(‖p ∓ q‖/2): the arc sine resolves small angles for which an arc
 * cosine gives zero.
 */
export function angleBetween(p: ArrayLike<number>, q: ArrayLike<number>): number {
  let along = 0;
  for (let i = 0; i < 4; i += 1) along += p[i]! * q[i]!;
  const sign = along < 0 ? -1 : 1;
  let square = 0;
  for (let i = 0; i < 4; i += 1) square += (p[i]! - sign * q[i]!) * (p[i]! - sign * q[i]!);
  return 4 * asin(Math.min(1, Math.sqrt(square) / 2));
}
