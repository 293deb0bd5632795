/** Implements `escapement campaign report`: writes the page again from the rows and the conclusions in the summary. */
import { join } from "node:path";
import { JournalRows, judgeRows, RESULT_FILES, storedJournal } from "@escapement/campaign";
import { checkPage } from "../outputs/pages.ts";
import { printWritten } from "../print/written.ts";
import { readSummary } from "./stored-summary.ts";
import { writeReport } from "./results.ts";

interface CampaignReportFlags {
  readonly output?: string;
  readonly json?: true;
}

export async function runCampaignReport(folder: string, { output, json }: CampaignReportFlags): Promise<void> {
  const journal = storedJournal(folder);
  const path = output ?? join(folder, RESULT_FILES.page);
  checkPage(path, output === undefined);
  const rows = new JournalRows(journal);
  const { manifest } = rows;
  const before = readSummary(folder);
  const isSame = before?.campaign.identity === manifest.identity && before.campaign.judged === manifest.judged;
  // If there is no summary, the run was killed. Judge the rows that it has.
  const { beyond, criteria, shrunk, kept } = isSame
    ? before
    : { beyond: 0, criteria: judgeRows(manifest, rows, rows.size >= manifest.flights), shrunk: [], kept: [] };
  const countedEnd = isSame && beyond > 0 ? before.flights : Infinity;
  const source = { manifest, rows, countedEnd, conclusions: { beyond, criteria, shrunk, kept } };
  const bytes = await writeReport(path, source);
  printWritten({ path, kind: "page", bytes }, json === true);
}
