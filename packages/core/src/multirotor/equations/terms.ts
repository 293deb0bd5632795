/**
 * Returns sum + c·x, or the sum itself if the coefficient is zero.
 *
 * Most vehicles have upright rotors, a diagonal inertia and no linear drag, so many coefficients are zero. Coefficients
 * are constants of the vehicle, so compiled code makes this choice once and computes nothing for omitted terms.
 */
export function plusTerm(sum: number, c: number, x: number): number {
  return c === 0 ? sum : sum + c * x;
}
