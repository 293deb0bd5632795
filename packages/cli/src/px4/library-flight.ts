/**
 * What a flight with the PX4 library cannot have, because it is flown by another process: a pace, and parts that only
 * this process knows. Refused before it starts, where it would silently be left out or end in a riddle.
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

/** Of one name the later counts, so a part of the user's own may also bear the name of a built-in one. */
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
