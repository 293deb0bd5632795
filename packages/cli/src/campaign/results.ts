/** Writes the results of a campaign (table, summary, JUnit and page), and copies of them to the paths in the flags. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import {
  campaignVerdict,
  countedRows,
  RESULT_FILES,
  type ResultsSource,
  summarise,
  writeResults,
} from "@escapement/campaign";
import { canonicalJson } from "@escapement/core";
import type { CampaignSummary } from "@escapement/formats";
import { makeCampaignPage } from "@escapement/viewer";
import { writeCampaignPage } from "../outputs/pages.ts";

interface ResultFlags {
  readonly junit?: string;
  readonly report?: string;
  /** If false, no page is written. */
  readonly page?: boolean;
}

export async function writeAll(folder: string, given: ResultsSource, flags: ResultFlags): Promise<CampaignSummary> {
  const source = withSortedKeys(given);
  const summary = await writeResults(folder, source);
  if (flags.page !== false) await writePageOf(join(folder, RESULT_FILES.page), source, summary);
  if (flags.junit !== undefined) copyFileSync(join(folder, RESULT_FILES.junit), flags.junit);
  if (flags.report !== undefined) copyFileSync(join(folder, RESULT_FILES.page), flags.report);
  return summary;
}

/** Writes only the page. Returns its size in bytes. */
export async function writeReport(path: string, given: ResultsSource): Promise<number> {
  const source = withSortedKeys(given);
  return writePageOf(path, source, summarise(source).summary);
}

/**
 * Sorts the keys, because the keys of a summary that was read from a file are sorted, and the page must be the same.
 */
function withSortedKeys({ manifest, conclusions, ...source }: ResultsSource): ResultsSource {
  const sorted = <T>(table: T) => JSON.parse(canonicalJson(table)) as T;
  return { ...source, manifest: sorted(manifest), conclusions: sorted(conclusions) };
}

async function writePageOf(path: string, source: ResultsSource, summary: CampaignSummary): Promise<number> {
  const { manifest } = source;
  const verdict = campaignVerdict(summary);
  const page = await makeCampaignPage({ manifest, summary, verdict, rows: () => countedRows(source) });
  return writeCampaignPage(path, page, true);
}
