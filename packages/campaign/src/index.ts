/** Many flights: plans, statistics, searches, and the fleets that fly them. */
export * from "./contracts.ts";
export { campaignCatalogues } from "./catalogues.ts";
export { junitXml } from "./junit/junit.ts";
export * from "./results/summary.ts";
