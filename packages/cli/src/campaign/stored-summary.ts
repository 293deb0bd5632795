/** Reads the summary in the folder of a campaign. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RESULT_FILES } from "@escapement/campaign";
import type { CampaignSummary } from "@escapement/formats";

/** Returns the summary of an earlier run; undefined if it is missing or cannot be read. */
export function readSummary(folder: string): CampaignSummary | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, RESULT_FILES.summary), "utf8")) as CampaignSummary;
  } catch {
    return undefined;
  }
}
