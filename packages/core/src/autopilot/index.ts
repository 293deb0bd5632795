/**
 * Autopilots: sources that read the estimate and command the motors.
 *
 * A flight names one of `autopilotKinds`. `embedded` flies like PX4, with PX4's parameters, and needs only this
 * package; `fixed-command` and `none` do not control the plant. A custom controller is an object with one method,
 * `update(clock, bus)`; `controllerSource` turns it into an autopilot (see the example in `custom.ts`). Bridges to
 * external autopilots are in their own packages. If an external autopilot lacks a commander, a land detector or a
 * hover-thrust estimator, its bridge uses the ones here.
 */
import type { Source } from "../engine/contracts.ts";
import type { Kind } from "../params/index.ts";
import type { AutopilotContext } from "./context.ts";
import { embedded } from "./embedded/kind.ts";
import { fixedCommand, none } from "./plain.ts";

/** The built-in autopilots. */
export const autopilotKinds = [embedded, fixedCommand, none] as const satisfies readonly Kind<
  Source<"autopilot">,
  AutopilotContext
>[];

export type { AutopilotContext, ParameterChange, RotorGeometry } from "./context.ts";
export { controllerSource, type Controller } from "./custom.ts";
export { autopilotErrors } from "./errors.ts";
export { EmbeddedAutopilot } from "./embedded/autopilot.ts";
export { Commander } from "./embedded/commander.ts";
export { FenceAreas } from "./embedded/fence.ts";
export { HoverThrust } from "./embedded/hover-thrust.ts";
export { LandDetector, type LandDetectorInputs, landDetectorSettings } from "./embedded/land-detector.ts";
export { PARAMETER_TABLE, type ParameterSpec } from "./embedded/parameter-table.ts";
export { Parameters as AutopilotParameters, parameterSpecs } from "./embedded/parameters.ts";
export { Vehicle as VehicleEstimate } from "./embedded/vehicle.ts";
export { LocalProjection } from "./projection.ts";
