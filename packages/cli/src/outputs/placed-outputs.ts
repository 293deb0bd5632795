/** Where the outputs of a flight go. */
import type { Resolution, ResolvedFlight } from "@escapement/core";
import type { FlightFiles } from "../load/flight-files.ts";

/** Paths as they are to be opened: relative to the file that gave them, to the working folder for flags. */
export function placedOutputs(
  { settings: { outputs } }: ResolvedFlight,
  { originOf }: Resolution,
  files: FlightFiles,
): ResolvedFlight["settings"]["outputs"] {
  const place = (key: string, path: string) => (path === "" ? "" : files.pathFrom(path, originOf(key)));
  return {
    ...outputs,
    logs: outputs.logs.map((log) => ({ ...log, file: place("outputs.logs", log.file) })),
    recording: place("outputs.recording", outputs.recording),
    picture: place("outputs.picture", outputs.picture),
  };
}
