/**
 * sum + c·x, or the sum itself if the coefficient is zero.
 *
 * Most vehicles have upright rotors, a diagonal inertia and no linear drag, so many coefficients are zero. They are
 * constants of the vehicle: compiled code makes this choice once, and computes nothing for the terms left out.
 */
export function plusTerm(sum: number, c: number, x: number): number {
  return c === 0 ? sum : sum + c * x;
}
