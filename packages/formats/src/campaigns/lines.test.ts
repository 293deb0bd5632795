/** Lines of a journal: every value reads back with the same bits, and an incomplete or changed line is rejected. */
import { describe, expect, it } from "vitest";
import { decodeLine, encodeLine, manifestFrom, type Manifest, rowFrom, type Row } from "./index.ts";

const row: Row = {
  k: 4711,
  hash: "0123456789abcdef",
  fingerprint: "fp1:0bdf-544a-18b5-010d",
  outcome: "crashed",
  reason: "hit the ground — at 5.6 m/s",
  endUs: 17_360_000,
  varied: [12.300000000000001, "2.5 s", true, -0],
  verdicts: [
    {
      verdict: "violated",
      low: -Infinity,
      high: -0,
      scaledLow: -Infinity,
      scaledHigh: -0,
      binding: { predicate: "altitude > 2 m", tUs: 33_412_000, margin: -0, value: 2, unit: "m" },
    },
    { verdict: "untested", low: Infinity, high: Infinity, scaledLow: Infinity, scaledHigh: Infinity, binding: null },
  ],
  measures: [1e-300, null, Infinity],
  weight: 0.1 + 0.2,
};

const manifest: Manifest = {
  format: 1,
  identity: "c1:3f9a2c71d0e844b5",
  code: "00",
  judged: "11",
  name: "gusts",
  file: "gusts.campaign.toml",
  plan: { kind: "random", flights: 8 },
  flights: 8,
  seed: 1,
  seeds: "per-flight",
  keys: [{ key: "wind.w20Mps", unit: "m/s", distribution: { uniform: [3, 15] } }],
  requirements: [],
  measures: [],
  criteria: [],
  isRepeatable: true,
};

const withoutBreak = (line: string) => line.slice(0, -1);

describe("a journal's lines", () => {
  it("read back every bit of a row, including infinities and −0", () => {
    expect(rowFrom(decodeLine(withoutBreak(encodeLine(row))))).toStrictEqual(row);
  });

  it("read back a manifest, or only the number of its format if the format is a different one", () => {
    expect(manifestFrom(decodeLine(withoutBreak(encodeLine(manifest))))).toStrictEqual(manifest);
    expect(manifestFrom({ ...manifest, format: 2 })).toBe(2);
    expect(manifestFrom({ ...manifest, seeds: "dice" })).toBeUndefined();
  });

  it("are rejected if they are cut anywhere or one character differs", () => {
    const line = withoutBreak(encodeLine(row));
    for (let length = 0; length < line.length; length += 1) expect(decodeLine(line.slice(0, length))).toBeUndefined();
    for (let at = 0; at < line.length; at += 1) {
      const other = line[at] === "x" ? "y" : "x";
      expect(decodeLine(line.slice(0, at) + other + line.slice(at + 1))).toBeUndefined();
    }
  });

  it.each([
    ["a number in place of a table", 3],
    ["a negative flight number", { ...row, k: -1 }],
    ["an unknown outcome", { ...row, outcome: "vanished" }],
    ["an unknown verdict", { ...row, verdicts: [{ ...row.verdicts[0], verdict: "maybe" }] }],
    ["a margin that is not a number", { ...row, verdicts: [{ ...row.verdicts[0], low: "lots" }] }],
    ["a binding without a time", { ...row, verdicts: [{ ...row.verdicts[0], binding: { predicate: "x" } }] }],
    ["a measure that is a string", { ...row, measures: ["lots"] }],
    ["a varied value that is a list", { ...row, varied: [[1]] }],
  ])("are rejected as a row: %s", (_what, given) => {
    expect(rowFrom(given)).toBeUndefined();
  });
});
