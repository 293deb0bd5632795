/** The cache finds rows by content, even if other keys begin with the same digits or a line is torn. */
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { exampleRow } from "../../../../tests/support/campaign-rows.ts";
import { RowCache } from "./cache.ts";

const folder = mkdtempSync(join(tmpdir(), "escapement-cache-"));
const build = { code: "aa".repeat(32), judged: "bb".repeat(32) };
afterAll(() => rmSync(folder, { recursive: true }));

const ROWS = 3000;
/** Groups of three flights have keys with the same first 8 digits. */
const keyOf = (k: number) =>
  Math.floor(k / 3)
    .toString(16)
    .padStart(8, "0") + k.toString(16).padStart(56, "0");

describe("a cache of rows", () => {
  it("finds each row by its whole key, and returns it with the requested number", () => {
    const writer = RowCache.open(folder, build);
    for (let k = 0; k < ROWS; k += 1) writer.add(keyOf(k), exampleRow(k));
    writer.close();
    appendFileSync(join(folder, readdirSync(folder)[0]!), `{"key":"${keyOf(ROWS)}","row":{"k":`);
    const reader = RowCache.open(folder, build);
    for (let k = 0; k < ROWS; k += 1) expect(reader.find(keyOf(k), k + 1)).toEqual({ ...exampleRow(k), k: k + 1 });
    expect(reader.find(keyOf(ROWS), ROWS)).toBeUndefined();
    expect(reader.find(keyOf(3 * ROWS), 0)).toBeUndefined();
    reader.close();
  });

  it("does not store rows of flights that may succeed later", () => {
    const cache = RowCache.open(folder, { ...build, judged: "cc".repeat(32) });
    cache.add(keyOf(0), { ...exampleRow(0), outcome: "poisoned" });
    expect(cache.find(keyOf(0), 0)).toBeUndefined();
    cache.close();
  });
});
