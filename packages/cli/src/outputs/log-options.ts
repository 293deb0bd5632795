/**
 * What a log says of the flight it comes from. One place, so that a log made from a recording has the same bytes as the
 * one written while flying.
 */
import { type FlightDefinition, PARAMETER_TABLE, type ParameterSpec } from "@escapement/core";
import type { LogOptions, RecordingFile } from "@escapement/formats";
import { VERSION } from "../version.ts";

const SPECS: Readonly<Record<string, ParameterSpec>> = PARAMETER_TABLE;

type FlightLogOptions = Pick<LogOptions, "provenance" | "origin" | "projection" | "parameters">;

export function flightLogOptions(definition: FlightDefinition, hash: string, version: string): FlightLogOptions {
  return {
    provenance: { escapement: version, flight: definition.name, seed: String(definition.seed), resolved: hash },
    origin: definition.environment.origin,
    projection: definition.environment.projection,
    parameters: Object.entries(definition.autopilot.parameters).map(([name, value]) => ({
      name,
      value,
      type: SPECS[name]?.integer === true ? "int32" : "float",
    })),
  };
}

/** The same of a recording; one that was cut short says so, and one wired by hand knows no flight. */
export function logOptionsOf({ recording, versions, missing }: RecordingFile): FlightLogOptions {
  const version = versions["escapement"] ?? VERSION;
  const definition = recording.resolved as FlightDefinition | null;
  const options: FlightLogOptions =
    definition === null
      ? { provenance: { escapement: version } }
      : flightLogOptions(definition, recording.resolvedHash, version);
  return missing === undefined ? options : { ...options, provenance: { ...options.provenance, incomplete: missing } };
}
