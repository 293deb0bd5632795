/**
 * Refuses settings that a flight with the PX4 library cannot have, because another process flies it: a pace, and parts
 * that exist only in this process. Without this check they would be ignored, or fail with an unclear error.
 */
import type { ChosenKind, FlightDefinition, KindFamily, Registry, ResolvedFlight } from "@escapement/core";
import { cliErrors } from "../errors.ts";
import { registry } from "../registry.ts";

export function checkLibraryFlight(
  { definition }: ResolvedFlight,
  parts: Registry,
  { paceX }: ResolvedFlight["settings"]["outputs"],
): void {
  if (paceX > 0) {
    throw cliErrors.notWithLibrary({
      what: "a flight with the PX4 library keeps to no pace",
      where: { key: "outputs.paceX" },
      fix: "leave --pace out, or fly with --autopilot px4-sitl",
    });
  }
  const own = chosenKinds(definition).find(([family, chosen]) => isOwn(family, chosen, parts));
  if (own === undefined) return;
  const [, { kind }, key] = own;
  throw cliErrors.notWithLibrary({
    what: `"${kind}" is a part of your own, which the process that flies the PX4 library does not have`,
    where: { key },
    fix: "choose a built-in one, or another autopilot; vehicles and flights of your own can be flown",
  });
}

/** The last kind with a name counts, so one of the user's own parts may replace a built-in one of the same name. */
function isOwn(family: KindFamily, { kind }: ChosenKind, parts: Registry): boolean {
  const found = (from: Registry) => from[family].find(({ name }) => name === kind);
  return found(parts) !== found(registry);
}

function chosenKinds(definition: FlightDefinition): (readonly [family: KindFamily, chosen: ChosenKind, key: string])[] {
  const { wind, integrator, estimator, autopilot, sensors, environment } = definition;
  return [
    ["winds", wind, "wind"],
    ["integrators", integrator, "integrator"],
    ["estimators", estimator, "estimator"],
    ["autopilots", autopilot, "autopilot"],
    ["atmospheres", environment.atmosphere, "environment.atmosphere"],
    ["gravities", environment.gravity, "environment.gravity"],
    ...sensors.map((sensor) => ["sensors", sensor, `sensors.${sensor.kind}`] as const),
  ];
}
