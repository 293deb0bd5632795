/**
 * The data of a campaign's page: its summary, a histogram of margins per requirement, and the points of the scatter plot.
 *
 * `makeCampaignPage` runs where the page is written, in two passes over the rows, so that they need not be in memory. The
 * bytes follow from the rows and the summary.
 */
import { type CampaignSummary, decidedMargin, type Manifest, type Row } from "@escapement/formats/campaigns";
import type { DataBlock } from "../shared/offline-page.ts";
import { columnNames, Extent, type PageColumn, valuesOf } from "./extents.ts";
import { type Histogram, HistogramBuilder } from "./histogram.ts";
import { bytesPerPoint, encodeColumns, type PointValue } from "./points.ts";
import { Thinning } from "./thinning.ts";

export interface CampaignPageHead {
  readonly kind: "campaign";
  readonly summary: CampaignSummary;
  /** The verdict on the whole campaign. */
  readonly verdict: string;
  readonly columns: readonly PageColumn[];
  readonly points: number;
  /** Flights that violate a requirement or have no result, and how many of them are points. */
  readonly notable: number;
  readonly notablePoints: number;
  /** One per requirement. */
  readonly histograms: readonly Histogram[];
}

interface CampaignPageSource {
  readonly manifest: Manifest;
  readonly summary: CampaignSummary;
  readonly verdict: string;
  /** Reads the rows from the first to the last, in the order of their numbers. It is called twice. */
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
  const thinning = new Thinning({ flights, notable, bytesPerPoint: bytesPerPoint(codings) }, ofKeys(codings));
  const histograms = histogramsOf(columns);
  const values: PointValue[][] = columns.map(() => []);
  let notablePoints = 0;
  for await (const row of rows()) {
    row.verdicts.forEach((each, i) => {
      const margin = decidedMargin(each);
      if (margin !== undefined) histograms[i]!.add(margin, each.verdict === "violated");
    });
    const rowValues = valuesOf(manifest, row);
    if (!thinning.keeps(row.k, isNotable(row), ofKeys(rowValues))) continue;
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

/** The first pass: codings of the columns, and the numbers of flights. */
async function describeColumns(
  manifest: Manifest,
  rows: Iterable<Row> | AsyncIterable<Row>,
): Promise<{ columns: PageColumn[]; notable: number; flights: number }> {
  const names = columnNames(manifest);
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
