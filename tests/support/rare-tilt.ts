/** Finds tilts that few flights reach. They are computed from flights, so that changes of the physics do not matter. */
import { coreRegistry, mustResolve, type PlainObject, resolveFlight, Run } from "@escapement/core";

/** A hover in turbulence, cut soon after take-off. */
export const TURBULENT_HOVER = { extends: "hover", timeline: { endS: 7 }, wind: { kind: "dryden", w20Mps: 12 } };

/** Returns the largest tilts of six flights in degrees, in descending order. */
export function tiltsDeg(flight: PlainObject): number[] {
  return [1, 2, 3, 4, 5, 6]
    .map((seed) => {
      const resolved = mustResolve(resolveFlight({ file: "hover", spec: { ...flight, seed } }, coreRegistry));
      return new Run(resolved, { fingerprint: "none" }).toEndNow().result.extremes.tiltMaxDeg;
    })
    .sort((a, b) => b - a);
}
