/**
 * Summary and table of a campaign: counts, least margins, worst flights, and cells that equal the values of the rows.
 */
import { describe, expect, it } from "vitest";
import {
  decidedMargin,
  flightCommands,
  isTextValue,
  marginText,
  MemoryBytes,
  openResults,
  readResults,
  resultCells,
  resultColumns,
  ResultsWriter,
  type Row,
  type RowVerdict,
  signedMargin,
} from "@escapement/formats";
import {
  decidedVerdict,
  exampleManifest,
  exampleRow,
  exampleRows,
  exampleVerdict,
} from "../../../../tests/support/campaign-rows.ts";
import { campaignSummary, campaignVerdict, SummaryBuilder } from "./summary.ts";

const FLIGHTS = 4100;
const rows = [...exampleRows(FLIGHTS)];

function summaryOf(of: readonly Row[], manifest = exampleManifest) {
  const builder = new SummaryBuilder(manifest);
  for (const row of of) builder.add(row);
  return campaignSummary(manifest, builder.finish());
}

const rowWith = (k: number, ...verdicts: RowVerdict[]): Row => ({ ...exampleRow(k), k, verdicts });

describe("the summary of a campaign", () => {
  const summary = summaryOf(rows);

  it("counts verdicts and outcomes of every flight", () => {
    const count = (requirement: number, word: string) =>
      rows.filter(({ verdicts }) => verdicts[requirement]?.verdict === word).length;
    summary.requirements.forEach(({ flights }, i) => {
      for (const word of ["holds", "violated", "undecided", "untested"] as const)
        expect(flights[word]).toBe(count(i, word));
    });
    expect(Object.values(summary.outcomes).reduce((a, b) => a + b)).toBe(FLIGHTS);
    expect(summary.failedFlights).toBe(1);
    expect(summary.failed.map(({ k, outcome }) => [k, outcome])).toEqual([[4000, "poisoned"]]);
  });

  it("finds the least margin of each requirement, in the unit of its predicate", () => {
    const margins = rows.flatMap(({ k, verdicts }) => {
      const margin = verdicts[0] === undefined ? undefined : decidedMargin(verdicts[0]);
      return margin === undefined ? [] : [{ k, margin }];
    });
    const least = margins.reduce((a, b) => (b.margin < a.margin ? b : a));
    expect(summary.requirements[0]!.least).toMatchObject({ ...least, unit: "m", predicate: "altitude > 2 m" });
    // The predicates have different units, so margins are compared in scales; the least one is given in its own unit.
    const soft = summary.requirements[2]!.least!;
    const { binding, scaledLow } = rows[soft.k]!.verdicts[2]!;
    expect(soft).toMatchObject({ margin: binding!.margin, unit: binding!.unit, predicate: binding!.predicate });
    const others = rows.flatMap(({ verdicts }) => (verdicts[2]?.binding == null ? [] : [verdicts[2].scaledLow]));
    expect(scaledLow).toBe(Math.min(...others));
  });

  it("lists the worst flights once each, worst first", () => {
    const inScales = rows.flatMap(({ k, verdicts }) => {
      const margins = verdicts.flatMap(({ binding, scaledLow }) => (binding === null ? [] : [scaledLow]));
      return margins.length === 0 ? [] : [{ k, least: Math.min(...margins) }];
    });
    inScales.sort((a, b) => a.least - b.least || a.k - b.k);
    expect(summary.worst.map(({ k }) => k)).toEqual(inScales.slice(0, 20).map(({ k }) => k));
    expect(summary.worst[0]!.varied).toEqual(rows[summary.worst[0]!.k]!.varied);
  });

  it("treats a margin of −0 as worse than +0, and writes an infinite margin as a text", () => {
    const manifest = { ...exampleManifest, requirements: exampleManifest.requirements.slice(0, 1) };
    const { worst, requirements } = summaryOf(
      [rowWith(0, decidedVerdict(0)), rowWith(1, decidedVerdict(-0)), rowWith(2, decidedVerdict(-Infinity))],
      manifest,
    );
    expect(worst.map(({ k, verdict }) => [k, verdict])).toEqual([
      [2, "violated"],
      [1, "violated"],
      [0, "holds"],
    ]);
    expect(requirements[0]!.least!.margin).toBe("-inf");
    expect(JSON.parse(JSON.stringify(worst))[0].margin).toBe("-inf");
  });

  it("gets its verdict from the criteria if there are any, and otherwise from the requirements", () => {
    const good = rows.filter(
      ({ verdicts }) => verdicts.length > 0 && verdicts.every(({ verdict }) => verdict === "holds"),
    );
    const met = summaryOf(good);
    expect(campaignVerdict(met)).toBe("met");
    expect(campaignVerdict(summary)).toBe("not met");
    const criterion = {
      text: "P(stays up) >= 90 %",
      verdict: "met" as const,
      reason: "",
      unit: "",
      isProbability: true,
      estimate: 0.95,
      low: 0.94,
      high: 0.96,
      limit: 0.9,
    };
    // The criterion is met, but flight 4000 has no result.
    expect(campaignVerdict({ ...summary, criteria: [criterion] })).toBe("incomplete");
    expect(campaignVerdict({ ...met, criteria: [{ ...criterion, verdict: "open" }] })).toBe("open");
    // An untested requirement that must occur is not met; a violated requirement of severity warning is met.
    expect(campaignVerdict(summaryOf([rowWith(0, exampleVerdict("untested"))]))).toBe("not met");
    expect(campaignVerdict(summaryOf([rowWith(0, decidedVerdict(1), decidedVerdict(-1))]))).toBe("met");
  });
});

describe("the results table of a campaign", () => {
  it("has a column for every value of a row, and null for what a flight does not have", async () => {
    const isText = exampleManifest.keys.map((_, i) => rows.some(({ varied }) => isTextValue(varied[i])));
    const bytes = new MemoryBytes();
    const layout = { manifest: exampleManifest, isText };
    const writer = new ResultsWriter(bytes, resultColumns(layout));
    for (const row of rows) writer.row(resultCells(layout, row));
    await writer.close();
    const columns = await readResults(await openResults(bytes.bytes()));
    const at = (name: string, k: number) => columns.get(name)![k];
    const crashed = rows.find(({ outcome }) => outcome === "crashed")!;
    expect(at("req.stays up.margin", crashed.k)).toBe(crashed.verdicts[0]!.low);
    expect(at("req.stays up.at_s", crashed.k)).toBe(crashed.verdicts[0]!.binding!.tUs / 1e6);
    expect([at("req.lands softly.verdict", crashed.k), at("req.lands softly.margin", crashed.k)]).toEqual([
      "undecided",
      null,
    ]);
    expect(at("settling", crashed.k)).toBe(null);
    expect(at("vary.estimator.kind", 0)).toBe(rows[0]!.varied[5]);
    expect(at("vary.wind.w20Mps", 0)).toBe(rows[0]!.varied[0]);
    expect(["fingerprint", "end_s", "req.stays up.verdict"].map((name) => at(name, 4000))).toEqual([null, null, null]);
    expect(at("outcome", 4000)).toBe("poisoned");
  });
});

describe("texts of rows", () => {
  it("show margins with three digits and their unit", () => {
    expect(marginText("violated", { margin: -2, unit: "m", atS: 33.412 })).toBe("violated by 2.00 m at 33.412 s");
    expect(marginText("violated", { margin: "-inf", unit: "", atS: 3 })).toBe("violated at 3.000 s");
    expect([signedMargin(-0.034567, "m"), signedMargin(12.345, "deg"), signedMargin("inf", "m")]).toEqual([
      "−0.035 m",
      "12.3 deg",
      "∞",
    ]);
  });

  it("quote the campaign's name for a shell", () => {
    expect(flightCommands("gusts.campaign.toml", 411, 9).view).toBe("escapement view gusts.campaign.toml#411");
    expect(flightCommands("my gust's.toml", 7, 9).view).toBe("escapement view 'my gust'\\''s.toml#7'");
  });
});
