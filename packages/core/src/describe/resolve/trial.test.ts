/** Errors that only a part can detect become diagnostics with the key, file and line that the user would fix. */
import { describe, expect, it } from "vitest";
import { fixedStepKind } from "../../integrate/fixed-step.ts";
import { defineKind, type PlainObject } from "../../params/index.ts";
import { keyIn } from "./try-parts.ts";
import { makePart } from "../build/make-part.ts";
import { coreRegistry } from "../registry.ts";
import { type Resolution, resolveFlight } from "./resolve.ts";

const resolve = (spec: PlainObject, registry = coreRegistry): Resolution =>
  resolveFlight({ file: "flight", spec, locate: () => ({ line: 7 }) }, registry);
const diagnostics = (spec: PlainObject, registry = coreRegistry) =>
  resolve(spec, registry).errors.map(({ code, where }) => `${code} ${where.key ?? ""}`);

describe("an integrator is built on trial", () => {
  const rk45 = (params: PlainObject) => diagnostics({ integrator: { kind: "rk45", ...params } });

  it.each([
    [
      "a group that the plant does not have",
      { groups: [{ group: "nonsense" }] },
      "INTEGRATE-004 integrator.groups[0].group",
    ],
    ["limits that exclude each other", { minStepUs: 10, maxStepUs: 5 }, "INTEGRATE-008 integrator.maxStepUs"],
    [
      "a relative tolerance alone",
      { groups: [{ group: "position", relative: 1e-6 }] },
      "INTEGRATE-005 integrator.groups[0]",
    ],
    [
      "a group given twice",
      { groups: [{ group: "position", absolute: 1e-6 }, { group: "rotors" }, { group: "position", absolute: 1e-3 }] },
      "INTEGRATE-009 integrator.groups[2].group",
    ],
  ])("%s", (_name, params, diagnostic) => {
    expect(rk45(params)).toEqual([diagnostic]);
  });

  it("has errors with file and line", () => {
    const [error] = resolve({ integrator: { kind: "rk45", minStepUs: 10, maxStepUs: 5 } }).errors;
    expect(error!.where).toMatchObject({ file: "flight", line: 7 });
  });

  it("is not built if there is no plant", () => {
    const spec = { environment: { atmosphere: { kind: "us76", temperatureOffsetK: -150 } } };
    const integrator = { kind: "rk45", minStepUs: 10, maxStepUs: 5 };
    expect(diagnostics({ ...spec, integrator })).toEqual(["AIR-002 environment.atmosphere.temperatureOffsetK"]);
  });
});

describe("a part's own key", () => {
  it.each([
    ["sensors.gnss", { latencyS: 0.1 }, "gnss.latencyS", "sensors.gnss.latencyS"],
    ["sensors.gnss", { latencyS: 0.1 }, "latencyS", "sensors.gnss.latencyS"],
    ["sensors.gnss", { latencyS: 0.1 }, "sensors.gnss.latencyS", "sensors.gnss.latencyS"],
    ["integrator", { groups: [] }, "groups[0].group", "integrator.groups[0].group"],
    ["estimator", { delayS: 0 }, "estimator.delayS", "estimator.delayS"],
    ["vehicle", { propulsion: {} }, "propulsion.reference", "vehicle.propulsion.reference"],
    ["autopilot", {}, "params.CA_ROTOR0_AZ", "autopilot.parameters.CA_ROTOR0_AZ"],
    ["autopilot", {}, "mission.items[3]", "mission.items[3]"],
    ["autopilot", {}, "origin", "environment.origin"],
    ["wind", { shear: [] }, "referenceHeightM", "wind"],
    ["wind", {}, undefined, "wind"],
  ])("of %s %o: %s is %s", (section, params, key, expected) => {
    expect(keyIn(section, params, key)).toBe(expected);
  });

  it("becomes the key of the diagnostic", () => {
    const gnss = { periodS: 0.05, latencyS: 0.013 };
    expect(diagnostics({ sensors: { gnss } })).toEqual(["SENSOR-001 sensors.gnss.periodS"]);
    expect(diagnostics({ sensors: { gnss: { ...gnss, periodS: 0.1 } } })).toEqual(["SENSOR-001 sensors.gnss.latencyS"]);
    const shear = { kind: "shear", referenceHeightM: 0.01 };
    expect(diagnostics({ wind: shear })).toEqual(["WIND-001 wind.referenceHeightM"]);
  });
});

describe("a custom integrator", () => {
  const tableau = { order: 1, c: [0], a: [[]], b: [1] };
  const own = fixedStepKind({ name: "own", about: "Euler by another name", version: 1, tableau });
  const registry = coreRegistry.with({ integrators: [own] });
  const slow = { timeline: { physicsPeriodS: 0.002 }, vehicle: { extends: "iris" } };

  it("follows the same rules on fixed steps as the built-in ones", () => {
    const builtIn = diagnostics({ ...slow, integrator: "euler" });
    expect(builtIn).toContain("FLIGHT-020 timeline.physicsPeriodS");
    expect(diagnostics({ ...slow, integrator: "own" }, registry)).toEqual(builtIn);
  });

  it("gets no physics period if it declares itself adaptive, and no rules apply if it declares nothing", () => {
    const free = coreRegistry.with({ integrators: [{ ...own, stepping: "adaptive" }] });
    expect(resolve({ integrator: "own" }, free).resolved!.definition.timeline.physicsPeriodS).toBe(0);
    const { stepping: _stepping, ...rest } = own;
    const undeclared = coreRegistry.with({ integrators: [defineKind(rest)] });
    expect(diagnostics({ ...slow, integrator: "own" }, undeclared)).toEqual([]);
  });
});

describe("a rotor that stops within one step when it jams", () => {
  const short = { vehicle: { extends: "iris", propulsion: { jamTimeS: 1e-4 } } };
  const jam = { scenario: [{ atS: 5, motorJam: { motor: 1 } }] };

  it("is an error if a rotor jams and the step is fixed", () => {
    expect(diagnostics({ ...short, ...jam, integrator: "rk4" })).toEqual(["FLIGHT-012 vehicle.propulsion.jamTimeS"]);
    expect(diagnostics({ ...short, ...jam, integrator: { kind: "rk4", substepUs: 100 } })).toEqual([]);
    expect(diagnostics({ ...short, ...jam, integrator: "rk45" })).toEqual([]);
    expect(diagnostics(short)).toEqual([]);
    expect(diagnostics(jam)).toEqual([]);
  });
});

describe("a vehicle that cannot lift itself", () => {
  const warningsOf = (vehicle: PlainObject) =>
    resolve({ vehicle }).warnings.map(({ code, what, where }) => `${code} ${where.key}: ${what}`);

  it("gets a warning with its weight and its thrust, and flies", () => {
    expect(warningsOf({ extends: "iris", massKg: 1700 })).toEqual([
      "PLANT-010 vehicle.massKg: mass and inertia do not fit together: the mass would be 0.4 cm from the centre on average, but the rotors are 29.0 cm from it",
      expect.stringMatching(
        /^PLANT-005 vehicle\.massKg: the vehicle cannot lift itself: it weighs 166\d\d\.\d N, but full thrust is 3\d\.\d N$/,
      ),
    ]);
    expect(warningsOf({ extends: "iris-linear", propulsion: { linear: { maxThrustN: 2 } } })).toHaveLength(1);
    expect(diagnostics({ vehicle: { extends: "iris", massKg: 1700 } })).toEqual([]);
  });

  it.each(Object.keys(coreRegistry.vehicles))("%s gets no warning", (name) => {
    expect(warningsOf({ extends: name })).toEqual([]);
  });

  it("is judged with full batteries, not with the charge at the start", () => {
    const packs = coreRegistry.vehicles["iris"]!["batteries"] as readonly PlainObject[];
    expect(warningsOf({ extends: "iris", batteries: packs.map((pack) => ({ ...pack, soc: 0.01 })) })).toEqual([]);
  });
});

describe("other errors", () => {
  it("a timeline that is not a table is reported once", () => {
    expect(diagnostics({ timeline: 3, integrator: "rk45" })).toEqual(["FLIGHT-004 timeline"]);
  });

  it("a sensor's kind must equal its name", () => {
    expect(diagnostics({ sensors: { imu: { kind: "gnss" } } })).toEqual(["FLIGHT-012 sensors.imu.kind"]);
    expect(diagnostics({ sensors: { imu: { kind: "imu" } } })).toEqual([]);
    expect(diagnostics({ sensors: { imu: 3, gnsss: true } })).toEqual([
      "FLIGHT-013 sensors.gnsss",
      "FLIGHT-004 sensors.imu",
    ]);
  });

  it("a time that is too long is out of range, not between two microseconds", () => {
    expect(diagnostics({ timeline: { endS: 1e9 } })).toEqual(["FLIGHT-005 timeline.endS"]);
    const at = (atS: number) => diagnostics({ scenario: [{ atS, arm: true }] });
    expect([1e9, Infinity, 1.5e-6].map(at)).toEqual([
      ["FLIGHT-005 scenario[0].atS"],
      ["FLIGHT-006 scenario[0].atS"],
      ["FLIGHT-011 scenario[0].atS"],
    ]);
  });

  it.each(["windPeriodS", "logPeriodS", "scenarioPeriodS"])(
    "a long flight with a %s of 1 µs is rejected, because it would never end",
    (name) => {
      const timeline = { endS: 5e7, autopilotPeriodS: 0.02, [name]: 1e-6 };
      expect(diagnostics({ timeline, integrator: "rk45" })).toEqual(["FLIGHT-005 timeline.endS"]);
    },
  );

  it("an unknown kind gets the same suggestion in a description and in code", () => {
    const [error] = resolve({ integrator: "rk54" }).errors;
    const names = coreRegistry.integrators.map(({ name }) => name);
    expect(error!.fix).toBe(`did you mean "rk4"? use one of: ${names.join(", ")}`);
    expect(() => makePart(coreRegistry.integrators, "rk54", undefined as never)).toThrow(error!.fix);
  });
});
