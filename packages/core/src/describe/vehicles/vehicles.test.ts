/** Every built-in vehicle can hover, is at rest on the ground, and has the typical figures of its class. */
import { describe, expect, it } from "vitest";
import { integrator, referenceEnvironment, rig } from "../../../../../tests/support/plant.ts";
import { us76 } from "../../world/atmosphere/index.ts";
import { builtInVehicles } from "./index.ts";

const sea = referenceEnvironment({
  altMslM: 0,
  atmosphere: us76.make({ temperatureOffsetK: 0, qnhPa: 101325 } as never),
});

describe.each(Object.keys(builtInVehicles))("%s", (name) => {
  it("hovers with power to spare", () => {
    const { rotors, full } = rig(name).plant.trim();
    for (const { duty } of rotors) {
      expect(duty).toBeGreaterThan(0.2);
      expect(duty).toBeLessThan(0.75);
    }
    expect(full.thrustToWeight).toBeGreaterThan(1.5);
    expect(full.thrustToWeight).toBeLessThan(3.5);
  });

  it("in trim, the derivatives of velocity, body rates and rotor speeds are zero", () => {
    const tested = rig(name, {
      initial: { hovering: true, onGround: false, posNedM: [0, 0, -1000] },
      motorActuator: { kind: "direct" },
    });
    const electric = tested.plant.layout.find("rotorSpeed") !== undefined;
    for (const block of ["velNed", "rateBody", ...(electric ? ["rotorSpeed"] : [])]) {
      for (const value of tested.rate(block)) expect(Math.abs(value)).toBeLessThan(1e-4);
    }
  });

  it("is at rest on the ground", () => {
    const tested = rig(name);
    for (const value of [...tested.rate("velNed"), ...tested.rate("rateBody")])
      expect(Math.abs(value)).toBeLessThan(1e-6);
    const start = tested.get("posNed");
    tested.fly(integrator("rk45", tested.plant, tested.u), { us: 4000, steps: 250 });
    tested.get("posNed").forEach((value, i) => expect(value).toBeCloseTo(start[i]!, 6));
    expect(tested.outputs().contactForceNed[2]).toBeCloseTo(-tested.plant.vehicle.massKg * 9.80665, 4);
  });

  it("has a different channel for every rotor", () => {
    const channels = rig(name).plant.vehicle.rotors.map(({ channel }) => channel);
    expect(new Set(channels).size).toBe(channels.length);
  });
});

describe("figures", () => {
  it("[D6] iris has physical figures: hover at 4300–5100 rpm with 160–230 W for 12–20 min, thrust-to-weight ratio of 1.8–2.3", () => {
    for (const environment of [referenceEnvironment(), sea]) {
      const { rotors, powerW, enduranceS, full } = rig("iris", {}, environment).plant.trim();
      const rpm = (rotors[0]!.speedRadS * 60) / (2 * Math.PI);
      expect(rpm).toBeGreaterThan(4300);
      expect(rpm).toBeLessThan(5100);
      expect(powerW).toBeGreaterThan(160);
      expect(powerW).toBeLessThan(230);
      expect(full.thrustToWeight).toBeGreaterThan(1.8);
      // A real IRIS+ hovers with 0.46 of its thrust, which is 2.17 times its weight; ours has 2.20 at 488 m, 2.25 at sea level.
      expect(full.thrustToWeight).toBeLessThan(2.3);
      expect(enduranceS / 60).toBeGreaterThan(12);
      expect(enduranceS / 60).toBeLessThan(20);
    }
  });

  it("[D6] iris-reference has the numbers of PX4Lockstep.jl, which are not physical", () => {
    const { rotors, powerW } = rig("iris-reference").plant.trim();
    expect((rotors[0]!.speedRadS * 60) / (2 * Math.PI)).toBeCloseTo(2083, 0);
    expect(powerW).toBeGreaterThan(500);
  });

  it("iris-linear hovers at half command", () => {
    for (const { duty } of rig("iris-linear").plant.trim().rotors) expect(duty).toBeCloseTo(0.5, 12);
  });
});
