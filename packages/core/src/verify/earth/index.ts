export { CHECK_COLUMNS, checkReport, FOOT_M, SLUG_KG } from "./check-report.ts";
export type { CheckReport } from "./check-report.ts";
export { EarthBody, earthBody } from "./earth-body.ts";
export type { EarthBodyParams } from "./earth-body.ts";
export { earthErrors } from "./errors.ts";
export { Planet, planetParams } from "./planet.ts";
export { WindProfile } from "./wind-profile.ts";
