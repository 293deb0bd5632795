/** Compares calibration, steady states and inflow of level "reference" with the numbers of PX4Lockstep.jl. */
import { describe, expect, it } from "vitest";
import { integrator, referenceEnvironment, rig } from "../../../../../../tests/support/plant.ts";
import { resolveVehicle } from "../../vehicle.ts";
import { builtInVehicles } from "../../../describe/vehicles/index.ts";
import { calibrateThrust } from "./calibration.ts";

const near = (actual: number, expected: number, relative = 1e-12) =>
  expect(Math.abs(actual - expected), `${actual} against ${expected}`).toBeLessThanOrEqual(
    relative * Math.abs(expected),
  );

describe("calibration", () => {
  const vehicle = resolveVehicle(builtInVehicles["iris-reference"]!);

  it.each([
    ["iris", 3.67749375, 6.611020796089119e-5],
    ["octa", 2.4516625, 1.171630426366227e-5],
    ["default set", 3.7, 6.887026552253325e-5],
    ["iris on Mars", 1.39125, 3.301765305252956e-6],
  ])("golden: %s", (_name, hoverThrustN, kT) => near(calibrateThrust(vehicle, hoverThrustN), kT));

  it("the weight uses the environment's gravity", () => {
    const mars = rig("iris-reference", {}, referenceEnvironment({ gravityMps2: 3.71 }));
    const { thrust, torque } = mars.plant.constants.rotors[0]!.reference;
    near(thrust, 3.301765305252956e-6);
    near(torque, 1.650882652626478e-7);
  });

  it("[D5] a thrust beyond the motor's limit is an error that names the largest possible thrust", () => {
    // The tail-sitter of PX4Lockstep.jl: each rotor must produce 39.2 N, twice its hover thrust, but only 9.96 N are
    // possible.
    expect(() => calibrateThrust(vehicle, 19.6133)).toThrow(/PLANT-003.*39.23 N.*9.96 N/);
    expect(() => calibrateThrust(vehicle, 9.9 / 2)).not.toThrow();
  });
});

describe("iris-reference", () => {
  it("golden: hover trim at 488 m and at sea level", () => {
    const { rotors, buses, powerW } = rig("iris-reference").plant.trim();
    near(rotors[0]!.speedRadS, 218.1741466651634);
    near(rotors[0]!.duty, 0.5845980359197622);
    near(rotors[0]!.torqueNm, 0.1838747, 1e-6);
    near(rotors[0]!.currentA, 18.3569, 2e-6);
    near(buses[0]!.voltageV, 11.7239655, 3e-9);
    near(buses[0]!.currentA, 43.8017, 1e-6);
    near(powerW, 513.53, 1e-6);
    const sea = rig("iris-reference", {}, referenceEnvironment({ altMslM: 0 })).plant.trim();
    near(sea.rotors[0]!.speedRadS, 213.0951976, 2e-10);
    near(sea.rotors[0]!.duty, 0.5797165875, 2e-10);
    near(sea.buses[0]!.currentA, 43.4337, 1e-6);
  });

  it("golden: full duty gives 1.62 times the weight, not the calibration's 2 (idle current and sag)", () => {
    const { full } = rig("iris-reference").plant.trim();
    near(full.rotors[0]!.speedRadS, 277.484, 1e-6);
    near(full.rotors[0]!.thrustN, 5.94869, 1e-6);
    near(full.rotors[0]!.currentA, 29.31, 1e-4);
    near(full.buses[0]!.voltageV, 10.2074, 1e-5);
    near(full.buses[0]!.currentA, 119.63, 1e-4);
    near(full.thrustToWeight, 1.62, 2e-3);
  });

  it("the trim is an equilibrium of the right-hand side", () => {
    const testRig = rig("iris-reference", { initial: { hovering: true, onGround: false, posNedM: [0, 0, -20] } });
    const trim = testRig.plant.trim({ altitudeM: 508 });
    testRig.set({ motorOutput: trim.rotors.map(({ duty }) => duty) });
    for (const value of [...testRig.rate("velNed"), ...testRig.rate("rateBody")])
      expect(Math.abs(value)).toBeLessThan(1e-9);
    for (const value of testRig.rate("rotorSpeed")) expect(Math.abs(value)).toBeLessThan(1e-7);
  });

  it("golden: times to 63 % of the final speed, and the rotor's pole at hover", () => {
    const rise = (duty: number) => {
      // A large weight keeps the vehicle in place, so that no inflow disturbs the rotors.
      const heavy = { massKg: 9e4, propulsion: { reference: { thrustCoefficient: 6.611020796089119e-5 } } };
      const testRig = rig(
        "iris-reference",
        { ...heavy, contact: { enabled: false } },
        referenceEnvironment({ gravityMps2: 0 }),
      );
      testRig.set({ motorOutput: [duty, duty, duty, duty] });
      const method = integrator("rk4", testRig.plant, testRig.u);
      const speeds: number[] = [];
      testRig.fly(method, { us: 100, steps: 3000 }, () => speeds.push(testRig.get("rotorSpeed")[0]!));
      return (speeds.findIndex((speed) => speed > 0.6321 * speeds[2999]!) + 1) * 0.1;
    };
    expect(rise(0.2)).toBeCloseTo(11.9, 0);
    expect(rise(0.5)).toBeCloseTo(8.3, 0);
    // [D10] PX4Lockstep.jl gives 6.7 ms, because its cut-off holds 9.9 V like a stiff source while the stalled motors
    // start.
    expect(rise(1)).toBeCloseTo(7.2, 1);
    // The pole is −(Kt·Ke/R + b + 2kQρΩ)/J at a constant bus voltage.
    const { rotors, buses } = rig("iris-reference").plant.trim();
    const { speedRadS, duty } = rotors[0]!;
    const { voltageV } = buses[0]!;
    const stiff = rig("iris-reference", {
      contact: { enabled: false },
      batteries: [{ model: "ideal", ocvV: [voltageV, voltageV] }],
    }).set({ posNed: [0, 0, 0] });
    const slope = (speed: number) =>
      stiff.set({ motorOutput: [duty, 0, 0, 0], rotorSpeed: [speed, 0, 0, 0] }).rate("rotorSpeed")[0]!;
    expect((slope(speedRadS + 1e-3) - slope(speedRadS - 1e-3)) / 2e-3).toBeCloseTo(-176.5, 1);
  });

  it("[D17] the hub's velocity adds to the inflow, unless hubInflow is off as in PX4Lockstep.jl", () => {
    const state = { posNed: [0, 0, -30], rotorSpeed: [220, 220, 220, 220], rateBody: [3, 0, 0] };
    const thrusts = (hubInflow: boolean) =>
      Array.from(rig("iris-reference", { propulsion: { hubInflow } }).set(state).outputs().rotorThrust);
    const parity = thrusts(false);
    expect(new Set(parity).size).toBe(1);
    const ours = thrusts(true);
    expect(ours[0]).toBeLessThan(parity[0]!);
    // At a roll rate of 3 rad/s to the right, the hubs move along their axis at ω × r, 0.735 m/s and 0.5625 m/s.
    expect(ours[0]).toBe(ours[2]);
    near(ours[0]! / parity[0]!, 1 / (1 + 8 * ((3 * 0.245) / (220 * 0.127)) ** 2));
    near(ours[1]! / parity[1]!, 1 / (1 + 8 * ((3 * 0.1875) / (220 * 0.127)) ** 2));
  });
});
