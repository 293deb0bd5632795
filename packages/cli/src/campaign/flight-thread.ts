/** Entry point of a worker thread: loads the program and custom parts once, then flies the flights that it is sent. */
import "@escapement/core/kernels";
import { parentPort, workerData } from "node:worker_threads";
import { CampaignFlyer, serveFlights, type ThreadData } from "@escapement/campaign";
import { withCustomParts } from "../load/custom-parts.ts";
import { registry } from "../registry.ts";

const { campaign, modules } = workerData as ThreadData;

await serveFlights(
  parentPort!,
  async () => new CampaignFlyer(campaign, { registry: await withCustomParts(registry, modules) }),
  modules.length > 0,
);
