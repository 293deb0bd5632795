/**
 * `escapement/px4`: flights with PX4 as the autopilot: as a library in a child process, or as a stock SITL process.
 * Node only.
 */
export {
  checkSitl,
  flyLockstep,
  type FlyLockstepOptions,
  flySitl,
  type FlySitlOptions,
  inspectPx4,
  LOCKSTEP_KIND,
  px4Kinds,
  type Px4Finding,
  SITL_KIND,
  type SitlFlight,
  type SitlRunOptions,
} from "@escapement/px4";
