/** Resolves the paths of a flight's outputs. */
import type { Resolution, ResolvedFlight } from "@escapement/core";
import type { FlightFiles } from "../load/flight-files.ts";

/** Output paths, resolved relative to the file that contains them; for flags, relative to the working folder. */
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
