/** Names of the files of kept flights. */
import type { ResolvedFlight } from "@escapement/core";

/** Subfolder of a campaign's folder. */
export const FLIGHTS_FOLDER = "flights";

export type OutputPaths = ResolvedFlight["settings"]["outputs"];

/** Returns the path of the recording of a flight, relative to the campaign's folder. */
export function recordingOf(k: number): string {
  return `${FLIGHTS_FOLDER}/${k}.mcap`;
}

/** The outputs of a flight that is only recorded, whatever its description asks for. */
export function recordingOnly({ settings }: ResolvedFlight, recording: string): OutputPaths {
  return { ...settings.outputs, logs: [], picture: "", recording, overwrite: true };
}
