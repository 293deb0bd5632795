/**
 * The library face of Escapement on Node: `fly`, and everything of the core for those who build their own parts.
 */
import { flyFlight, type FlownFlight, type FlyFlightOptions, type PlainObject } from "@escapement/core";
import { FlightFiles } from "./load/flight-files.ts";
import { registry } from "./registry.ts";

export * from "@escapement/core";

/** Flies a description; `extends`, `mission` and the like may name files. */
export async function fly(spec: PlainObject, options: FlyFlightOptions = {}): Promise<FlownFlight> {
  const files = new FlightFiles(options.registry ?? registry);
  return flyFlight(spec, { registry, load: files.load, ...options });
}
