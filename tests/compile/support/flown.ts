/**
 * Flies a few short flights and returns their code reports. The same module runs from source, under coverage, and
 * bundled for Node and for a browser.
 */
import "@escapement/core/kernels";
import { coreRegistry, flyFlightNow, mustResolve, type PlainObject, resolveFlight } from "@escapement/core";

export interface CodeReport {
  readonly code: string;
  readonly fingerprint: string;
}

/** The tests of the bundled command fly for the same time, and compare the fingerprints. */
export const IRIS_END_S = 1;

/** Short, because every environment compiles them again, which takes longer than flying them. */
const FLIGHTS: Readonly<Record<string, PlainObject>> = {
  iris: { extends: "mission", timeline: { endS: IRIS_END_S } },
  reference: {
    extends: "mission",
    vehicle: "iris-reference",
    environment: { atmosphere: "isa-reference", gravity: "uniform" },
    timeline: { endS: 0.5 },
  },
  adaptive: { extends: "mission", integrator: "rk45", timeline: { endS: 0.5, physicsPeriodS: 0 } },
};

export function flyThem(codegen = true): Record<string, CodeReport> {
  const reports: Record<string, CodeReport> = {};
  for (const [name, spec] of Object.entries(FLIGHTS)) {
    const resolved = mustResolve(resolveFlight({ file: name, spec }, coreRegistry));
    const { end, fingerprint } = flyFlightNow(resolved, coreRegistry, { codegen });
    reports[name] = { code: end.code, fingerprint };
  }
  return reports;
}
