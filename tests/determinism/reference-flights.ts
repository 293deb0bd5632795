/**
 * The flights whose fingerprints are committed, and the one function that flies them: the same module runs in every
 * runtime of the matrix, bundled where there are no modules.
 *
 * Each case is a resolved description; together they touch every integrator, wind, estimator, the contact, the
 * electrical side, located crossings and the embedded autopilot. Short ones (at most 5 simulated seconds) also run in
 * QuickJS, which is ninety times slower.
 */
import {
  coreRegistry,
  flyFlightNow,
  type FingerprintDigests,
  mustResolve,
  type PlainObject,
  type ResolvedFlight,
  resolveFlight,
} from "@escapement/core";

export interface ReferenceFlight {
  readonly name: string;
  readonly spec: PlainObject;
  /** Short enough for an interpreter. */
  readonly isShort: boolean;
}

const free = { timeline: { physicsPeriodS: 0 } };

function short(name: string, spec: PlainObject, endS = 4): ReferenceFlight {
  const timeline = { ...(spec["timeline"] as PlainObject | undefined), endS };
  return { name, spec: { ...spec, timeline }, isShort: true };
}

export const referenceFlights: readonly ReferenceFlight[] = [
  short("mission-start-rk4", { extends: "mission" }),
  short("mission-start-rk45", { extends: "mission", integrator: "rk45", ...free }),
  short("mission-start-rk23", { extends: "mission", integrator: "rk23", ...free }),
  short("mission-start-euler", { extends: "mission", integrator: "euler" }),
  short("exponential-map", { extends: "mission", integrator: { kind: "rk4", attitude: "exponential" } }),
  short("drop", { extends: "drop" }),
  short("dryden", { extends: "mission", wind: "dryden" }),
  short("von-karman", { extends: "mission", wind: "von-karman" }),
  short("located-crossing", {
    extends: "drop",
    scenario: [{ when: "altitudeM < 0.5", gust: { velNedMps: [5, 0, 0] }, forS: 0.1 }],
  }),
  short("iris-reference", {
    extends: "mission",
    vehicle: "iris-reference",
    environment: { gravity: "uniform", atmosphere: "isa-reference" },
  }),
  { name: "mission", spec: { extends: "mission" }, isShort: false },
  { name: "motor-out", spec: { extends: "motor-out" }, isShort: false },
  { name: "hover", spec: { extends: "hover", timeline: { endS: 20 } }, isShort: false },
];

export function resolveReference({ spec, name }: ReferenceFlight): ResolvedFlight {
  return mustResolve(resolveFlight({ file: `reference ${name}`, spec }, coreRegistry));
}

export function flyReference(reference: ReferenceFlight): FingerprintDigests {
  return flyFlightNow(resolveReference(reference)).recording.digests;
}

/** All digests by name: what a runtime of the matrix hands back. */
export function flyAll(onlyShort: boolean): Record<string, FingerprintDigests> {
  const digests: Record<string, FingerprintDigests> = {};
  for (const reference of referenceFlights) {
    if (!onlyShort || reference.isShort) digests[reference.name] = flyReference(reference);
  }
  return digests;
}
