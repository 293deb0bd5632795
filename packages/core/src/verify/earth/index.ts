export { checkReport, FOOT_M, SLUG_KG } from "./check-report.ts";
export type { CheckReport } from "./check-report.ts";
export { EarthBody, earthBody } from "./earth-body.ts";
export type { EarthBodyParams } from "./earth-body.ts";
export { Planet, planetParams } from "./planet.ts";
export { WindProfile } from "./wind-profile.ts";
