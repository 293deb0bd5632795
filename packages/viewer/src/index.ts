/** The viewer's public API: report data and report pages. */
export { makeComparisonReport } from "./report/comparison-data.ts";
export { makeReport, type FlightReport } from "./report/data.ts";
export { PAGE_MARK, reportHtml, type PageAssets, type ReportPage } from "./report/html.ts";
