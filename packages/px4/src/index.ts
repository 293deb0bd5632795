/**
 * PX4 as an autopilot: the in-process lockstep library and stock SITL over MAVLink.
 *
 * This is the public interface of the package; everything else is private to its folder. `coreRegistry.with(px4Kinds)`
 * lets a flight name both autopilots. `flyLockstep` flies a flight with the library in a child process, and `flySitl`
 * flies one with a stock PX4 process. `inspectPx4` reports which parts of PX4 this machine has.
 */
import type { ErrorCatalogue } from "@escapement/core";
import { lockstepErrors } from "./lockstep/errors.ts";
import { px4Errors } from "./parameters.ts";
import { sitlErrors } from "./sitl/errors.ts";
import { px4UorbErrors } from "./uorb/index.ts";

export { LOCKSTEP_KIND, px4Kinds, SITL_KIND } from "./kinds.ts";
export { flyLockstep, replayLockstep } from "./lockstep/child.ts";
export type { FlyLockstepOptions } from "./lockstep/child.ts";
export type { ChildFlight } from "./lockstep/child-protocol.ts";
export { checkSitl, flySitl, SITL_SENSORS } from "./sitl/fly-sitl.ts";
export type { FlySitlOptions, SitlFlight } from "./sitl/fly-sitl.ts";
export type { SitlReport, SitlRunOptions } from "./sitl/bridge.ts";
export { lockstepCodeFiles } from "./code-files.ts";
export { inspectPx4 } from "./inspect.ts";
export type { Px4Finding } from "./inspect.ts";

/** Error codes of flights that were stopped before they began. */
export const STOPPED_BEFORE: readonly string[] = [lockstepErrors.stopped.code, sitlErrors.stopped.code];

/** Error codes of flights whose process was lost. The same flight may succeed in another attempt. */
export const PROCESS_LOST: readonly string[] = [lockstepErrors.childDied.code, lockstepErrors.childHangs.code];

/** Every error that this package can throw. */
export const px4Catalogues: readonly ErrorCatalogue[] = [px4Errors, px4UorbErrors, lockstepErrors, sitlErrors];
