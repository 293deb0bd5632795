/** The package's exports: the pages of flights and campaigns, their data, and the viewer. */
export { makeCampaignPage } from "./campaign/data.ts";
export { flightSketch } from "./campaign/sketch.ts";
export { CAMPAIGN_MARK, campaignHtml } from "./campaign/html.ts";
export { makeComparisonReport } from "./report/comparison-data.ts";
export { makeReport, type FlightReport } from "./report/data.ts";
export { PAGE_MARK, reportHtml, type ReportPage } from "./report/html.ts";
export type { PackedViewer } from "./report/packed-viewer.ts";
export type { PageAssets } from "./shared/offline-page.ts";
export { viewErrors } from "./view/errors.ts";
export { type EmbeddedFlight, singleHtml } from "./view/html.ts";
export { encodeFrame } from "./view/live/frames.ts";
export { LiveRun } from "./view/live/live-run.ts";
export { LiveSession, type LiveSource } from "./view/live/live-session.ts";
export type { EventSpec, FromWorker, ToLive } from "./view/protocol.ts";
export { recordedText } from "./view/worker/recorded-text.ts";
export { mustResolveText, plainErrors } from "./view/worker/texts.ts";
export { SERVED_POLICY, VIEW_MARK } from "./view/served-html.ts";
