/**
 * The public API of the codecs: reads flight, mission and parameter files; writes and reads logs and recordings.
 *
 * Nothing here uses a file system, so it runs in browsers; file handles are in `@escapement/formats/node`.
 */
import type { ErrorCatalogue } from "@escapement/core";
import { logErrors } from "./logs/errors.ts";
import { checkpointErrors } from "./checkpoint/checkpoint.ts";
import { recordingErrors } from "./mcap/errors.ts";
import { tableErrors } from "./tables/columns.ts";
import { fileErrors } from "./text/file-errors.ts";

export type { ByteSource } from "./bytes/byte-source.ts";
export type { ReadLimits } from "./bytes/read-budget.ts";
export { fileErrors } from "./text/file-errors.ts";
export { decodeCheckpoint } from "./checkpoint/checkpoint.ts";
export * from "./campaigns/index.ts";
export * from "./missions/index.ts";
export { readParams, writeParams } from "./params/params-file.ts";
export { readPropeller } from "./propellers/propeller-file.ts";
export { addEvents, eventToml, flightFileName, listEvents, removeEvent, replaceEvent } from "./flights/event-text.ts";
export { setTimelineEnd } from "./flights/timeline-text.ts";
export { excerptOf, storeExcerpt } from "./flights/excerpts.ts";
export { FlightLayers, type TextFiles } from "./flights/flight-layers.ts";
export { readFlightText, type FlightText } from "./flights/flight-text.ts";
export { offersAt } from "./flights/offers.ts";
export { tomlText, tomlValue } from "./flights/toml-text.ts";
export * from "./logs/index.ts";
export { readPlainParquet } from "./parquet/plain.ts";
export * from "./recording/index.ts";
export * from "./tables/index.ts";

/** Every error of the codecs, for `explain` and the docs. */
export const formatCatalogues: readonly ErrorCatalogue[] = [
  fileErrors,
  logErrors,
  recordingErrors,
  checkpointErrors,
  tableErrors,
];
