/** Makes PX4's own map projection (core/world/geodesy) around the origin of the local frame, in both directions. */
import { invariant, projectionKinds } from "@escapement/core";
import type { GeoPosition, Projection } from "@escapement/core";

export function px4Projection(origin: GeoPosition): Projection {
  const kind = projectionKinds.find(({ name }) => name === "px4");
  invariant(kind !== undefined, "the core does not define PX4's projection");
  return kind.make({}, { origin: { latDeg: origin.latDeg, lonDeg: origin.lonDeg, altMslM: origin.altM } });
}
