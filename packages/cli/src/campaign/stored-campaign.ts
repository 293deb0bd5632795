/** `campaign.json` in the folder of a run: the campaign with every default, so that its flights can be flown again. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Campaign, campaignErrors, JOURNAL_FILE, readJournal, type Row, writeText } from "@escapement/campaign";
import { canonicalJson } from "@escapement/core";
import type { LoadedCampaign } from "./load-campaign.ts";

const CAMPAIGN_FILE = "campaign.json";

interface Stored {
  readonly campaign: Campaign;
  /** The built-in flight that the base flight extends; null if there is none. */
  readonly root: string | null;
}

export function storeCampaign(folder: string, { campaign, root }: LoadedCampaign): void {
  const stored: Stored = { campaign, root: root ?? null };
  writeText(join(folder, CAMPAIGN_FILE), `${canonicalJson(stored)}\n`);
}

/** The campaign of a folder and its rows. */
export function openStored(folder: string): Stored & { readonly rows: ReadonlyMap<number, Row> } {
  const path = join(folder, CAMPAIGN_FILE);
  const rows = new Map<number, Row>();
  const manifest = readJournal(join(folder, JOURNAL_FILE), (row) => rows.set(row.k, row));
  const stored = existsSync(path) ? parsed(readFileSync(path, "utf8")) : undefined;
  if (stored === undefined || stored.campaign.manifest.identity !== manifest.identity) {
    throw campaignErrors.notStored({
      what: stored === undefined ? "there is no campaign to read" : "the journal belongs to another campaign",
      where: { file: path },
      fix: `escapement campaign <file> -o ${folder} writes it; what is in the journal is not flown again`,
    });
  }
  return { ...stored, rows };
}

function parsed(text: string): Stored | undefined {
  try {
    const { campaign, root } = JSON.parse(text) as Stored;
    return typeof campaign?.manifest?.identity === "string" ? { campaign, root } : undefined;
  } catch {
    return undefined;
  }
}
