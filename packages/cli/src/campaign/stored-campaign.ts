/**
 * Reads and writes `campaign.json`, the campaign of a run with all defaults, so that its flights can be flown again.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Campaign,
  CAMPAIGN_FILE,
  campaignErrors,
  readJournal,
  type Row,
  storedJournal,
  writeText,
} from "@escapement/campaign";
import { canonicalJson } from "@escapement/core";
import { rememberFolder } from "./known-campaigns.ts";
import type { LoadedCampaign } from "./load-campaign.ts";

interface Stored {
  readonly campaign: Campaign;
  /** The built-in flight that the base flight extends; null if there is none. */
  readonly root: string | null;
}

/** Writes the campaign to the folder of its run. Returns the text. */
export function storeCampaign(folder: string, { campaign, root }: LoadedCampaign): string {
  const stored: Stored = { campaign, root: root ?? null };
  const text = `${canonicalJson(stored)}\n`;
  writeText(join(folder, CAMPAIGN_FILE), text);
  rememberFolder(campaign.manifest.identity, folder);
  return text;
}

/** Copies the campaign of merged parts to their folder, if one of the parts contains it. */
export function copyStored(parts: readonly string[], folder: string, identity: string): void {
  for (const part of parts) {
    const path = join(part, CAMPAIGN_FILE);
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    if (parseStored(text)?.campaign.manifest.identity !== identity) continue;
    writeText(join(folder, CAMPAIGN_FILE), text);
    rememberFolder(identity, folder);
    return;
  }
}

/** Reads the campaign and the rows of a run's folder. */
export function openStored(folder: string): Stored & { readonly rows: ReadonlyMap<number, Row> } {
  const path = join(folder, CAMPAIGN_FILE);
  const rows = new Map<number, Row>();
  const manifest = readJournal(storedJournal(folder), (row) => rows.set(row.k, row));
  const stored = existsSync(path) ? parseStored(readFileSync(path, "utf8")) : undefined;
  if (stored === undefined || stored.campaign.manifest.identity !== manifest.identity) {
    throw campaignErrors.notStored({
      what: stored === undefined ? "the file is missing or invalid" : "the journal belongs to a different campaign",
      where: { file: path },
      fix: `escapement campaign <file> -o ${folder} writes it; flights that are in the journal are not flown again`,
    });
  }
  return { ...stored, rows };
}

function parseStored(text: string): Stored | undefined {
  try {
    const { campaign, root } = JSON.parse(text) as Stored;
    return typeof campaign?.manifest?.identity === "string" ? { campaign, root } : undefined;
  } catch {
    return undefined;
  }
}
