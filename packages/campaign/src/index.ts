/** Many flights: plans, statistics, searches, and the fleets that fly them. */
export * from "./contracts.ts";
export { campaignCatalogues } from "./catalogues.ts";
export { junitXml } from "./junit/junit.ts";
export * from "./results/summary.ts";
export { type Campaign, type FlownBy, type VariedSpec } from "./spec/campaign.ts";
export { campaignErrors } from "./spec/errors.ts";
export {
  type CampaignContext,
  type CampaignResolution,
  refusedCampaign,
  resolveCampaign,
} from "./spec/resolve-campaign.ts";
export { isSearch } from "./spec/make-plan.ts";
export { CampaignFlyer, type FlightOrder, type NumberedFlight } from "./fly/one.ts";
export * from "./fleet/contracts.ts";
export { InProcessFleet } from "./fleet/in-process.ts";
export type { ThreadData } from "./fleet/messages.ts";
export { serveFlights } from "./fleet/serve.ts";
export { ThreadFleet } from "./fleet/threads.ts";
export { RowCache } from "./rows/cache.ts";
export { differenceOf, Journal, JOURNAL_FILE, readJournal, rowsInOrder } from "./rows/journal.ts";
export { type CampaignProgress, type CampaignRun, runCampaign, type RunCampaignOptions } from "./run/coordinator.ts";
export { countedRows, folderName, RESULT_FILES, writeResults, writeText } from "./run/results.ts";
