/**
 * Warnings about flights that are valid but improbable, and the defaults that make some of the warnings unnecessary.
 */
import { describe, expect, it } from "vitest";
import type { PlainObject } from "../../params/index.ts";
import { coreRegistry } from "../registry.ts";
import { mustResolve, resolveFlight } from "./resolve.ts";

const resolve = (spec: PlainObject) => resolveFlight({ file: "test", spec }, coreRegistry);
const warningsOf = (spec: PlainObject) =>
  resolve(spec).warnings.map(({ code, what, where, fix }) => ({ code, what, key: where.key, fix }));

const rotors = [
  [0.1, 0.1],
  [-0.1, -0.1],
  [0.1, -0.1],
  [-0.1, 0.1],
].map((xy, i) => ({ positionM: [...xy, 0], direction: i < 2 ? 1 : -1, channel: i + 1 }));
const minimal = (changes: PlainObject = {}): PlainObject => ({
  extends: "hover",
  replace: "vehicle",
  vehicle: { massKg: 0.6, inertiaDiagKgM2: [0.004, 0.004, 0.007], rotors, batteries: [{}], ...changes },
});

describe("a plausible flight", () => {
  it.each(Object.keys(coreRegistry.vehicles))("%s has no warnings", (vehicle) => {
    expect(warningsOf({ extends: "mission", vehicle })).toEqual([]);
  });
});

describe("a minimal airframe", () => {
  it("gets the buses that its batteries name", () => {
    const { definition } = mustResolve(resolve(minimal()));
    expect(definition.vehicle.buses).toMatchObject([{ name: "main" }]);
    const split = rotors.map((rotor, i) => ({ ...rotor, bus: i < 2 ? "left" : "right" }));
    const two = mustResolve(resolve(minimal({ rotors: split, batteries: [{ bus: "left" }, { bus: "right" }] })));
    expect(two.definition.vehicle.buses).toMatchObject([{ name: "left" }, { name: "right" }]);
  });

  it("without a battery is reported as one error, not one per rotor", () => {
    expect(resolve(minimal({ batteries: [] })).errors.map(({ where }) => where.key)).toEqual(["vehicle.batteries"]);
  });

  it("without feet gets a warning, and no warning with the suggested feet", () => {
    const [warning, ...more] = warningsOf(minimal());
    expect(more).toEqual([]);
    expect(warning).toMatchObject({ code: "PLANT-006", key: "vehicle.contact.feet" });
    const places = [...warning!.fix.matchAll(/positionM = \[([^\]]+)\]/g)].map(([, list]) =>
      list!.split(",").map(Number),
    );
    expect(places).toHaveLength(4);
    expect(warningsOf(minimal({ contact: { feet: places.map((positionM) => ({ positionM })) } }))).toEqual([]);
  });

  it("needs no feet on a hull that reaches below its rotors, or without contact", () => {
    expect(warningsOf(minimal({ contact: { hullSizeM: [0.1, 0.1, 0.1] } }))).toEqual([]);
    expect(warningsOf(minimal({ contact: { enabled: false } }))).toEqual([]);
  });

  it.each([
    ["rests on its hull", {}, "hull"],
    ["falls through the ground", { rotorTips: false, hullSizeM: [0, 0, 0] }, "falls through the ground"],
  ])("without its feet %s, and gets a warning", (_, contact, what) => {
    const vehicle = { extends: "x500", contact: { feet: [], ...contact } };
    expect(warningsOf({ extends: "mission", vehicle })).toMatchObject([
      { code: "PLANT-006", key: "vehicle.contact.feet", what: expect.stringContaining(what) },
    ]);
  });
});

describe("the inertia", () => {
  const heavy = { massKg: 150, inertiaDiagKgM2: [0.029125, 0.029125, 0.055225] };

  it.each([
    ["a mass that was changed alone", heavy, ["PLANT-010", "PLANT-005"]],
    ["moments in another unit", { inertiaDiagKgM2: [29.125, 29.125, 55.225] }, ["PLANT-010"]],
    ["a mass and moments that were changed together", { massKg: 1.6, inertiaDiagKgM2: [0.03, 0.03, 0.06] }, []],
  ])("is compared with the mass: %s", (_, vehicle, codes) => {
    const warnings = warningsOf({ extends: "mission", vehicle: { extends: "iris", ...vehicle } });
    expect(warnings.map(({ code }) => code)).toEqual(codes);
  });
});

describe("the hover thrust", () => {
  const light = { extends: "mission", vehicle: { extends: "iris", massKg: 0.35 } };

  it("outside the range of the autopilot's estimator gets a warning, and no warning with the suggested value", () => {
    const [warning, ...more] = warningsOf(light);
    expect(more).toEqual([]);
    expect(warning).toMatchObject({ code: "AUTOPILOT-008", key: "autopilot.parameters.MPC_THR_HOVER" });
    const value = Number(/MPC_THR_HOVER = ([\d.]+)/.exec(warning!.fix)![1]);
    expect(warningsOf({ ...light, autopilot: { parameters: { MPC_THR_HOVER: value } } })).toEqual([]);
  });

  it("does not matter to other autopilots", () => {
    expect(warningsOf({ ...light, autopilot: "none" })).toEqual([]);
  });

  it("is not compared if the vehicle cannot lift itself", () => {
    expect(warningsOf({ extends: "hover", vehicle: { extends: "iris", massKg: 3.5 } }).map(({ code }) => code)).toEqual(
      ["PLANT-005"],
    );
  });
});

describe("the parameters of a definition", () => {
  const parameters = (spec: PlainObject) => mustResolve(resolve(spec)).definition.autopilot.parameters;

  it("include defaults, parameters of the vehicle's rotors, and the written values", () => {
    const values = parameters({ extends: "mission", autopilot: { parameters: { MPC_XY_CRUISE: 3 } } });
    expect(values).toMatchObject({ MPC_XY_CRUISE: 3, MPC_Z_P: 1, CA_ROTOR_COUNT: 4 });
    const rows = Object.keys(values).filter((name) => name.endsWith("_PX"));
    expect(rows).toEqual([0, 1, 2, 3].map((i) => `CA_ROTOR${i}_PX`));
    expect(Object.keys(parameters({ extends: "mission", vehicle: "octa" })).length).toBe(
      Object.keys(values).length + 4 * 9,
    );
  });

  it("are the same after a round trip through JSON, and empty for an autopilot without parameters", () => {
    const values = parameters({ extends: "mission" });
    expect(JSON.parse(JSON.stringify(values))).toStrictEqual(values);
    expect(parameters({ extends: "drop" })).toEqual({});
  });
});
