/**
 * Finds flight k of a campaign by its name and returns its description. Every command that takes a flight accepts such
 * names: `gusts.campaign.toml#4711`, `gusts#4711` for the folder of a run, or `c1:3f9a2c71d0e844b5/4711` for a campaign
 * that was flown in this working folder.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type PlainObject, type Registry } from "@escapement/core";
import {
  askedFlights,
  type Campaign,
  campaignErrors,
  CampaignFlyer,
  folderName,
  isSearch,
  JOURNAL_FILE,
  readJournal,
  type Row,
} from "@escapement/campaign";
import type { NumberedName } from "../load/flight-files.ts";
import { knownFolder } from "./known-campaigns.ts";
import { loadCampaign, type LoadedCampaign } from "./load-campaign.ts";
import { openStored } from "./stored-campaign.ts";

/** The campaign of a numbered flight, and the folder of its journal. */
interface NumberedCampaign extends Pick<LoadedCampaign, "campaign" | "registry" | "root"> {
  readonly folder: string;
}

export async function openNumbered(
  { campaign: named, code }: NumberedName,
  registry: Registry,
): Promise<NumberedCampaign> {
  const source = knownFolder(named) ?? named;
  if (existsSync(join(source, JOURNAL_FILE))) {
    const { campaign, root } = openStored(source);
    if (code !== undefined && !campaign.manifest.code.startsWith(code)) throw otherCode(source, campaign, code);
    return { campaign, registry, root: root ?? undefined, folder: source };
  }
  const { campaign, root } = await loadCampaign(source, [], registry);
  return { campaign, registry, root, folder: folderName(source) };
}

export async function numberedFlight(named: NumberedName, registry: Registry): Promise<PlainObject> {
  const { folder, ...loaded } = await openNumbered(named, registry);
  return descriptionOf(loaded, { file: named.campaign, k: named.k, folder });
}

function otherCode(folder: string, { manifest }: Campaign, code: string): Error {
  return campaignErrors.otherBuild({
    what: `the flights in ${folder} were flown with build ${manifest.code.slice(0, 12)}, not ${code}`,
    where: { file: folder },
    fix: "leave out @ and the build, or use the program of that build",
  });
}

/** Returns the description of flight k of a campaign that was loaded from `file`; `folder` contains its journal. */
export function descriptionOf(
  { campaign, registry }: Pick<LoadedCampaign, "campaign" | "registry">,
  { file, k, folder }: { readonly file: string; readonly k: number; readonly folder: string },
): PlainObject {
  const flyer = new CampaignFlyer(campaign, { registry });
  if (!isSearch(flyer.plan)) {
    if (k < flyer.plan.count) return flyer.flight({ k }).spec;
    throw campaignErrors.noSuchFlight({
      what: `the campaign has only the flights 0 to ${flyer.plan.count - 1}`,
      where: { file: `${file}#${k}` },
      fix: "choose one of them",
    });
  }
  // Replay the search, because it chooses a flight from the rows of the generations before it.
  const path = join(folder, JOURNAL_FILE);
  const rows = new Map<number, Row>();
  if (existsSync(path)) readJournal(path, (row) => rows.set(row.k, row));
  for (const asked of askedFlights(flyer.plan, (number) => rows.get(number)))
    if (asked.k === k) return flyer.flight(asked).spec;
  throw campaignErrors.noSuchFlight({
    what: `according to ${path}, the search has not requested flight ${k}`,
    where: { file: `${file}#${k}` },
    fix: `fly the campaign first; if its results are in a different folder, name that folder: escapement fly <folder>#${k}`,
  });
}
