/**
 * What a log says of the flight it comes from. One place, so that a log made from a recording has the same bytes as the
 * one written while flying.
 */
import { type Flown, PARAMETER_TABLE, type ParameterSpec } from "@escapement/core";
import type { LogOptions, RecordingFile } from "@escapement/formats";
import { VERSION } from "../version.ts";

const SPECS: Readonly<Record<string, ParameterSpec>> = PARAMETER_TABLE;

export type FlightLogOptions = Pick<LogOptions, "provenance" | "origin" | "projection" | "parameters">;

export function flightLogOptions(flown: Flown, hash: string, version: string): FlightLogOptions {
  return {
    provenance: { escapement: version, flight: flown.name, seed: String(flown.seed), resolved: hash },
    origin: flown.environment.origin,
    projection: flown.environment.projection,
    parameters: Object.entries(flown.autopilot.parameters).map(([name, value]) => ({
      name,
      value,
      type: SPECS[name]?.integer === true ? "int32" : "float",
    })),
  };
}

/** The same of a recording; one that was cut short says so, and one wired by hand knows no flight. */
export function logOptionsOf({ recording, versions, missing }: RecordingFile): FlightLogOptions {
  const version = versions["escapement"] ?? VERSION;
  const flown = recording.resolved as Flown | null;
  const options: FlightLogOptions =
    flown === null ? { provenance: { escapement: version } } : flightLogOptions(flown, recording.resolvedHash, version);
  return missing === undefined ? options : { ...options, provenance: { ...options.provenance, incomplete: missing } };
}
