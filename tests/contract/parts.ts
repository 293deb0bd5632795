/**
 * The cases of the contract suites: every registered kind in a short flight in which it has work to do.
 *
 * The lists derive from the registry, so a new kind is included automatically. If a kind has no effect with its
 * default parameters, add one line to `NEEDED_PARAMS`.
 */
import {
  coreRegistry,
  type KindFamily,
  mustResolve,
  type PlainObject,
  type Registry,
  type ResolvedFlight,
  resolveFlight,
} from "@escapement/core";
import { NEEDED_PARAMS } from "../support/needed-params.ts";

export interface ContractPart {
  readonly name: string;
  readonly make: () => ResolvedFlight;
}

/** Functions that put the choice of a kind into a flight description, by family. */
const PLACES: Partial<Record<KindFamily, (choice: PlainObject) => PlainObject>> = {
  winds: (choice) => ({ wind: choice }),
  integrators: (choice) => ({ integrator: choice }),
  estimators: (choice) => ({ estimator: choice }),
  sensors: ({ kind, ...params }) => ({ sensors: { [kind as string]: params } }),
  autopilots: (choice) => ({ autopilot: choice }),
  atmospheres: (choice) => ({ environment: { atmosphere: choice } }),
  gravities: (choice) => ({ environment: { gravity: choice } }),
};

export const families = Object.keys(PLACES) as KindFamily[];

/** Returns a flight from take-off for every kind of a family. */
export function partsOf(family: KindFamily, registry: Registry = coreRegistry): ContractPart[] {
  return registry[family].map(({ name }) => ({
    name: `${family}/${name}`,
    make: () => resolveMission({ ...PLACES[family]!({ kind: name, ...NEEDED_PARAMS[family]?.[name] }) }, registry),
  }));
}

/** Returns one flight with all sensors, because each has its own digest. */
export function sensorsTogether(registry: Registry = coreRegistry): ContractPart {
  const sensors = Object.fromEntries(registry.sensors.map(({ name }) => [name, { ...NEEDED_PARAMS.sensors?.[name] }]));
  return {
    name: "sensors/all",
    make: () => resolveMission({ sensors }, registry, { sensor: "gyro", fault: "noise", level: 0.01 }),
  };
}

/** Returns a flight for every built-in vehicle. */
export function vehicleParts(registry: Registry = coreRegistry): ContractPart[] {
  return Object.keys(registry.vehicles).map((vehicle) => ({
    name: `vehicles/${vehicle}`,
    make: () => resolveMission({ vehicle }, registry),
  }));
}

const FROZEN_ESTIMATE: PlainObject = { sensor: "estimator", fault: "stuck" };

/** Resolves the first seconds of a mission with a gust, a fault and a located event, so that every stage has state. */
function resolveMission(choice: PlainObject, registry: Registry, fault: PlainObject = FROZEN_ESTIMATE): ResolvedFlight {
  const spec = {
    extends: "mission",
    timeline: { endS: 6.6 },
    scenario: [
      { atS: 6.0013, forS: 0.4, gust: { velNedMps: [3, -2, 0] } },
      { when: "altitudeM > 0.4", gust: { velNedMps: [0, 1, 0] }, forS: 0.5234 },
      { atS: 6.1, forS: 0.3, sensorFault: fault },
    ],
    ...choice,
  };
  return mustResolve(resolveFlight({ file: "contract", spec }, registry));
}
