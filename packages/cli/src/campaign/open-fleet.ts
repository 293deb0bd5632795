/** Opens the fleet for a campaign on this machine: threads, or processes for flights with PX4. */
import { availableParallelism } from "node:os";
import {
  CampaignFlyer,
  type FleetEvents,
  type FleetLimits,
  InProcessFleet,
  type LocalFleet,
  ThreadFleet,
} from "@escapement/campaign";
import type { LoadedCampaign } from "./load-campaign.ts";
import { THREAD_START } from "./thread-entry.ts";

/** Minimum number of flights per thread: starting a thread takes as long as a few flights. */
const FLIGHTS_PER_THREAD = 4;

interface LocalFleetOptions {
  /** Number of concurrent flights; by default at most one per core. */
  readonly jobs?: number | undefined;
  readonly limits?: Partial<FleetLimits>;
  /** Folder for recordings of flights that cannot be flown again; without it they are not recorded. */
  readonly folder?: string;
}

export async function openLocalFleet(
  { campaign, registry, modules }: Pick<LoadedCampaign, "campaign" | "registry" | "modules">,
  events: FleetEvents,
  flights: number,
  { jobs, limits, folder }: LocalFleetOptions,
): Promise<LocalFleet> {
  const lanes = jobs ?? Math.max(1, Math.min(availableParallelism(), Math.ceil(flights / FLIGHTS_PER_THREAD)));
  if (campaign.flownBy === "threads") {
    return new ThreadFleet(
      {
        threads: lanes,
        ...THREAD_START,
        data: { campaign, modules },
        ...(limits === undefined ? {} : { limits }),
      },
      events,
    );
  }
  const { checkPx4, px4Flights } = await import("./px4-flights.ts");
  checkPx4(campaign, registry);
  const stop = new AbortController();
  const flyer = new CampaignFlyer(campaign, { registry, ...px4Flights(registry, { folder, signal: stop.signal }) });
  // Fly one flight at a time with stock PX4, because it misses steps if the machine is busy.
  return new InProcessFleet(flyer, campaign.flownBy === "sitl" ? 1 : lanes, events, stop);
}
