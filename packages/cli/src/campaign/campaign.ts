/** `campaign()`: flies a campaign from a program, with the same rows and results as the command. */
import {
  type CampaignProgress,
  type CampaignSpec,
  campaignVerdict,
  countedRows,
  folderName,
  JournalRows,
  type Row,
  RowCache,
  runCampaign,
} from "@escapement/campaign";
import type { FlightSpec, PlainObject } from "@escapement/core";
import type { CampaignSummary } from "@escapement/formats";
import type { Px4Autopilot } from "../index.ts";
import { keepFlights } from "./keep.ts";
import { loadCampaign } from "./load-campaign.ts";
import { descriptionOf } from "./numbered-flight.ts";
import { openLocalFleet } from "./open-fleet.ts";
import { writeAll } from "./results.ts";
import { storeCampaign } from "./stored-campaign.ts";
import { CACHE_FOLDER } from "./run.ts";

/** Options of `campaign()`. */
export interface CampaignOptions {
  /** Folder of the journal and the results. By default it is named after the file, or `campaign` for an object. */
  readonly folder?: string;
  /** Number of concurrent flights; by default one per core. */
  readonly jobs?: number;
  /** Sets the journal of an earlier run aside. Otherwise, flights that are in the journal are not flown again. */
  readonly fresh?: boolean;
  /** Flies failed and poisoned flights again. */
  readonly retry?: boolean;
  /** If false, every flight is flown, even if the same flight was flown before. */
  readonly cache?: boolean;
  /** If false, the page `report.html` is not written. */
  readonly page?: boolean;
  /** Paths of modules with custom parts. Worker threads load them too. */
  readonly modules?: readonly string[];
  /** Ends the campaign early. A later call with the same arguments continues it. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CampaignProgress) => void;
}

/** Result of `campaign()`. */
export interface CampaignResult {
  readonly summary: CampaignSummary;
  /** `incomplete`: the criteria are met, but some flights have no result. */
  readonly verdict: "met" | "not met" | "open" | "incomplete";
  readonly folder: string;
  /** False if the signal ended the campaign before all flights had a row. */
  readonly isComplete: boolean;
  /** Messages for the user that do not affect any row, e.g. that a thread was replaced. */
  readonly notes: readonly string[];
  /** Reads the rows from the journal, in the order of the flight numbers. */
  rows(): Iterable<Row>;
  /** Returns the description of flight k. `fly` flies it again with the same bits. */
  flight(k: number): FlightSpec<Px4Autopilot>;
}

/**
 * Flies a campaign, given as an object or as the path of a file, on this machine. Writes the journal, the table, the
 * summary, JUnit and the page to the folder. Throws one typed error that lists every error in the campaign.
 */
export async function campaign(
  spec: string | CampaignSpec<FlightSpec<Px4Autopilot>>,
  options: CampaignOptions = {},
): Promise<CampaignResult> {
  const loaded = await loadCampaign(
    typeof spec === "string" ? spec : (spec as unknown as PlainObject),
    options.modules,
  );
  const folder = options.folder ?? folderName(typeof spec === "string" ? spec : "");
  const notes: string[] = [];
  const onNote = (text: string) => void notes.push(text);
  const isCached = options.cache !== false && loaded.campaign.manifest.isRepeatable;
  const cache = isCached ? RowCache.open(CACHE_FOLDER, loaded.campaign.manifest) : undefined;
  const { fresh, retry, signal, onProgress, jobs, page = true } = options;
  const run = await runCampaign({
    campaign: loaded.campaign,
    registry: loaded.registry,
    folder,
    cache,
    onNote,
    ...(fresh === undefined ? {} : { fresh }),
    ...(retry === undefined ? {} : { retry }),
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { onProgress }),
    openFleet: (events, flights) => openLocalFleet(loaded, events, flights, { jobs, folder }),
  }).finally(() => cache?.close());
  storeCampaign(folder, loaded);
  const { journal, manifest, counted, beyond, criteria, isInterrupted } = run;
  const rows = { rows: new JournalRows(journal), manifest, countedEnd: beyond > 0 ? counted : Infinity };
  const kept = isInterrupted ? {} : await keepFlights(loaded, { folder, source: rows, onStep: () => {}, onNote });
  const summary = await writeAll(folder, { ...rows, conclusions: { beyond, criteria, ...kept } }, { page });
  const { file } = manifest;
  return {
    summary,
    verdict: campaignVerdict(summary),
    folder,
    isComplete: !isInterrupted,
    notes,
    rows: () => countedRows(rows),
    flight: (k) => descriptionOf(loaded, { file, k, folder }) as unknown as FlightSpec<Px4Autopilot>,
  };
}
