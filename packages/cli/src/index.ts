/**
 * The library face of Escapement on Node: `fly`, and everything of the core for those who build their own parts.
 */
import { flyFlight, type FlightSpec, type FlownFlight, type FlyFlightOptions } from "@escapement/core";
import { FlightFiles } from "./load/flight-files.ts";
import { registry } from "./registry.ts";

export * from "@escapement/core";
export { openRecording, readSeries, type OpenedRecording, type Series, type SeriesFile } from "./series.ts";

/** Flies a description; `extends`, `vehicle`, `mission` and the like may name files, from the working folder on. */
export async function fly(spec: FlightSpec, options: FlyFlightOptions = {}): Promise<FlownFlight> {
  const files = new FlightFiles(options.registry ?? registry);
  return flyFlight(spec, { registry, load: files.load, contents: files.contents, ...options });
}
