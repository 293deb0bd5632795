/** Compares hover trim with the plant: with a partial charge, with a cut-off voltage, and if no hover is possible. */
import { describe, expect, it } from "vitest";
import { type Rig, rig } from "../../../../tests/support/plant.ts";
import { builtInVehicles } from "../describe/vehicles/index.ts";
import type { PlainObject } from "../params/index.ts";
import type { Trim } from "./trim.ts";

const HIGH = { onGround: false, posNedM: [0, 0, -1000] };
const ALTITUDE = { altitudeM: 1488 };
const packs = (name: string) => builtInVehicles[name]!["batteries"] as readonly PlainObject[];
const withPacks = (name: string, changes: PlainObject): PlainObject => ({
  batteries: packs(name).map((pack) => ({ ...pack, ...changes })),
});

/** Returns the largest rotor acceleration or relative voltage error of the plant at a working point. */
function imbalance(testRig: Rig, { rotors, buses }: Pick<Trim, "rotors" | "buses">): number {
  testRig.set({ motorOutput: rotors.map(({ duty }) => duty), rotorSpeed: rotors.map(({ speedRadS }) => speedRadS) });
  const voltage = testRig.outputs().busVoltage;
  const off = buses.map(({ voltageV }, i) => Math.abs(voltage[i]! / voltageV - 1));
  return Math.max(...testRig.rate("rotorSpeed").map(Math.abs), ...off);
}

describe("hovering at the start", () => {
  it.each(["iris", "x500", "hexa", "octa", "iris-reference"])("%s is at rest with little charge left", (name) => {
    for (const changes of [{ soc: 0.3 }, { v1V: 0.4 }, { soc: 0.5, v1V: 0.2 }]) {
      const testRig = rig(name, { ...withPacks(name, changes), initial: { ...HIGH, hovering: true } });
      for (const value of [...testRig.rate("velNed"), ...testRig.rate("rotorSpeed")])
        expect(Math.abs(value)).toBeLessThan(1e-4);
    }
  });

  it("packs of different charge share the load", () => {
    const [first, ...others] = packs("octa");
    const testRig = rig("octa", {
      batteries: [{ ...first, soc: 0.4 }, ...others],
      initial: { ...HIGH, hovering: true },
    });
    for (const value of testRig.rate("rotorSpeed")) expect(Math.abs(value)).toBeLessThan(1e-4);
  });
});

describe("a pack with a cut-off voltage", () => {
  it("rejects a hover that would pull it below this voltage", () => {
    const { plant } = rig("iris", withPacks("iris", { cutoffV: 12 }));
    expect(plant.trim().buses[0]!.voltageV).toBeGreaterThan(12);
    expect(() => plant.trim({ soc: 0.5 })).toThrow(/PLANT-004.*bus 1, more than its batteries can supply/);
    expect(() => plant.trim({ soc: 0 })).toThrow(/PLANT-004/);
  });

  it("ends the endurance at this voltage", () => {
    const until = (cutoffV: number) => rig("iris", withPacks("iris", { cutoffV })).plant.trim().enduranceS;
    expect(until(11)).toBeLessThan(0.95 * until(0));
    expect(until(11)).toBeGreaterThan(0.5 * until(0));
  });

  it("limits full duty, as in the plant", () => {
    const testRig = rig("iris", { ...withPacks("iris", { cutoffV: 11.8 }), initial: HIGH });
    const { full } = testRig.plant.trim(ALTITUDE);
    const free = rig("iris", withPacks("iris", { cutoffV: 0 })).plant.trim(ALTITUDE).full;
    expect(full.thrustToWeight).toBeLessThan(0.99 * free.thrustToWeight);
    expect(imbalance(testRig, full)).toBeLessThan(1e-3);
  });
});

describe("endurance", () => {
  it("does not reject a hover that a full pack can power", () => {
    const motor = { kvRpmPerV: 2500, resistanceOhm: 0.02 };
    const testRig = rig("iris", {
      propulsion: { motor },
      ...withPacks("iris", { resistanceOhm: 0.2, cutoffV: 0 }),
      initial: HIGH,
    });
    const trim = testRig.plant.trim(ALTITUDE);
    expect(imbalance(testRig, trim)).toBeLessThan(1e-3);
    expect(() => testRig.plant.trim({ soc: 0.1 })).toThrow(/PLANT-004/);
    const strong = rig("iris", { propulsion: { motor } }).plant.trim(ALTITUDE);
    expect(trim.enduranceS).toBeGreaterThan(0);
    expect(trim.enduranceS).toBeLessThan(0.9 * strong.enduranceS);
  });
});

describe("level linear", () => {
  it("cannot hover beyond full duty", () => {
    expect(() => rig("iris-linear", { propulsion: { linear: { maxThrustN: 1 } } }).plant.trim()).toThrow(
      /PLANT-004: rotor 1 needs duty 3\.67/,
    );
  });
});
