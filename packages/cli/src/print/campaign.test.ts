/** The text of a campaign on the terminal: it breaks between its parts, so that commands stay in one piece. */
import { describe, expect, it } from "vitest";
import type { CampaignSummary } from "@escapement/formats";
import { campaignLines, sensitivityLines } from "./campaign.ts";
import { colourful, colourless, joinParts, width } from "./style.ts";

const flights = { holds: 16, violated: 0, undecided: 0, untested: 0 };
const shown = {
  requirements: [
    { name: "stays upright", flights, least: { k: 14, margin: 12.6, unit: "deg" } },
    { name: "low", flights: { ...flights, holds: 9, violated: 7 }, least: null },
  ],
  criteria: [
    {
      text: "P(stays upright) >= 99 % with 95 % confidence",
      verdict: "open",
      estimate: 1,
      low: 0.794,
      high: 1,
      isProbability: true,
      unit: "1",
      reason: "the interval contains the limit; about 352 more flights would decide it",
    },
  ],
  worst: [14, 15, 3].map((k) => ({ k, requirement: 0, margin: 12.6, unit: "deg" })),
  failedFlights: 0,
  outcomes: {},
} as unknown as Parameters<typeof campaignLines>[0] & Pick<CampaignSummary, "worst">;
const command = (k: number) => `escapement fly a-campaign-with-a-long-name.campaign.toml#${k}`;
const linesAt = (columns: number, style = colourless) =>
  campaignLines(shown, command, { style, columns }).flatMap((text) => text.split("\n"));

describe("the lines of a campaign", () => {
  it.each([70, 80, 100, 120])("fit %d columns, and commands stay in one piece", (columns) => {
    for (const style of [colourless, colourful]) {
      const lines = linesAt(columns, style);
      expect(Math.max(...lines.map(width))).toBeLessThan(columns);
      expect(lines.filter((line) => line.includes(command(14)))).toHaveLength(1);
    }
  });

  it("are aligned in columns and not broken if they fit", () => {
    const lines = linesAt(200);
    expect(lines).toHaveLength(4);
    expect(lines.slice(0, 2)).toEqual([
      "  stays upright   holds 16              least margin 12.6 deg  #14",
      "  low             holds 9  violated 7",
    ]);
  });
});

describe("the effects of the keys", () => {
  const effects = [
    { name: "S1", value: 0.58, low: -0.34, high: 1.6 },
    { name: "ST", value: 0.44 },
  ];
  const sensitivity = [{ of: "margin of low", method: "", keys: [{ key: "wind.w20Mps", effects }] }];
  const printed = (planKind: string, columns: number) =>
    sensitivityLines({ sensitivity }, planKind, { style: colourless, columns });

  it("are printed if the plan was made to find them", () => {
    expect(printed("sobol-indices", 80)).toEqual([
      "  margin of low",
      "    key          S1                     ST",
      "    wind.w20Mps  0.580 (−0.340 … 1.60)  0.440",
    ]);
    expect(printed("random", 80)).toEqual([]);
  });

  it("are continued below if they do not fit", () => {
    expect(Math.max(...printed("morris", 42).map(width))).toBeLessThanOrEqual(42);
  });
});

describe("parts that are joined", () => {
  it("keep the columns aligned after an empty cell, and begin no line with an empty cell", () => {
    expect(joinParts(["a", "    ", "b", ""], 40, "  ")).toBe("a          b");
    expect(joinParts(["aaaaaa", "      ", "bbb"], 10, "  ")).toBe("aaaaaa\n  bbb");
  });
});
