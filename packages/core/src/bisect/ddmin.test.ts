/** Delta debugging and the search over instants, against predicates whose answers are known. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ddmin } from "./ddmin.ts";
import { searchLastFlip } from "./last-flip.ts";

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

describe("ddmin", () => {
  it("finds the elements that are needed together, wherever they are", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.infiniteStream(fc.nat()), (count, numbers) => {
        const needed = new Set([...numbers.take(3)].map((number) => number % count));
        const found = ddmin(upTo(count), (part) => [...needed].every((element) => part.includes(element)));
        expect(new Set(found)).toEqual(needed);
      }),
    );
  });

  it("is 1-minimal for any predicate, even if some sets cannot be tried", () => {
    // The predicate is a table of random answers over all sets of up to seven elements; only the whole set must fail.
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), fc.infiniteStream(fc.boolean()), (count, answers) => {
        const table = [...answers.take(2 ** count)];
        const numberOf = (part: readonly number[]) => part.reduce((sum, element) => sum + 2 ** element, 0);
        table[numberOf(upTo(count))] = true;
        // The empty set is the good flight.
        table[0] = false;
        const fails = (part: readonly number[]) => table[numberOf(part)]!;
        const found = ddmin(upTo(count), fails);
        expect(fails(found)).toBe(true);
        for (const element of found) expect(fails(found.filter((other) => other !== element))).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it("needs about 2·log2(n) trials to find one cause among n differences", () => {
    let tries = 0;
    const found = ddmin(upTo(64), (part) => {
      tries += 1;
      return part.includes(37);
    });
    expect(found).toEqual([37]);
    expect(tries).toBeLessThanOrEqual(12);
  });
});

describe("the search for the last instant that flips", () => {
  it("finds the only change on any grid", () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(50), fc.nat(9), (span, first, probes) => {
        const last = first + span + 1;
        for (let kept = first + 1; kept <= last; kept += 1) {
          const found = searchLastFlip({ first, last, probes, flips: (instant) => instant < kept });
          expect(found).toEqual({ lastFlip: kept - 1, firstKept: kept, isMixed: false });
        }
      }),
      { numRuns: 30 },
    );
  });

  it("ends between an instant that flips and the next one, which does not, and reports an earlier change", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }), (answers) => {
        const seen = new Map<number, boolean>();
        const flips = (instant: number) => {
          seen.set(instant, answers[instant]!);
          return answers[instant]!;
        };
        const { lastFlip, firstKept, isMixed } = searchLastFlip({ first: 0, last: answers.length, probes: 7, flips });
        if (lastFlip === undefined) {
          expect([...seen.values()]).not.toContain(true);
          return;
        }
        expect(answers[lastFlip]).toBe(true);
        expect(firstKept).toBe(lastFlip + 1);
        expect(answers[firstKept] ?? false).toBe(false);
        if (isMixed) expect([...seen].some(([instant, flip]) => !flip && instant < lastFlip)).toBe(true);
      }),
    );
  });
});
