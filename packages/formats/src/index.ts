/**
 * The public face of the codecs: flight, mission and parameter files in, logs and recordings out, and back again.
 * Nothing here touches a file system; what does is in `@escapement/formats/node`.
 */
export { fileErrors } from "./text/file-errors.ts";
export { valueOf, type Reading } from "./text/findings.ts";
export * from "./missions/index.ts";
export { readParams, writeParams, type Parameter, type ParameterType } from "./params-files/params-file.ts";
export { readFlightText, type FlightText } from "./flight-files/flight-text.ts";
export type { Locator, Mark, Place } from "./flight-files/places.ts";
export { formatCatalogues } from "./catalogues.ts";
export * from "./logs/index.ts";
export * from "./recording/index.ts";
export * from "./series/index.ts";
