/**
 * Jacobi's elliptic functions and the elliptic integral of the first kind: the closed forms of pendulum and top.
 *
 * sn, cn, dn by the descending arithmetic-geometric mean (Abramowitz & Stegun 16.4); the integral by Carlson's
 * duplication of R_F (Carlson, "Computing elliptic integrals by duplication", 1979). The parameter is m = k².
 */
import { asin, cos, sin } from "../math/index.ts";

const PI = 3.141592653589793;
/** For m below 0.999 the means agree to the last bit after six rounds. */
const MAX_ROUNDS = 12;

interface JacobiFunctions {
  readonly sn: number;
  readonly cn: number;
  readonly dn: number;
}

/** Returns sn, cn and dn of argument u for 0 ≤ m < 1. */
export function jacobi(u: number, m: number): JacobiFunctions {
  const a = [1];
  const c = [Math.sqrt(m)];
  let b = Math.sqrt(1 - m);
  let n = 0;
  while (Math.abs(c[n]!) > 1e-17 && n < MAX_ROUNDS) {
    const previous = a[n]!;
    a.push((previous + b) / 2);
    c.push((previous - b) / 2);
    b = Math.sqrt(previous * b);
    n += 1;
  }
  let phi = a[n]! * u;
  for (let i = 0; i < n; i += 1) phi *= 2;
  for (let i = n; i > 0; i -= 1) phi = (phi + asin((c[i]! / a[i]!) * sin(phi))) / 2;
  const sn = sin(phi);
  return { sn, cn: cos(phi), dn: Math.sqrt(1 - m * sn * sn) };
}

/** Returns a quarter period: K(m) = π / (2 agm(1, √(1 − m))). */
export function quarterPeriod(m: number): number {
  let a = 1;
  let b = Math.sqrt(1 - m);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const mean = (a + b) / 2;
    b = Math.sqrt(a * b);
    a = mean;
  }
  return PI / (2 * a);
}

/** Returns the u in (−2K, 2K] with the given sn u and cn u. */
export function inverseJacobi(sn: number, cn: number, m: number): number {
  const principal = sn * carlsonRf(cn * cn, 1 - m * sn * sn, 1);
  if (cn >= 0) return principal;
  const half = 2 * quarterPeriod(m);
  return sn >= 0 ? half - principal : -half - principal;
}

/** Returns Carlson's R_F(x, y, z). */
function carlsonRf(x: number, y: number, z: number): number {
  let [a, b, c] = [x, y, z];
  for (let round = 0; round < 40; round += 1) {
    const lambda = Math.sqrt(a * b) + Math.sqrt(b * c) + Math.sqrt(c * a);
    a = (a + lambda) / 4;
    b = (b + lambda) / 4;
    c = (c + lambda) / 4;
  }
  return 1 / Math.sqrt((a + b + c) / 3);
}
