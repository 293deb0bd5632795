/** Many flights: plans, statistics, searches, and the fleets that fly them. */
export * from "./contracts.ts";
export { campaignCatalogues } from "./catalogues.ts";
export * from "./results/summary.ts";
export type { CampaignDistribution, CampaignPlan, CampaignSpec } from "./spec/campaign-spec.ts";
export { type Campaign, CAMPAIGN_FILE, type FlownBy, type VariedSpec } from "./spec/campaign.ts";
export { selfContained } from "./spec/base-flight.ts";
export { campaignErrors, repeatErrors } from "./spec/errors.ts";
export { searchErrors } from "./search/errors.ts";
export { flattenVary, refusedCampaign, resolveCampaign } from "./spec/resolve-campaign.ts";
export { firstFlightErrors, keyErrors } from "./spec/check-points.ts";
export { factRequirements, isSearch } from "./spec/make-plan.ts";
export { CampaignFlyer } from "./fly/one.ts";
export * from "./fleet/contracts.ts";
export { InProcessFleet } from "./fleet/in-process.ts";
export type { ThreadData } from "./fleet/messages.ts";
export { QueueFleet } from "./fleet/queue/queue-fleet.ts";
export { joinQueue } from "./fleet/queue/queue-worker.ts";
export { serveFlights } from "./fleet/serve.ts";
export { ThreadFleet } from "./fleet/threads.ts";
export { RowCache } from "./rows/cache.ts";
export { JOURNAL_FILE, readJournal, readManifest, storedJournal } from "./rows/journal.ts";
export { JournalRows } from "./rows/journal-rows.ts";
export { compareCampaigns } from "./compare/compare.ts";
export { type CampaignProgress, type CampaignRun, runCampaign } from "./run/coordinator.ts";
export {
  countedRows,
  folderName,
  RESULT_FILES,
  type ResultsSource,
  summarise,
  writeResults,
  writeText,
} from "./run/results.ts";
export type { OtherBuild } from "./run/taken-over.ts";
export { criteriaErrors } from "./run/criteria.ts";
export { judgeRows } from "./run/judge-rows.ts";
export { askedFlights } from "./search/flown-points.ts";
export { judgeAgain } from "./spec/judge-again.ts";
export { shrinkSourceOf } from "./shrink/shrink-source.ts";
export { shrinkFlight, type ShrinkSource, type ShrunkFlightFile } from "./shrink/shrink-flight.ts";
export { changedPaths } from "./shrink/spec-values.ts";
export { mergeJournals } from "./store/merge.ts";
export { ObjectStore } from "./store/object-store.ts";
