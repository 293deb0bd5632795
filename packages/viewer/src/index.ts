/** The viewer's public API: data and pages of flights and of campaigns. */
export { makeCampaignPage } from "./campaign/data.ts";
export { CAMPAIGN_MARK, campaignHtml } from "./campaign/html.ts";
export { makeComparisonReport } from "./report/comparison-data.ts";
export { makeReport, type FlightReport } from "./report/data.ts";
export { PAGE_MARK, reportHtml, type ReportPage } from "./report/html.ts";
export type { PageAssets } from "./shared/offline-page.ts";
