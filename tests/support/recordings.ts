/** Records flights to bytes and reads them back like a file. */
import {
  coreRegistry,
  flyFlightNow,
  type RecordedFlight,
  mustResolve,
  type PlainObject,
  type Recording,
  resolveFlight,
} from "@escapement/core";
import { encodeRecording, MemoryBytes, readRecording } from "@escapement/formats";

export const FLIGHTS = Object.keys(coreRegistry.flights);
export const INTEGRATORS = coreRegistry.integrators.map(({ name }) => name);

/** Flies a built-in flight with changes to its description. */
export function flyBuiltIn(name: string, over: PlainObject = {}): RecordedFlight {
  const spec = { extends: name, ...over };
  return flyFlightNow(mustResolve(resolveFlight({ file: "recorded", spec }, coreRegistry)));
}

export async function throughBytes(recording: Recording): Promise<Recording> {
  const bytes = new MemoryBytes();
  await encodeRecording(bytes, recording);
  return (await readRecording(bytes.bytes())).recording;
}
