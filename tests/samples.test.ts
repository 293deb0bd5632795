/** The outputs that documents show are those of the current program. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renewLines, sampledPages, Samples } from "../tools/samples.ts";

/**
 * Pages with shown outputs, except pages that show outputs of example scripts; the tests of the examples compare those
 * outputs.
 */
const pages = sampledPages().filter((path) => !readFileSync(path, "utf8").includes("npm run example"));

let samples: Samples;
beforeAll(async () => void (samples = await Samples.start()));
afterAll(() => samples.end());

describe("outputs shown in documents", () => {
  it.each(pages)("%s is up to date (otherwise run npm run samples)", async (path) => {
    expect(await samples.renew(path)).toBe(readFileSync(path, "utf8"));
  });
});

describe("bisect", () => {
  it("prints exactly what the README of its example shows", async () => {
    const [, shown] = /```text\n([^]*?)```/.exec(readFileSync("examples/19-bisect/README.md", "utf8"))!;
    const line = "escapement bisect examples/19-bisect/good.toml examples/19-bisect/bad.toml";
    expect(await samples.outputOf(line)).toBe(shown);
  });
});

describe("updating a shown output", () => {
  it("replaces numbers, fingerprints and spaces, in order", () => {
    const shown = "  1.00 s  fp1:0000-1111\n…\n  9.00 s  fp1:2222-3333\n";
    const output = "head\n  1.50 s  fp1:4444-5555\n 12.25 s  fp1:6666-7777\n";
    expect(renewLines(shown, output)).toBe("  1.50 s  fp1:4444-5555\n…\n 12.25 s  fp1:6666-7777\n");
  });

  it("rejects a line whose words changed", () => {
    expect(() => renewLines("crashed at 3 m/s\n", "landed at 3 m/s\n")).toThrow(/no line of the output/);
  });
});
