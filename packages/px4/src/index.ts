/**
 * PX4 as an autopilot: the in-process lockstep library and stock SITL over MAVLink.
 *
 * What other packages may use of this one; everything else is private to its folder. `coreRegistry.with(px4Kinds)` lets
 * a flight name both; `flyLockstep` flies one in a child process, `flySitl` one with a stock PX4; `inspectPx4` says what
 * of PX4 this machine has.
 */
import type { ErrorCatalogue } from "@escapement/core";
import { lockstepErrors } from "./lockstep/errors.ts";
import { px4Errors } from "./parameters.ts";
import { sitlErrors } from "./sitl/errors.ts";
import { px4UorbErrors } from "./uorb/index.ts";

export { LOCKSTEP_KIND, px4Kinds, SITL_KIND } from "./kinds.ts";
export { flyLockstep } from "./lockstep/child.ts";
export type { FlyLockstepOptions } from "./lockstep/child.ts";
export type { ChildFlight } from "./lockstep/child-protocol.ts";
export { checkSitl, flySitl, SITL_SENSORS } from "./sitl/fly-sitl.ts";
export type { FlySitlOptions, SitlFlight } from "./sitl/fly-sitl.ts";
export type { SitlReport, SitlRunOptions } from "./sitl/bridge.ts";
export { inspectPx4 } from "./inspect.ts";
export type { Px4Finding } from "./inspect.ts";

/** Codes of flights that were asked to end before they began. */
export const STOPPED_BEFORE: readonly string[] = [lockstepErrors.stopped.code, sitlErrors.stopped.code];

/** Every error that this package can throw. */
export const px4Catalogues: readonly ErrorCatalogue[] = [px4Errors, px4UorbErrors, lockstepErrors, sitlErrors];
