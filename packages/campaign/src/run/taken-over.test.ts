/** Rows of another build: a sample is flown again, and the other rows are reused only if the sample is equal. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { exampleRow } from "../../../../tests/support/campaign-rows.ts";
import { RowCache } from "../rows/cache.ts";
import { TakenOver } from "./taken-over.ts";

const ROWS = 100;
const folder = mkdtempSync(join(tmpdir(), "escapement-taken-over-"));
const keyOf = (k: number) => k.toString(16).padStart(4, "0").padEnd(64, "0");
const build = { code: "ab".repeat(32), judged: "cd".repeat(32) };
const writer = RowCache.open(folder, build);
for (let k = 0; k < ROWS; k += 1) writer.add(keyOf(k), exampleRow(k));
writer.close();
const cache = RowCache.open(folder, build);
afterAll(() => {
  cache.close();
  rmSync(folder, { recursive: true });
});

/** Offers flights; returns the numbers that must be flown. */
function offer(taken: TakenOver, count: number): number[] {
  return Array.from({ length: count }, (_, k) => k).filter((k) => !taken.hold({ k }, keyOf(k)));
}

describe("rows of another build", () => {
  it("are reused after the sample was flown again with equal rows", () => {
    const taken = new TakenOver({ code: build.code, cache, sample: 0.05 });
    const flown = offer(taken, ROWS);
    expect(flown).toEqual([0, 19, 39, 59, 79, 99]);
    for (const k of flown) taken.check(exampleRow(k));
    expect([...taken.release(({ k }) => keyOf(k))].map(({ k }) => k)).toEqual(
      Array.from({ length: ROWS }, (_, k) => k).filter((k) => !flown.includes(k)),
    );
    expect([taken.repeated, taken.rows, taken.isHolding]).toEqual([6, 94, false]);
  });

  it("are rejected if a row of the sample differs", () => {
    const taken = new TakenOver({ code: build.code, cache, sample: 0.05 });
    offer(taken, ROWS);
    expect(() => taken.check({ ...exampleRow(39), fingerprint: "fp1:other" })).toThrow(/CAMPAIGN-017.*flight 39/s);
  });

  it("are flown if the other build does not have them", () => {
    const taken = new TakenOver({ code: build.code, cache, sample: 0.05 });
    expect(taken.hold({ k: ROWS }, keyOf(ROWS))).toBe(false);
    expect(() => taken.check({ ...exampleRow(ROWS), fingerprint: "fp1:other" })).not.toThrow();
  });
});
