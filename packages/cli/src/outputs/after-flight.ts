/**
 * Writes the files of a flight that was flown in another process, from its recording. Logs have the same bytes as if
 * they had been written in flight; the recording lacks the digests of every second.
 */
import type { FlightResult, Recording, ResolvedFlight } from "@escapement/core";
import { encodeRecording, logRecording } from "@escapement/formats";
import { FileBytes } from "@escapement/formats/node";
import { VERSION } from "../version.ts";
import { openWholeLog } from "./log-file.ts";
import { flightLogOptions } from "./log-options.ts";
import { writePicture } from "./picture-file.ts";

export async function writeAfterwards(
  outputs: ResolvedFlight["settings"]["outputs"],
  result: FlightResult,
  recording: Recording,
): Promise<void> {
  const { overwrite, logs, picture } = outputs;
  const { definition, hash } = result.resolved;
  const told = flightLogOptions(definition, hash, VERSION);
  for (const { file, everyRows, columns } of logs) {
    const log = await openWholeLog(file, {
      ...told,
      overwrite,
      every: everyRows,
      ...(columns.length === 0 ? {} : { columns }),
    });
    await logRecording(recording, log.sink);
  }
  if (outputs.recording !== "") {
    const bytes = new FileBytes(outputs.recording, { overwrite, whenComplete: true });
    await encodeRecording(bytes, recording, { versions: { escapement: VERSION } });
  }
  if (picture !== "") writePicture(picture, result, overwrite);
}
