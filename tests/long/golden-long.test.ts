/** The golden flights that take minutes to run. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { flyGolden, longNames } from "../golden/golden-flights.ts";

const committed = (file: string) => readFileSync(new URL(`../golden/${file}`, import.meta.url), "utf8");

describe("long golden flights", () => {
  it.each(longNames)("[L9] %s", (name) => {
    const { summary, table } = flyGolden(name);
    expect(table).toBe(committed(`${name}.csv`));
    expect(summary).toBe(committed(`${name}.json`));
  });
});
