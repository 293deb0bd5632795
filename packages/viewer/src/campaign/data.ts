/**
 * The data of a campaign page: its summary, a histogram of margins per requirement, and the points of the scatter plot.
 *
 * `makeCampaignPage` runs when the page is written. It reads the rows twice instead of holding them in memory. The
 * bytes of the page depend only on the arguments.
 */
import { type CampaignSummary, decidedMargin, type Manifest, type Row } from "@escapement/formats/campaigns";
import type { DataBlock } from "../shared/offline-page.ts";
import { columnsOf, Extent, type PageColumn, valuesOf } from "./extents.ts";
import { type Histogram, HistogramBuilder } from "./histogram.ts";
import { bytesPerPoint, encodeColumns, type PointValue } from "./points.ts";
import { PointSampling } from "./point-sampling.ts";

export interface CampaignPageHead {
  readonly kind: "campaign";
  readonly summary: CampaignSummary;
  /** The verdict on the whole campaign. */
  readonly verdict: string;
  readonly columns: readonly PageColumn[];
  readonly points: number;
  /** Number of flights that violate a requirement or have no result, and how many of these are points. */
  readonly notable: number;
  readonly notablePoints: number;
  /** One per requirement. */
  readonly histograms: readonly Histogram[];
}

interface CampaignPageSource {
  readonly manifest: Manifest;
  readonly summary: CampaignSummary;
  readonly verdict: string;
  /** Reads all rows in the order of their flight numbers. Called twice. */
  readonly rows: () => Iterable<Row> | AsyncIterable<Row>;
}

interface CampaignPage extends DataBlock {
  readonly head: CampaignPageHead;
}

export async function makeCampaignPage({
  manifest,
  summary,
  verdict,
  rows,
}: CampaignPageSource): Promise<CampaignPage> {
  const { columns, notable, flights } = await describeColumns(manifest, rows());
  const codings = columns.map(({ coding }) => coding);
  const isVaried = columns.map(({ role }) => role === "varied");
  const ofKeys = <T>(list: readonly T[]) => list.filter((_, i) => isVaried[i]);
  const sampling = new PointSampling({ flights, notable, bytesPerPoint: bytesPerPoint(codings) }, ofKeys(codings));
  const histograms = histogramsOf(columns);
  const values: PointValue[][] = columns.map(() => []);
  let notablePoints = 0;
  for await (const row of rows()) {
    row.verdicts.forEach((each, i) => {
      const margin = decidedMargin(each);
      if (margin !== undefined) histograms[i]!.add(margin, each.verdict === "violated");
    });
    const rowValues = valuesOf(manifest, row);
    if (!sampling.keeps(row.k, isNotable(row), ofKeys(rowValues))) continue;
    if (isNotable(row)) notablePoints += 1;
    rowValues.forEach((value, i) => values[i]!.push(value));
  }
  return {
    head: {
      kind: "campaign",
      summary,
      verdict,
      columns,
      points: values[0]!.length,
      notable,
      notablePoints,
      histograms: histograms.map((histogram) => histogram.finish()),
    },
    bytes: encodeColumns(codings, values),
  };
}

/** First pass: determines the coding of each column, and counts the flights. */
async function describeColumns(
  manifest: Manifest,
  rows: Iterable<Row> | AsyncIterable<Row>,
): Promise<{ columns: PageColumn[]; notable: number; flights: number }> {
  const names = columnsOf(manifest);
  const extents = names.map(() => new Extent());
  let notable = 0;
  let flights = 0;
  for await (const row of rows) {
    flights += 1;
    if (isNotable(row)) notable += 1;
    valuesOf(manifest, row).forEach((value, i) => extents[i]!.add(value));
  }
  const columns = names.map((name, i) => ({
    ...name,
    coding: name.role === "flight" ? ({ kind: "count" } as const) : extents[i]!.coding(),
  }));
  return { columns, notable, flights };
}

function isNotable({ verdicts, fingerprint }: Row): boolean {
  return fingerprint === "" || verdicts.some(({ verdict }) => verdict === "violated");
}

function histogramsOf(columns: readonly PageColumn[]): HistogramBuilder[] {
  return columns.flatMap(({ role, coding }) => {
    if (role !== "margin") return [];
    if (coding.kind === "scaled") return [new HistogramBuilder(coding.min, coding.max)];
    const numbers = coding.kind === "indexed" ? (coding.values as number[]) : [];
    return [new HistogramBuilder(Math.min(0, ...numbers), Math.max(0, ...numbers))];
  });
}
