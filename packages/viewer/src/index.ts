/** The public side of the viewer: report data and report pages. */
export { makeComparisonReport, type ComparisonReport, type ComparisonSource } from "./report/comparison-data.ts";
export { makeReport, type FlightReport, type ReportSource } from "./report/data.ts";
export { PAGE_MARK, reportHtml, type PageAssets, type ReportPage } from "./report/html.ts";
