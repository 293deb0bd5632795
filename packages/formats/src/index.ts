/**
 * The public face of the codecs: flight, mission and parameter files in, logs and recordings out, and back again.
 * Nothing here touches a file system; what does is in `@escapement/formats/node`.
 */
export { fileErrors } from "./text/file-errors.ts";
export { valueOf, type Reading } from "./text/findings.ts";
export * from "./missions/index.ts";
