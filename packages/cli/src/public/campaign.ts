/**
 * `escapement/campaign`: flies many flights from a program, and judges them together. Node only.
 */
export { campaign, type CampaignOptions, type CampaignResult } from "../campaign/campaign.ts";
export type { CampaignDistribution, CampaignPlan, CampaignProgress, CampaignSpec, Row } from "@escapement/campaign";
export type { CampaignSummary } from "@escapement/formats";
