/** Shrinking: known minimal results, 1-minimality of random problems, and the number of flights. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { roundings, stepTowards } from "./rounding.ts";
import { type Candidate, shrink, type ShrinkNumber, type ShrinkProblem } from "./shrink.ts";

const number = (
  name: string,
  part: string,
  value: number,
  neutral: number,
  min: number,
  max: number,
): ShrinkNumber => ({
  name,
  part,
  value,
  neutral,
  min,
  max,
});

/** A flight with a gust and a weak motor. It violates if the motor is weak enough; the gust does not matter. */
function problem(more: Partial<ShrinkProblem> = {}): ShrinkProblem {
  return {
    events: ["gust", "motor"],
    keys: ["massKg"],
    numbers: [
      number("gust.speed", "gust", 8.31, 0, 2, 10),
      number("motor.gain", "motor", 0.2349, 1, 0.1, 1),
      number("motor.atS", "motor", 22.372911, 0, 0, 30),
      number("mass", "massKg", 1.6123, 1.5, 1.3, 1.7),
    ],
    endUs: 30_000_000,
    simplifications: ["still air", "seed 1"],
    violationUs: (candidate) => {
      const gain = candidate.numbers.get("motor.gain") ?? 1;
      const isWeak = candidate.parts.includes("motor") && gain < 0.335;
      const atUs = Math.round((candidate.numbers.get("motor.atS") ?? 0) * 1e6) + 1_234_000;
      return isWeak && (candidate.endUs ?? Infinity) >= atUs ? atUs : undefined;
    },
    ...more,
  };
}

describe("shrinking", () => {
  it("drops parts, makes numbers milder and rounder, and shortens and simplifies the flight", () => {
    const { candidate, flights, isMinimal } = shrink(problem())!;
    expect(candidate.parts).toEqual(["motor"]);
    expect(candidate.numbers.get("motor.gain")).toBe(0.3);
    expect(candidate.numbers.get("motor.atS")).toBe(0);
    expect(candidate.endUs).toBe(1_800_000);
    expect(candidate.simplifications).toEqual(["still air", "seed 1"]);
    expect(isMinimal).toBe(true);
    expect(flights).toBeLessThan(60);
  });

  it("keeps a gust that the violation needs, and rounds its speed without leaving the range", () => {
    const needed: ShrinkProblem = problem({
      violationUs: (candidate) => {
        const speed = candidate.parts.includes("gust") ? candidate.numbers.get("gust.speed")! : 0;
        const gain = candidate.parts.includes("motor") ? candidate.numbers.get("motor.gain")! : 1;
        return speed > 2.7 && gain < 0.51 && !candidate.simplifications.includes("still air") ? 20_000_000 : undefined;
      },
    });
    const { candidate } = shrink(needed)!;
    expect(candidate.parts).toEqual(["gust", "motor"]);
    expect([candidate.numbers.get("gust.speed"), candidate.numbers.get("motor.gain")]).toEqual([3, 0.5]);
    expect(candidate.simplifications).toEqual(["seed 1"]);
  });

  it("is 1-minimal for random thresholds: no part can be dropped, and no number moved by a unit of its last digit", () => {
    const threshold = fc.double({ min: 0.05, max: 0.95, noNaN: true });
    const value = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(threshold, value), { minLength: 1, maxLength: 5 }),
        fc.nat({ max: 31 }),
        (pairs, mask) => {
          const numbers = pairs.map(([limit, part], i) =>
            number(`n${i}`, `p${i}`, limit + (1 - limit) * part, 0, 0, 1),
          );
          const isNeeded = (i: number) => (mask >> i) % 2 === 1;
          const violates = (c: Candidate) =>
            pairs.every(([limit], i) => !isNeeded(i) || (c.numbers.get(`n${i}`) ?? 0) >= limit);
          const given: ShrinkProblem = {
            events: numbers.map(({ part }) => part),
            keys: [],
            numbers,
            endUs: 30_000_000,
            simplifications: [],
            violationUs: (c) => (violates(c) ? 1_000_000 : undefined),
          };
          const { candidate } = shrink(given)!;
          expect(violates(candidate)).toBe(true);
          for (const part of candidate.parts) {
            const without = candidate.parts.filter((each) => each !== part);
            const left = new Map([...candidate.numbers].filter(([name]) => name.replace("n", "p") !== part));
            expect(violates({ ...candidate, parts: without, numbers: left })).toBe(false);
          }
          for (const { name, part, neutral } of numbers) {
            if (!candidate.parts.includes(part)) continue;
            const step = stepTowards(candidate.numbers.get(name)!, neutral);
            if (step === undefined) continue;
            expect(violates({ ...candidate, numbers: new Map([...candidate.numbers, [name, step]]) })).toBe(false);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it("returns undefined if the flight does not violate, and the best candidate so far at the limit on flights", () => {
    expect(shrink(problem({ violationUs: () => undefined }))).toBeUndefined();
    const cut = shrink(problem(), 4)!;
    expect([cut.isMinimal, cut.flights]).toEqual([false, 4]);
  });

  it("flies no candidate twice", () => {
    const seen = new Map<string, number>();
    const base = problem();
    const counted = problem({
      violationUs: (candidate) => {
        const key = JSON.stringify([
          candidate.parts,
          [...candidate.numbers],
          candidate.simplifications,
          candidate.endUs,
        ]);
        seen.set(key, (seen.get(key) ?? 0) + 1);
        return base.violationUs(candidate);
      },
    });
    shrink(counted);
    expect(Math.max(...seen.values())).toBe(1);
  });
});

describe("rounding", () => {
  it("yields numbers with few digits first, and of each pair the number nearer to the neutral value first", () => {
    const first = (value: number, neutral: number) => {
      const found = roundings(value, neutral);
      return Array.from({ length: 4 }, () => found.next().value as number);
    };
    expect(first(0.3349, 1)).toEqual([0.4, 0.3, 0.34, 0.33]);
    expect(first(22.372911, 0)).toEqual([20, 30, 22, 23]);
    expect(first(-4.86, 0)).toEqual([-4, -5, -4.8, -4.9]);
    expect(first(9.7, 0).slice(0, 2)).toEqual([9, 10]);
  });

  it("steps by a unit of the last digit, but not past neutral", () => {
    expect(stepTowards(0.33, 1)).toBe(0.34);
    expect(stepTowards(22, 0)).toBe(21);
    expect(stepTowards(0.3, 0.25)).toBeUndefined();
    expect(stepTowards(10, 0)).toBe(0);
    expect(stepTowards(5, 5)).toBeUndefined();
  });
});
