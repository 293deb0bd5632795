/** Names of the files of kept flights. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ResolvedFlight } from "@escapement/core";

/** Subfolder of a campaign's folder. */
export const FLIGHTS_FOLDER = "flights";

export type OutputPaths = ResolvedFlight["settings"]["outputs"];

/** Returns the path of the recording of a flight, relative to the campaign's folder. */
export function recordingOf(k: number): string {
  return `${FLIGHTS_FOLDER}/${k}.mcap`;
}

/** Returns the path of the page of a flight, relative to the campaign's folder. */
export function pageOf(k: number): string {
  return `${FLIGHTS_FOLDER}/${k}.html`;
}

/**
 * Returns the command that shows flight k again; empty if there is none. Flights with stock PX4 are not repeatable, so
 * they can be shown only if they were recorded.
 */
export function commandOf(
  { file, folder, isRepeatable }: { readonly file: string; readonly folder: string; readonly isRepeatable: boolean },
  k: number,
): string {
  if (isRepeatable) return file === "" ? "" : `escapement fly ${file}#${k}`;
  const recording = join(folder, recordingOf(k));
  return existsSync(recording) ? `escapement replay ${recording}` : "";
}

/** Returns the outputs of a flight that is only recorded. The outputs in its description are ignored. */
export function recordingOnly({ settings }: ResolvedFlight, recording: string): OutputPaths {
  return { ...settings.outputs, logs: [], picture: "", recording, overwrite: true };
}
