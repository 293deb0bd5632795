/**
 * Setting changes are checked like the sections that they change; settings that cannot change in flight are rejected.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SimError } from "../../errors/index.ts";
import type { PlainObject } from "../../params/index.ts";
import { checkDefinition } from "../definition/check-definition.ts";
import { hashOf } from "../definition/definition.ts";
import { specOf } from "../definition/definition-spec.ts";
import { coreRegistry } from "../registry.ts";
import { mustResolve, resolveFlight } from "../resolve/resolve.ts";

const BASE = { extends: "mission", timeline: { endS: 10 }, sensors: { gnss: true } };
const resolve = (...scenario: readonly PlainObject[]) =>
  resolveFlight({ file: "flight", spec: { ...BASE, scenario } }, coreRegistry);
const errors = (...scenario: readonly PlainObject[]) =>
  resolve(...scenario).errors.map(({ code, where }) => `${code} ${where.key ?? ""}`);

describe("a change that cannot be made", () => {
  it.each<[string, PlainObject, string]>([
    ["an unknown wind", { wind: { kind: "drydn" } }, "FLIGHT-013 scenario[0].wind.kind"],
    ["a parameter of another wind", { wind: { w20Mps: 3 } }, "FLIGHT-002 scenario[0].wind.w20Mps"],
    ["a wind that is a number", { wind: 3 }, "FLIGHT-004 scenario[0].wind"],
    ["the current wind", { wind: "ou" }, "FLIGHT-003 scenario[0].wind"],
    ["a delay between ticks", { estimator: { delayS: 0.005 } }, "FLIGHT-012 scenario[0].estimator.delayS"],
    ["a sensor that the flight does not have", { sensor: { kind: "imu" } }, "FLIGHT-012 scenario[0].sensor.kind"],
    ["a sensor without a name", { sensor: { latencyS: 0 } }, "FLIGHT-013 scenario[0].sensor.kind"],
    ["a sensor's period", { sensor: { kind: "gnss", periodS: 0.2 } }, "FLIGHT-033 scenario[0].sensor.periodS"],
    [
      "a latency between ticks",
      { sensor: { kind: "gnss", latencyS: 0.005 } },
      "SENSOR-001 scenario[0].sensor.latencyS",
    ],
    ["a negative mass", { vehicle: { massKg: -1 } }, "FLIGHT-005 scenario[0].vehicle.massKg"],
    ["a misspelled key", { vehicle: { masKg: 1 } }, "FLIGHT-002 scenario[0].vehicle.masKg"],
    ["nothing", { vehicle: {} }, "FLIGHT-003 scenario[0].vehicle"],
    ["another vehicle", { vehicle: { extends: "octa" } }, "FLIGHT-033 scenario[0].vehicle.extends"],
    ["the start", { vehicle: { initial: { hovering: true } } }, "FLIGHT-033 scenario[0].vehicle.initial"],
    ["a charge", { vehicle: { batteries: [{ soc: 0.5 }] } }, "FLIGHT-033 scenario[0].vehicle.batteries[0].soc"],
    ["fewer rotors", { vehicle: { rotors: [{}] } }, "FLIGHT-033 scenario[0].vehicle.rotors"],
    ["one more battery", { vehicle: { batteries: [{}, {}] } }, "FLIGHT-033 scenario[0].vehicle.batteries"],
    [
      "rotors without a speed",
      { vehicle: { propulsion: { level: "linear" } } },
      "FLIGHT-033 scenario[0].vehicle.propulsion.level",
    ],
    [
      "an actuator of second order",
      { vehicle: { motorActuator: { kind: "secondOrder" } } },
      "FLIGHT-033 scenario[0].vehicle.motorActuator.kind",
    ],
    ["one RC pair fewer", { vehicle: { batteries: [{ r2Ohm: 0 }] } }, "FLIGHT-033 scenario[0].vehicle.batteries"],
    [
      "an unknown group",
      { integrator: { kind: "rk45", groups: [{ group: "x" }] } },
      "INTEGRATE-004 scenario[0].integrator.groups[0].group",
    ],
    ["no seed", { reseed: {} }, "FLIGHT-003 scenario[0].reseed.seed"],
    ["a period of the timeline", { timeline: { logPeriodS: 1 } }, "FLIGHT-033 scenario[0].timeline"],
    ["the autopilot", { autopilot: "none" }, "FLIGHT-033 scenario[0].autopilot"],
  ])("%s", (_name, action, error) => {
    expect(errors({ at: "5 s", ...action })).toEqual([error]);
  });

  it("a contact too hard for fixed steps", () => {
    const scenario = [{ at: "5 s", vehicle: { contact: { bounceRadS: 500 } } }];
    const fixed = resolveFlight({ file: "flight", spec: { ...BASE, integrator: "rk4", scenario } }, coreRegistry);
    expect(fixed.errors.map(({ code, where }) => `${code} ${where.key}`)).toEqual(["FLIGHT-020 scenario[0].vehicle"]);
    expect(errors(...scenario)).toEqual([]);
  });

  it("one of two changes whose order is known only during the flight", () => {
    const heavy = { when: "altitudeM > 3", vehicle: { massKg: 2 } };
    const rough = { at: "5 s", vehicle: { massKg: 1, drag: { linearNSPerM: 0.3 } } };
    expect(errors(heavy, rough)).toEqual(["FLIGHT-012 scenario[1].vehicle"]);
    expect(errors(heavy, { at: "5 s", vehicle: { massKg: 1 } })).toEqual([]);
    expect(errors({ ...heavy, when: undefined, at: "4 s" } as PlainObject, rough)).toEqual([]);
  });
});

it("a vehicle that becomes too heavy gives a warning at the change", () => {
  const { warnings } = resolve({ at: "5 s", vehicle: { massKg: 9 } });
  expect(warnings.map(({ code, where }) => `${code} ${where.key ?? ""}`)).toEqual([
    "PLANT-005 scenario[0].vehicle.massKg",
  ]);
});

const whole = mustResolve(
  resolve(
    { at: "3 s", wind: { kind: "dryden", w20Mps: 8 } },
    { at: "4 s", wind: { w20Mps: 4 } },
    { at: "4 s", estimator: "truth" },
    { at: "5 s", sensor: { kind: "gnss", latencyS: 0.1 } },
    {
      at: "6 s",
      vehicle: { massKg: 1.2, batteries: [{ capacityAh: 3 }], inertiaKgM2: [0.03, 0, 0, 0, 0.03, 0, 0, 0, 0.05] },
    },
    { at: "7 s", integrator: { kind: "rk45" } },
    { when: "altitudeM > 5", reseed: { seed: 8 } },
  ),
);

describe("a definition with changes", () => {
  it("is accepted by `checkDefinition`, and gives the same flight if it is written as a description", () => {
    const copy = JSON.parse(JSON.stringify(whole.definition)) as PlainObject;
    expect(hashOf(checkDefinition(copy))).toBe(whole.hash);
    const again = mustResolve(resolveFlight({ file: "again", spec: specOf(whole.definition) }, coreRegistry));
    expect(again.hash).toBe(whole.hash);
  });

  it("with any hostile value gives a typed error or a definition", () => {
    const changes = whole.definition.scenario.flatMap(({ params }, i) => (Object.keys(params).length > 0 ? [i] : []));
    fc.assert(
      fc.property(fc.constantFrom(...changes), fc.jsonValue(), fc.nat(), (index, value, at) => {
        const foreign = JSON.parse(JSON.stringify(whole.definition)) as {
          scenario: { params: Record<string, unknown> }[];
        };
        const { params } = foreign.scenario[index]!;
        const keys = Object.keys(params);
        params[keys[at % keys.length]!] = value;
        try {
          checkDefinition(foreign);
        } catch (error) {
          expect(error).toBeInstanceOf(SimError);
        }
      }),
      { numRuns: 300 },
    );
  });
});
