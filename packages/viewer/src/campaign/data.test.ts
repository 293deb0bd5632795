/**
 * The data of a campaign page is small, depends only on the rows, and contains every flight that violates a
 * requirement.
 */
import { describe, expect, it } from "vitest";
import { exampleManifest, exampleRow, exampleRows } from "../../../../tests/support/campaign-rows.ts";
import type { CampaignSummary, Row } from "@escapement/formats/campaigns";
import { makeCampaignPage } from "./data.ts";
import { HistogramBuilder } from "./histogram.ts";
import { cellText, PointTable } from "./point-table.ts";

const summary = {} as CampaignSummary;
const make = (rows: () => Iterable<Row>, manifest = exampleManifest) =>
  makeCampaignPage({ manifest, summary, verdict: "met", rows });

const isNotable = ({ verdicts, fingerprint }: Row) =>
  fingerprint === "" || verdicts.some(({ verdict }) => verdict === "violated");

describe("the points of a campaign page", () => {
  it("include every flight of a small campaign, with values at screen precision", async () => {
    const { head, bytes } = await make(() => exampleRows(4100));
    const table = new PointTable(head.columns, bytes);
    expect(table.size).toBe(4100);
    const wind = table.columns.find(({ name }) => name === "wind.w20Mps")!;
    const margin = table.withRole("margin")[0]!;
    for (const k of [0, 17, 4099]) {
      const row = exampleRow(k);
      const point = table.pointOf(k)!;
      expect(wind.numbers[point]).toBeCloseTo(row.varied[0] as number, 3);
      expect(margin.numbers[point]).toBeCloseTo(row.verdicts[0]!.low, 3);
      expect(
        cellText(
          table.columns.find(({ name }) => name === "estimator.kind")!,
          point,
        ),
      ).toBe(row.varied[5]);
      expect(
        cellText(
          table.columns.find(({ name }) => name.endsWith(".motor"))!,
          point,
        ),
      ).toBe(String(row.varied[3]));
    }
    const poisoned = table.pointOf(4000)!;
    expect(cellText(table.withRole("outcome")[0]!, poisoned)).toBe("poisoned");
    expect(cellText(table.withRole("verdict")[0]!, poisoned)).toBe("—");
  });

  it("are a sample above 20 000 flights, with every flight that violates a requirement or has no result", async () => {
    const rows = [...exampleRows(40_000)];
    const { head, bytes } = await make(() => rows);
    const table = new PointTable(head.columns, bytes);
    const notable = rows.filter(isNotable);
    expect(head.notable).toBe(notable.length);
    expect(head.notablePoints).toBe(notable.length);
    expect(notable.filter(({ k }) => table.pointOf(k) === undefined)).toEqual([]);
    expect(table.size).toBeGreaterThan(15_000);
    expect(table.size).toBeLessThan(21_000);
    // The sample still covers the whole range of a varied key.
    const wind = table.columns.find(({ name }) => name === "wind.w20Mps")!.numbers;
    expect([Math.min(...wind), Math.max(...wind)].map((value) => value.toFixed(1))).toEqual(["3.0", "15.0"]);
  });

  it("stay within their size limit if very many flights violate a requirement", async () => {
    const violated = [...exampleRows(60_000)].map((row) => ({
      ...row,
      verdicts: row.verdicts.map((verdict) => ({ ...verdict, verdict: "violated" as const, low: -1, high: -1 })),
    }));
    const { head, bytes } = await make(() => violated);
    expect(bytes.length).toBeLessThan(1_400_000);
    expect(head.notablePoints).toBeLessThan(head.notable);
  });

  it("have the same bytes for the same rows, read synchronously or asynchronously", async () => {
    const rows = [...exampleRows(500)];
    async function* slowly() {
      for (const row of rows) {
        await Promise.resolve();
        yield row;
      }
    }
    const page = await make(() => rows);
    const again = await makeCampaignPage({ manifest: exampleManifest, summary, verdict: "met", rows: slowly });
    expect(again).toEqual(page);
  });
});

describe("a histogram of margins", () => {
  it("has a bin edge at zero, and counts a margin of zero by its verdict", () => {
    const builder = new HistogramBuilder(-1, 3);
    for (const [margin, isViolated] of [
      [-1, true],
      [0, false],
      [-0, true],
      [3, false],
      [Infinity, false],
      [-Infinity, true],
    ] as const)
      builder.add(margin, isViolated);
    const { from, step, counts, infinite } = builder.finish();
    expect(step).toBe(0.2);
    const zero = Math.round(-from / step);
    expect(counts.slice(0, zero).reduce((a, b) => a + b)).toBe(2);
    expect(counts.slice(zero).reduce((a, b) => a + b)).toBe(2);
    expect(counts[zero]).toBe(1);
    expect(counts[zero - 1]).toBe(1);
    expect(infinite).toEqual([1, 1]);
  });

  it("is empty without margins, and has one bin for one margin", () => {
    expect(new HistogramBuilder(0, 0).finish().counts).toEqual([]);
    const one = new HistogramBuilder(5, 5);
    one.add(5, false);
    expect(one.finish().counts).toEqual([1]);
  });
});
