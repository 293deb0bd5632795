/** The tableaux: published coefficients, and the algebraic conditions that every Runge–Kutta method satisfies. */
import { describe, expect, it } from "vitest";
import { checkTableau, isFirstSameAsLast, type Tableau } from "./tableau.ts";
import { integratorKinds } from "./index.ts";
import { rk23Tableau } from "./methods/rk23.ts";
import { rk45Tableau } from "./methods/rk45.ts";
import { rk4Tableau } from "./methods/rk4.ts";

const tableaux = integratorKinds.map(({ name, tableau }): readonly [string, Tableau] => [name, tableau]);

/** The conditions Σ bᵢ Φᵢ = 1/γ of all rooted trees up to order 5 (Butcher; Hairer, Nørsett & Wanner I, II.2). */
function orderConditions({ a, c }: Tableau): readonly { order: number; phi: number[]; gamma: number }[] {
  const apply = (values: readonly number[]) =>
    a.map((row) => row.reduce((sum, value, j) => sum + value * values[j]!, 0));
  const times = (p: readonly number[], q: readonly number[]) => p.map((value, i) => value * q[i]!);
  const cc = times(c, c);
  const ccc = times(cc, c);
  const ac = apply(c);
  const acc = apply(cc);
  const aac = apply(ac);
  return [
    { order: 1, phi: c.map(() => 1), gamma: 1 },
    { order: 2, phi: [...c], gamma: 2 },
    { order: 3, phi: cc, gamma: 3 },
    { order: 3, phi: ac, gamma: 6 },
    { order: 4, phi: ccc, gamma: 4 },
    { order: 4, phi: times(c, ac), gamma: 8 },
    { order: 4, phi: acc, gamma: 12 },
    { order: 4, phi: aac, gamma: 24 },
    { order: 5, phi: times(ccc, c), gamma: 5 },
    { order: 5, phi: times(cc, ac), gamma: 10 },
    { order: 5, phi: times(c, acc), gamma: 15 },
    { order: 5, phi: times(c, aac), gamma: 30 },
    { order: 5, phi: times(ac, ac), gamma: 20 },
    { order: 5, phi: apply(ccc), gamma: 20 },
    { order: 5, phi: apply(times(c, ac)), gamma: 40 },
    { order: 5, phi: apply(acc), gamma: 60 },
    { order: 5, phi: apply(aac), gamma: 120 },
  ];
}

const dot = (p: readonly number[], q: readonly number[]) => p.reduce((sum, value, i) => sum + value * q[i]!, 0);

describe.each(tableaux)("tableau %s", (name, tableau) => {
  it("is well formed", () => {
    expect(() => checkTableau(name, tableau)).not.toThrow();
  });

  it("satisfies every order condition up to its order, and not all of the next", () => {
    const conditions = orderConditions(tableau);
    const residual = ({ phi, gamma }: (typeof conditions)[number]) => Math.abs(dot(tableau.b, phi) - 1 / gamma);
    const due = conditions.filter(({ order }) => order <= tableau.order);
    for (const condition of due) expect(residual(condition)).toBeLessThan(1e-14);
    const next = conditions.filter(({ order }) => order === tableau.order + 1);
    if (next.length > 0) expect(Math.max(...next.map(residual))).toBeGreaterThan(1e-4);
  });

  if (tableau.e !== undefined) {
    it("has an embedded method of one order less", () => {
      const embedded = tableau.b.map((value, i) => value - tableau.e![i]!);
      const conditions = orderConditions(tableau);
      const residual = ({ phi, gamma }: (typeof conditions)[number]) => Math.abs(dot(embedded, phi) - 1 / gamma);
      for (const condition of conditions.filter(({ order }) => order < tableau.order)) {
        expect(residual(condition)).toBeLessThan(1e-14);
      }
      const own = conditions.filter(({ order }) => order === tableau.order);
      expect(Math.max(...own.map(residual))).toBeGreaterThan(1e-4);
    });
  }
});

describe("first same as last (FSAL)", () => {
  it("is detected from the coefficients", () => {
    expect([rk4Tableau, rk23Tableau, rk45Tableau].map(isFirstSameAsLast)).toEqual([false, true, true]);
  });

  it("does not hold if the last stage is not the end state", () => {
    expect(isFirstSameAsLast({ ...rk45Tableau, c: [...rk45Tableau.c.slice(0, 6), 0.9] })).toBe(false);
    expect(isFirstSameAsLast({ ...rk23Tableau, b: [2 / 9, 1 / 3, 4 / 9 - 0.1, 0.1] })).toBe(false);
  });
});

it("a tableau with inconsistent coefficients is an internal error", () => {
  expect(() => checkTableau("bad", { ...rk4Tableau, b: [1 / 6, 1 / 3, 1 / 3, 1 / 5] })).toThrow("does not add up to 1");
  expect(() => checkTableau("bad", { ...rk4Tableau, c: [0, 1 / 2, 1 / 3, 1] })).toThrow("row 2");
});
