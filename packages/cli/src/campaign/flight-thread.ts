/** What a flying thread runs: it loads the program and custom parts once, then flies the flights that it is sent. */
import { parentPort, workerData } from "node:worker_threads";
import { CampaignFlyer, serveFlights, type ThreadData } from "@escapement/campaign";
import { withOwnParts } from "../load/own-parts.ts";
import { registry } from "../registry.ts";

const { campaign, modules } = workerData as ThreadData;

await serveFlights(
  parentPort!,
  async () => new CampaignFlyer(campaign, { registry: await withOwnParts(registry, modules) }),
  modules.length > 0,
);
