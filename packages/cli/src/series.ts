/** Reads files back for scripts: any log or recording as time series by name, and a recording as a whole. */
import { definitionOf, type FlightDefinition } from "@escapement/core";
import { type RecordingFile, type SeriesFile, seriesOfRecording, seriesOfTable } from "@escapement/formats";
import { readAny } from "./load/read-files.ts";
import { cliErrors } from "./errors.ts";
import { logOptionsOf } from "./outputs/logs.ts";
import { registry } from "./registry.ts";

export type { Series, SeriesFile } from "@escapement/formats";

/** Reads a recording, or a log of any kind, as typed arrays by name: `(await readSeries("a.csv")).signal("posNed")`. */
export async function readSeries(path: string): Promise<SeriesFile> {
  const loaded = await readAny(path);
  return loaded.kind === "log" ? seriesOfTable(loaded.table) : seriesOf(loaded.file);
}

/**
 * A recording with its flight definition, ready for `replayFlight`, `compareReplays`, `summarise` and
 * `firstDifference`.
 */
export interface OpenedRecording extends RecordingFile {
  readonly definition: FlightDefinition;
  /** The signals at the log ticks; `recording.streams` contains every change of them. */
  readonly series: SeriesFile;
}

/** Opens a recording file, ready to be replayed, compared and summarised. */
export async function openRecording(path: string): Promise<OpenedRecording> {
  const loaded = await readAny(path);
  if (loaded.kind === "recording") {
    const { file } = loaded;
    return { ...file, definition: definitionOf(file.recording), series: seriesOf(file) };
  }
  throw cliErrors.notARecording({
    what: "the file is a log, not a recording",
    where: { file: path },
    fix: "give a file written by fly --record, or read it with readSeries",
  });
}

function seriesOf(file: RecordingFile): SeriesFile {
  const { provenance } = logOptionsOf({ ...file.recording, ...file });
  return seriesOfRecording(file.recording, provenance, file.missing, registry);
}
