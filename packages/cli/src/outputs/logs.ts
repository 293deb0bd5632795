/**
 * Opens logs of flights, and makes the metadata about the flight that a log contains.
 *
 * Only this file makes the metadata, so that a log made from a recording has the same bytes as a log written in flight.
 */
import { statSync } from "node:fs";
import { definitionOf, type FlightDefinition, parameterSpecs } from "@escapement/core";
import { type LogOptions, type LogSink, openLog, type RecordingStream } from "@escapement/formats";
import { FileBytes, logKindOfName, openLogFile, type LogFileOptions } from "@escapement/formats/node";
import { STANDARD_STREAM } from "../load/read-files.ts";
import { VERSION } from "../version.ts";
import { StandardOutputBytes } from "./files.ts";

/** Parameters of the embedded autopilot. They show which parameters are integers. */
const SPECS = parameterSpecs([]);

export type FlightLogOptions = Pick<LogOptions, "provenance" | "origin" | "projection" | "parameters">;

export function flightLogOptions(definition: FlightDefinition, hash: string, version: string): FlightLogOptions {
  return {
    provenance: { escapement: version, flight: definition.name, seed: String(definition.seed), resolved: hash },
    origin: definition.environment.origin,
    projection: definition.environment.projection,
    parameters: Object.entries(definition.autopilot.parameters).map(([name, value]) => ({
      name,
      value,
      type: SPECS.get(name)?.integer === true ? "int32" : "float",
    })),
  };
}

/**
 * Like `flightLogOptions`, but for a recording, which may be incomplete. A flight assembled in code has no definition.
 */
export function logOptionsOf({
  resolved,
  resolvedHash,
  versions,
  missing,
}: Pick<RecordingStream, "resolved" | "resolvedHash" | "versions" | "missing">): FlightLogOptions {
  const version = versions["escapement"] ?? VERSION;
  const options: FlightLogOptions =
    resolved === null
      ? { provenance: { escapement: version } }
      : flightLogOptions(definitionOf({ resolved }), resolvedHash, version);
  return missing === undefined ? options : { ...options, provenance: { ...options.provenance, incomplete: missing } };
}

interface WholeLog {
  readonly sink: LogSink;
  /** Returns the size of the file after it is closed. */
  bytes(): number;
}

/**
 * Opens a log that appears under its name only when it is complete. An incomplete log is not kept, because it can be
 * written again.
 */
export async function openWholeLog(path: string, options: LogFileOptions): Promise<WholeLog> {
  if (path === STANDARD_STREAM) {
    const output = new StandardOutputBytes();
    return { sink: await openLog("csv", output, options), bytes: () => output.written };
  }
  const kind = logKindOfName(path);
  const bytes = () => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (kind === "hdf5") return { sink: await openLogFile(path, options), bytes };
  const file = new FileBytes(path, { overwrite: options.overwrite === true, whenComplete: true });
  return { sink: await openLog(kind, file, options), bytes };
}

/** Opens a log that is written during the flight; `-` writes CSV to standard output. */
export function openLiveLog(path: string, options: LogFileOptions): Promise<LogSink> {
  if (path !== STANDARD_STREAM) return openLogFile(path, options);
  return openLog("csv", new StandardOutputBytes(), options);
}
