/** Flies flights of a campaign with PX4, each in a separate process that this process supervises. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Campaign } from "@escapement/campaign";
import {
  type FlightResult,
  type Measure,
  mustResolve,
  type Registry,
  type ResolvedFlight,
  resolveFlight,
  type SimError,
} from "@escapement/core";
import { checkSitl, flyLockstep, flySitl, LOCKSTEP_KIND, PROCESS_LOST } from "@escapement/px4";
import { writeFromRecording } from "../outputs/flight-outputs.ts";
import { FLIGHTS_FOLDER, type OutputPaths, pageOf, recordingOf, recordingOnly } from "./kept-files.ts";

interface Px4FlightOptions {
  readonly k: number;
  readonly measures: readonly Measure[];
}

interface CampaignFlightOptions {
  /** Folder for recordings of flights with stock PX4; without it they are not recorded. */
  readonly folder?: string | undefined;
  /** Ends the flights in progress, which then have no row. */
  readonly signal: AbortSignal;
}

/**
 * Returns the functions that fly. Flights with stock PX4 are not repeatable, so those that violate a requirement are
 * recorded immediately.
 */
export function px4Flights(
  registry: Registry,
  { folder, signal }: CampaignFlightOptions,
): {
  readonly flyOutside: (resolved: ResolvedFlight, options: Px4FlightOptions) => Promise<FlightResult>;
  readonly isLost: (error: SimError) => boolean;
} {
  const flyStock = async (resolved: ResolvedFlight, { k, measures }: Px4FlightOptions): Promise<FlightResult> => {
    // The recording of an earlier run shows a different flight than the new row.
    if (folder !== undefined)
      for (const name of [recordingOf(k), pageOf(k)]) rmSync(join(folder, name), { force: true });
    const { flight } = await flySitl(resolved, { registry, measures, signal });
    const isKept = folder !== undefined && !signal.aborted;
    if (isKept && flight.verdicts.some(({ verdict }) => verdict === "violated")) {
      mkdirSync(join(folder, FLIGHTS_FOLDER), { recursive: true });
      await writeFromRecording(recordingOnly(resolved, join(folder, recordingOf(k))), flight, flight.recording);
    }
    return flight;
  };
  return {
    flyOutside: async (resolved, options) =>
      resolved.definition.autopilot.kind === LOCKSTEP_KIND
        ? flyLockstep(resolved, { record: false, measures: options.measures, signal })
        : flyStock(resolved, options),
    isLost: ({ code }) => PROCESS_LOST.includes(code),
  };
}

/** Throws if every flight with stock PX4 would fail: the program is missing, or its estimator lacks a sensor. */
export function checkPx4({ base, flownBy, manifest }: Campaign, registry: Registry): void {
  if (flownBy === "sitl") checkSitl(mustResolve(resolveFlight({ file: manifest.file, spec: base }, registry)));
}

/** Flies a flight with the PX4 library and writes its recording. */
export async function flyAndRecord(resolved: ResolvedFlight, paths: OutputPaths): Promise<FlightResult> {
  const flight = await flyLockstep(resolved, { record: true });
  await writeFromRecording(paths, flight, flight.recording);
  return flight;
}
