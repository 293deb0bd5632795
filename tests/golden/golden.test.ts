/** Every built-in flight comes out as it was committed; `npm run golden` writes it anew. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { flyGolden, goldenNames, longNames } from "./golden-flights.ts";

const committed = (file: string) => readFileSync(new URL(`./${file}`, import.meta.url), "utf8");

describe("golden flights", () => {
  it("are all the built-in ones", () => {
    for (const name of goldenNames) expect(existsSync(new URL(`./${name}.json`, import.meta.url)), name).toBe(true);
  });

  it.each(goldenNames.filter((name) => !longNames.includes(name)))("[L9] %s", (name) => {
    const { story, table } = flyGolden(name);
    // The table first: it says what changed, the digests only that something did.
    expect(table).toBe(committed(`${name}.csv`));
    expect(story).toBe(committed(`${name}.json`));
  });
});
