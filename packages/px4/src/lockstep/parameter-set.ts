/**
 * Sets PX4's parameters in the lockstep library at the start of a flight and when one changes. User settings override
 * the vehicle's geometry, which overrides the defaults of the airframe.
 *
 * The library has the parameters of its modules. The parameters of commander, battery and land detector belong to the
 * parts of the core that replace these modules. A parameter file usually also contains other parameters. Their names
 * are returned, so that the flight can list them.
 */
import { parameterSpecs } from "@escapement/core";
import type { AutopilotParameters, ParameterChange } from "@escapement/core";
import type { AutopilotContext } from "../context.ts";
import { allocationParameters, MULTICOPTER_DEFAULTS } from "../parameters.ts";
import type { LockstepRuntime } from "./runtime.ts";

/** A parameter of PX4's output driver, which the library lacks. We apply it ourselves (thrust-curve.ts). */
const THRUST_FACTOR = "THR_MDL_FAC";

/** Sets the parameters at the start of a flight. Returns the names that have no effect. */
export function startParameters(
  runtime: LockstepRuntime,
  context: AutopilotContext,
  withAirframe: boolean,
): readonly string[] {
  const vehicle = withAirframe ? allocationParameters(context.rotors) : {};
  const all = { ...MULTICOPTER_DEFAULTS, ...vehicle, ...context.parameters };
  const known = parameterSpecs(context.rotors);
  const unknown: string[] = [];
  for (const name of Object.keys(all)) {
    const isApplied = known.has(name) || name === THRUST_FACTOR;
    if (!runtime.setIfKnown(name, all[name]!) && !isApplied) unknown.push(name);
  }
  runtime.applyParameters();
  return unknown;
}

/** Returns the user's parameters that apply to the core's replacement parts. */
export function coreParameters(context: AutopilotContext): Record<string, number> {
  const known = parameterSpecs(context.rotors);
  return Object.fromEntries(Object.entries(context.parameters ?? {}).filter(([name]) => known.has(name)));
}

export function changeParameter(runtime: LockstepRuntime, own: AutopilotParameters, change: ParameterChange): void {
  const isOurs = own.specs.has(change.name);
  if (isOurs) own.set(change.name, change.value);
  setInLibrary(runtime, change.name, change.value, isOurs);
}

export function thrustFactor(parameters: Readonly<Record<string, number>> | undefined): number {
  return parameters?.[THRUST_FACTOR] ?? 0;
}

/** Sets a parameter in the library. It may be missing there only if our own parts apply it. */
function setInLibrary(runtime: LockstepRuntime, name: string, value: number, isOurs: boolean): void {
  if (isOurs || name === THRUST_FACTOR) runtime.setIfKnown(name, value);
  else runtime.setParameter(name, value);
}
