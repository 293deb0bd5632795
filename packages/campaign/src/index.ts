/** Many flights: plans, statistics, searches, and the fleets that fly them. */
export * from "./contracts.ts";
export { campaignCatalogues } from "./catalogues.ts";
