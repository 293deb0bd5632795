/** Writes a report as one HTML file. */
import { offlinePage, type PageAssets } from "../shared/offline-page.ts";
import type { ComparisonHead } from "./comparison-head.ts";
import type { FlightHead, ReportBlock } from "./data.ts";
import { float32Bytes } from "./float32.ts";
import { packedHtml, type PackedViewer } from "./packed-viewer.ts";

export type AnyHead = FlightHead | ComparisonHead;

/** One flight, several flights to compare, or a comparison of integrators. */
export type ReportPage = readonly ReportBlock<AnyHead>[];

/** Marks a file as a report page of this program. */
export const PAGE_MARK = '<meta name="generator" content="Escapement report">';

/** `viewer`, if given, is embedded in the report, and the reader can open it. */
export function reportHtml(reports: ReportPage, assets: PageAssets, viewer?: PackedViewer): string {
  const title = [...new Set(reports.map(({ head }) => head.title))].join(", ");
  const blocks = reports.map(({ head, values }) => ({ head, bytes: float32Bytes(values) }));
  return offlinePage({
    title,
    mark: PAGE_MARK,
    blocks,
    assets,
    others: viewer === undefined ? [] : packedHtml(viewer),
  });
}
