/** Every built-in flight matches its committed files; `npm run digests` rewrites them. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { flyGolden, goldenNames, longNames } from "./golden-flights.ts";

const RENEW = "after an intended change, run `npm run digests`";
const committed = (file: string) => readFileSync(new URL(`./${file}`, import.meta.url), "utf8");

describe("golden flights", () => {
  it("cover every built-in flight", () => {
    for (const name of goldenNames) expect(existsSync(new URL(`./${name}.json`, import.meta.url)), name).toBe(true);
  });

  it.each(goldenNames.filter((name) => !longNames.includes(name)))("[L9] %s", (name) => {
    const { summary, table } = flyGolden(name);
    // Compare the table first, because its diff shows what changed.
    expect(table, RENEW).toBe(committed(`${name}.csv`));
    expect(summary, RENEW).toBe(committed(`${name}.json`));
  });
});
