/** Finds a tilt that few flights reach from the flights themselves, so that changes of the physics do not matter. */
import { coreRegistry, mustResolve, type PlainObject, resolveFlight, Run } from "@escapement/core";

/** A hover in turbulence, cut soon after take-off. */
export const TURBULENT_HOVER = { extends: "hover", timeline: { endS: 7 }, wind: { kind: "dryden", w20Mps: 12 } };

/** Returns the second largest tilt of six flights, in degrees. */
export function rareTiltDeg(): number {
  const tilts = [1, 2, 3, 4, 5, 6].map((seed) => {
    const spec: PlainObject = { ...TURBULENT_HOVER, seed };
    const resolved = mustResolve(resolveFlight({ file: "hover", spec }, coreRegistry));
    return new Run(resolved, { fingerprint: "none" }).toEndNow().result.extremes.tiltMaxDeg;
  });
  return Number(tilts.sort((a, b) => b - a)[1]!.toFixed(2));
}
