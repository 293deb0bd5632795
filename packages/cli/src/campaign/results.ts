/** Writes everything that comes out of a campaign: table, summary, JUnit and page, and copies where the flags say. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { campaignVerdict, countedRows, RESULT_FILES, type ResultsSource, writeResults } from "@escapement/campaign";
import { canonicalJson } from "@escapement/core";
import type { CampaignSummary } from "@escapement/formats";
import { makeCampaignPage } from "@escapement/viewer";
import { writeCampaignPage } from "../outputs/pages.ts";

interface ResultFlags {
  readonly junit?: string;
  readonly report?: string;
}

export async function writeAll(folder: string, given: ResultsSource, flags: ResultFlags): Promise<CampaignSummary> {
  // The manifest of a journal has its keys in canonical order, a new one does not; the page must not differ.
  const manifest = JSON.parse(canonicalJson(given.manifest)) as ResultsSource["manifest"];
  const source = { ...given, manifest };
  const summary = await writeResults(folder, source);
  const page = await makeCampaignPage({
    manifest,
    summary,
    verdict: campaignVerdict(summary),
    rows: () => countedRows(source),
  });
  writeCampaignPage(join(folder, RESULT_FILES.page), page, true);
  if (flags.junit !== undefined) copyFileSync(join(folder, RESULT_FILES.junit), flags.junit);
  if (flags.report !== undefined) copyFileSync(join(folder, RESULT_FILES.page), flags.report);
  return summary;
}
