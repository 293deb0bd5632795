/** Tests vehicle descriptions: forms of inertia, contradictions, and all diagnostics in one error. */
import { describe, expect, it } from "vitest";
import { merge } from "../../../../tests/support/plant.ts";
import { builtInVehicles } from "../describe/vehicles/index.ts";
import type { PlainObject } from "../params/index.ts";
import { contactPoints, inertiaEntries, resolveVehicle, vehicleTable } from "./vehicle.ts";

const iris = builtInVehicles["iris-reference"]!;
const without = (key: string) => Object.fromEntries(Object.entries(iris).filter(([name]) => name !== key));
const rotors = iris["rotors"] as PlainObject[];
const batteries = iris["batteries"] as PlainObject[];

describe("inertia", () => {
  it("a diagonal with products is equivalent to the full tensor", () => {
    const products = resolveVehicle({
      ...iris,
      inertiaDiagKgM2: [0.02, 0.03, 0.04],
      inertiaProductsKgM2: [0.001, 0, 0],
    });
    const whole = resolveVehicle({
      ...without("inertiaDiagKgM2"),
      inertiaKgM2: [0.02, 0.001, 0, 0.001, 0.03, 0, 0, 0, 0.04],
    });
    expect(inertiaEntries(products)).toEqual([0.02, 0.03, 0.04, 0.001, 0, 0]);
    expect(inertiaEntries(whole)).toEqual([0.02, 0.03, 0.04, 0.001, 0, 0]);
  });

  it.each([
    ["asymmetric", { inertiaKgM2: [0.02, 0.001, 0, 0.002, 0.03, 0, 0, 0, 0.04] }, /not symmetric/],
    ["not positive definite", { inertiaDiagKgM2: [1, 1, 1], inertiaProductsKgM2: [2, 0, 0] }, /not positive definite/],
    ["impossible for any body", { inertiaDiagKgM2: [0.01, 0.01, 0.05] }, /exceeds the sum/],
    ["none at all", {}, /inertiaDiagKgM2: 0 values/],
    ["both forms", { inertiaDiagKgM2: [1, 1, 1], inertiaKgM2: [1, 0, 0, 0, 1, 0, 0, 0, 1] }, /given twice/],
    ["too few", { inertiaDiagKgM2: [1, 1] }, /2 values/],
  ])("%s", (_name, given, message) => {
    expect(() => resolveVehicle({ ...without("inertiaDiagKgM2"), ...given })).toThrow(message);
  });
});

describe("keys that depend on each other", () => {
  it.each([
    [
      "a direction of a half",
      { rotors: [{ ...rotors[0], direction: 0.5 }, ...rotors.slice(1)] },
      /rotors\[0\].direction: 0.5 is not a whole number/,
    ],
    ["a direction of zero", { rotors: [{ ...rotors[0], direction: 0 }, ...rotors.slice(1)] }, /0 is not a direction/],
    ["an axis without direction", { rotors: [{ ...rotors[0], axis: [0, 0, 0] }, ...rotors.slice(1)] }, /no direction/],
    ["a channel used twice", { rotors: rotors.map((rotor) => ({ ...rotor, channel: 1 })) }, /share a channel/],
    ["an unknown bus", { rotors: rotors.map((rotor) => ({ ...rotor, bus: "aux" })) }, /no bus "aux"/],
    ["a bus without battery", { buses: [{ name: "main" }, { name: "aux" }] }, /bus "aux" has no battery/],
    ["an ideal battery that shares its bus", { batteries: [...batteries, { model: "ideal" }] }, /ideal battery shares/],
    [
      "a curve with lists of different lengths",
      { batteries: [{ ...batteries[0], ocvSoc: [0, 0.5, 1] }] },
      /2 voltages for 3/,
    ],
    ["a curve that falls", { batteries: [{ ...batteries[0], ocvV: [12, 11] }] }, /decreases with charge/],
    ["a curve out of order", { batteries: [{ ...batteries[0], ocvSoc: [1, 0] }] }, /strictly increasing/],
    [
      "a curve that starts late",
      { batteries: [{ ...batteries[0], ocvSoc: [0.2, 1] }] },
      /ocvSoc: it does not run from/,
    ],
    ["a curve that ends early", { batteries: [{ ...batteries[0], ocvSoc: [0, 0.8] }] }, /ocvSoc: it does not run from/],
    ["a flat hull", { contact: { hullSizeM: [0.5, 0.5, 0] } }, /contact.hullSizeM: a hull needs three sides above 0 m/],
    ["thresholds out of order", { batteries: [{ ...batteries[0], lowSoc: 0.01 }] }, /not ordered/],
    ["no mass", { massKg: 0 }, /massKg/],
    ["servos on one channel", { servos: [{ channel: 1 }, { channel: 1 }] }, /servos share/],
    ["a key that is not known", { masKg: 1 }, /did you mean "massKg"/],
  ])("%s", (_name, changes, message) => {
    expect(() => resolveVehicle({ ...iris, ...changes })).toThrow(message);
  });

  it("reports every problem in one error, with a code", () => {
    expect(() => resolveVehicle({ ...iris, massKg: -1, servos: [{ channel: 9 }] })).toThrow(
      /PLANT-001.*massKg.*servos\[0\].channel/s,
    );
  });
});

describe("contact points", () => {
  it("are the feet, rotor tips and hull corners that the vehicle has", () => {
    const vehicle = resolveVehicle(merge(builtInVehicles["iris"]!, {}));
    const points = contactPoints(vehicle).map(({ what }) => what);
    expect(points.filter((what) => what.startsWith("foot"))).toHaveLength(4);
    expect(points.filter((what) => what.startsWith("tip"))).toHaveLength(4);
    expect(points.filter((what) => what.startsWith("corner"))).toHaveLength(8);
    expect(contactPoints(resolveVehicle(merge(iris, { contact: { enabled: false } })))).toEqual([]);
    const bare = resolveVehicle(merge(iris, { contact: { hullSizeM: [0, 0, 0] } }));
    expect(contactPoints(bare).some(({ what }) => what.startsWith("corner"))).toBe(false);
  });
});

describe("the table", () => {
  it.each(Object.keys(builtInVehicles))(
    "resolves a resolved %s to itself, because defaults lie within their own ranges",
    (name) => {
      const once = resolveVehicle(builtInVehicles[name]!);
      expect(resolveVehicle(once as unknown as PlainObject)).toEqual(once);
    },
  );

  it("describes every parameter", () => {
    const walk = (table: PlainObject): void => {
      for (const param of Object.values(table) as {
        about: string;
        table?: PlainObject;
        unit?: string;
        type: string;
      }[]) {
        expect(param.about.length).toBeGreaterThan(10);
        expect(param.about.endsWith(".")).toBe(true);
        if (["number", "vector", "list"].includes(param.type)) expect(param.unit).toBeTruthy();
        if (param.table !== undefined) walk(param.table);
      }
    };
    walk(vehicleTable);
  });
});
