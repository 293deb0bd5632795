/** `campaign()`: flies a campaign from a program, with the same rows and results as the command. */
import {
  type CampaignProgress,
  type CampaignSpec,
  campaignVerdict,
  countedRows,
  folderName,
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

/** Settings of a campaign from a program. */
export interface CampaignOptions {
  /** Folder of the journal and the results; by default named after the file, `campaign` for an object. */
  readonly folder?: string;
  /** Flights at the same time; by default one per core. */
  readonly jobs?: number;
  /** Sets the journal of an earlier run aside. Without it, flights that are in the journal are not flown again. */
  readonly fresh?: boolean;
  /** Flies failed and poisoned flights again. */
  readonly retry?: boolean;
  /** False flies every flight, even if the same one was flown before. */
  readonly cache?: boolean;
  /** False writes no page, `report.html`. */
  readonly page?: boolean;
  /** Paths of modules with custom parts: flying threads load them too. */
  readonly modules?: readonly string[];
  /** Ends the campaign early; the same call continues it. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CampaignProgress) => void;
}

/** A campaign that was flown. */
export interface CampaignResult {
  readonly summary: CampaignSummary;
  /** `incomplete`: flights have no result, although the criteria are met. */
  readonly verdict: "met" | "not met" | "open" | "incomplete";
  readonly folder: string;
  /** False if the signal ended it before all flights had a row. */
  readonly isComplete: boolean;
  /** What the user should know although it changes no row, e.g. that a thread was replaced. */
  readonly notes: readonly string[];
  /** The rows in the order of their numbers, read from the journal. */
  rows(): Iterable<Row>;
  /** The description of a flight: `fly` flies it again with the same bits. */
  flight(k: number): FlightSpec<Px4Autopilot>;
}

/**
 * Flies a campaign: an object, or the path of a file. Threads of this machine fly; the folder gets the journal, the table,
 * the summary, JUnit and the page. Throws one typed error that lists every mistake.
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
    openFleet: (events, flights) => openLocalFleet(loaded, events, flights, { jobs }),
  }).finally(() => cache?.close());
  storeCampaign(folder, loaded);
  const { journal, manifest, counted, beyond, criteria, isInterrupted } = run;
  const rows = { journal, manifest, countedEnd: beyond > 0 ? counted : Infinity };
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
