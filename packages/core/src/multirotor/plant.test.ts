/** Tests the coupled plant: golden evaluations, geometry, faults, hooks and outputs. */
import { describe, expect, it } from "vitest";
import {
  farthest,
  integrator,
  referenceEnvironment,
  type Rig,
  rig,
  uniformAir,
} from "../../../../tests/support/plant.ts";
import { airInto } from "./equations/air/air.ts";
import { bodyInto } from "./equations/body/rigid-body.ts";
import { motorsInto } from "./equations/rotors/motors.ts";

const free = { contact: { enabled: false } };

describe("golden: the full right-hand side of iris-reference", () => {
  const q = [0.98, 0.05, -0.08, 0.15];
  const length = Math.sqrt(q.reduce((sum, part) => sum + part * part, 0));
  const testRig = rig("iris-reference", free)
    .set({
      posNed: [10, -5, -30],
      velNed: [3, -2, -1],
      qBodyToNed: q.map((part) => part / length),
      rateBody: [0.3, -0.2, 0.5],
      motorOutput: [0.55, 0.6, 0.65, 0.5],
      rotorSpeed: [210, 215, 220, 205],
      batterySoc: [0.8],
      batteryV1: [0.05],
    })
    .input({ windNed: [4, 1, -0.5] });

  it.each([
    ["velNed", [1.36047501128456, 1.24182852404831, 0.707406974674448]],
    ["qBodyToNed", [-0.0532186455930421, 0.142585805173811, -0.0883630341922208, 0.253039597914087]],
    ["rateBody", [4.75292233750801, 1.97476433018195, -0.0905387052965132]],
    ["rotorSpeed", [-620.755536161861, 483.117567560005, 1570.94200399364, -1740.67730717208]],
    ["batterySoc", [-0.00228757444918697]],
    ["batteryV1", [0.0180881700426827]],
    ["posNed", [3, -2, -1]],
  ])("derivative of %s", (name, expected) => {
    expect(farthest(testRig.rate(name), expected)).toBeLessThan(1e-12);
  });

  it("outputs", () => {
    const y = testRig.outputs();
    expect(farthest([y.airDensity[0]!], [1.1652300810180631])).toBeLessThan(1e-14);
    // PX4Lockstep.jl prints eleven decimals.
    const near = (actual: ArrayLike<number>, expected: number[], error: number) =>
      expected.forEach((value, i) => expect(Math.abs(actual[i]! - value)).toBeLessThanOrEqual(error));
    near(y.airVelBody, [1.89342609397, 2.58156886469, -0.02097197016], 6e-12);
    expect(farthest([y.busVoltage[0]!], [11.366473198292692])).toBeLessThan(1e-13);
    expect(farthest([y.busCurrent[0]!], [41.1763400853654])).toBeLessThan(1e-13);
    near(y.rotorThrust, [3.39716508633, 3.56086149265, 3.72840957913, 3.23732036015], 6e-12);
    near(y.rotorTorque, [0.169858254316, 0.178043074633, -0.186420478956, -0.161866018007], 6e-13);
    near(y.motorCurrent, [16.28731806686, 18.35301930249, 20.41872053811, 14.22161683124], 6e-12);
    expect(Array.from(y.accNed)).toEqual(testRig.rate("velNed"));
    expect(Array.from(y.rateDotBody)).toEqual(testRig.rate("rateBody"));
  });

  it("specific force is acceleration minus gravity in body axes", () => {
    const still = rig("iris-reference").outputs();
    expect(Array.from(still.specificForceBody).map((value) => Math.round(value * 1e6) / 1e6 + 0)).toEqual([
      0, 0, -9.80665,
    ]);
  });
});

describe("golden flights", () => {
  const start = () =>
    rig("iris-reference", free)
      .set({ posNed: [0, 0, -10], motorOutput: [0.55, 0.55, 0.55, 0.55] })
      .input({ windNed: [5, 0, 0] });

  it("50 ms open loop with RK4 on 2 ms intervals", () => {
    const testRig = start();
    testRig.fly(integrator("rk4", testRig.plant, testRig.u), { us: 2000, steps: 25 });
    const [n, , d] = testRig.get("posNed");
    const [vn, , vd] = testRig.get("velNed");
    const actual = [
      n!,
      d!,
      vn!,
      vd!,
      testRig.get("rotorSpeed")[0]!,
      testRig.get("batterySoc")[0]!,
      testRig.get("batteryV1")[0]!,
    ];
    const expected = [
      2.08217640801831e-4, -9.9949537222869, 8.32639274530661e-3, 0.13217821600812, 211.243374752145, 0.999884934177224,
      1.03423695007727e-3,
    ];
    expect(farthest(actual, expected)).toBeLessThan(1e-12);
  });

  it("50 ms open loop with RK45 and default tolerances, against the exact solution of PX4Lockstep.jl's equations", () => {
    const testRig = start();
    testRig.fly(integrator("rk45", testRig.plant, testRig.u), { us: 2000, steps: 25 });
    expect(testRig.get("rotorSpeed")[0]).toBeCloseTo(211.243447581268, 5);
    expect(testRig.get("posNed")[2]).toBeCloseTo(-9.99495368287047, 9);
  });

  it("after one second at the hover duty the vehicle is 4.9 mm lower", () => {
    const testRig = rig("iris-reference", {
      ...free,
      initial: { hovering: true, onGround: false, posNedM: [0, 0, -10] },
    });
    const duty = 0.5845980359197622;
    testRig.set({
      motorOutput: [duty, duty, duty, duty],
      rotorSpeed: Array.from({ length: 4 }, () => 218.1741466651634),
    });
    testRig.fly(integrator("rk45", testRig.plant, testRig.u), { us: 1000, steps: 1000 });
    // PX4Lockstep.jl prints nine decimals.
    expect(testRig.get("posNed")[2]).toBeCloseTo(-9.995078861, 7);
    expect(testRig.get("velNed")[2]).toBeCloseTo(0.013773669, 7);
    expect(testRig.get("batterySoc")[0]).toBeCloseTo(0.997569938, 9);
    expect(testRig.get("batteryV1")[0]).toBeCloseTo(0.021332584, 7);
  });

  it.each([
    ["euler", 2 * 0.01 * 9.80665],
    ["rk4", 1e-9],
    ["rk23", 5e-4],
    ["rk45", 1e-4],
  ])("falls freely with %s", (name, error) => {
    const testRig = rig("iris-reference", { ...free, drag: { linearNSPerM: 0 } }).set({ posNed: [0, 0, -10] });
    testRig.fly(integrator(name, testRig.plant, testRig.u), { us: 10_000, steps: 100 });
    expect(Math.abs(testRig.get("velNed")[2]! - 9.80665)).toBeLessThan(error);
    expect(Math.abs(testRig.get("posNed")[2]! - (-10 + 9.80665 / 2))).toBeLessThan(error);
    expect(testRig.get("rotorSpeed")).toEqual([0, 0, 0, 0]);
    expect(testRig.get("batterySoc")).toEqual([1]);
  });

  it("RK4 integrates a constant yaw rate with order 4", () => {
    const error = (us: number) => {
      const testRig = rig("iris-reference", { ...free, drag: { angularNmSPerRad: [0, 0, 0] } }).set({
        rateBody: [0, 0, 1],
        posNed: [0, 0, -5],
      });
      testRig.fly(integrator("rk4", testRig.plant, testRig.u), { us, steps: 10e6 / us });
      const [w, , , z] = testRig.get("qBodyToNed");
      const yaw = 2 * Math.atan2(z!, w!);
      return Math.abs(Math.atan2(Math.sin(yaw - 10), Math.cos(yaw - 10)));
    };
    expect(error(1000)).toBeLessThan(1e-6);
    expect(error(200_000) / error(100_000)).toBeGreaterThan(14);
    expect(error(200_000) / error(100_000)).toBeLessThan(18);
  });

  it("an octa climbs with every state finite", () => {
    const testRig = rig("octa");
    const duty = Array.from({ length: 8 }, () => 0.75);
    testRig.set({ motorOutput: duty });
    testRig.fly(integrator("rk4", testRig.plant, testRig.u), { us: 1000, steps: 200 });
    for (const value of testRig.x) expect(Number.isFinite(value)).toBe(true);
    expect(testRig.get("velNed")[2]).toBeLessThan(0);
  });
});

/**
 * Evaluates the body equations with given thrusts and torques, for tests of the vehicle without its propellers. Motors
 * get the voltage at which their rotors turn steadily, or accelerate as requested.
 */
function wrench(
  changes: { rotors: object[]; inertia?: object; J?: number; mass?: number },
  given: { thrust: number[]; torque: number[]; speed?: number[]; speedDot?: number[]; rate?: number[] },
): { acceleration: number[]; spin: number[] } {
  const J = changes.J ?? 1e-9;
  const testRig: Rig = rig(
    "iris-reference",
    {
      ...free,
      massKg: changes.mass ?? 1,
      inertiaDiagKgM2: [1, 1, 1],
      ...changes.inertia,
      rotors: changes.rotors.map((rotor, i) => ({ channel: i + 1, direction: 1, ...rotor })),
      propulsion: { inertiaKgM2: J, motor: { frictionNmSPerRad: 0 }, reference: { thrustCoefficient: 1e-6 } },
      drag: { linearNSPerM: 0, angularNmSPerRad: [0, 0, 0] },
    },
    referenceEnvironment({ gravityMps2: 0 }),
  );
  const { dx, x, u, w, vehicle } = testRig.views();
  const unlimited = { ...vehicle, rotors: vehicle.rotors.map((rotor) => ({ ...rotor, maxCurrent: 1e9 })) };
  // Set voltages at which motors without back-EMF produce exactly the requested torque: Ke·(I − I0) = Q + J·Ω̇.
  testRig.set({ rateBody: given.rate ?? [0, 0, 0], rotorSpeed: given.speed ?? given.thrust.map(() => 0) });
  airInto(w, x, u, vehicle);
  w.thrust.set(given.thrust);
  w.torque.set(given.torque);
  w.busVoltage[0] = 1;
  given.torque.forEach((torque, i) => {
    const { backEmfConstant, idleCurrent, resistance } = vehicle.rotors[i]!;
    const wanted = torque + J * (given.speedDot?.[i] ?? 0);
    w.duty[i] = (wanted / backEmfConstant + idleCurrent) * resistance;
  });
  motorsInto(dx, x, w, unlimited);
  bodyInto(dx, x, u, w, vehicle);
  return { acceleration: Array.from(testRig.dx.subarray(3, 6)), spin: Array.from(testRig.dx.subarray(10, 13)) };
}

const close = (actual: readonly number[], expected: readonly number[]) =>
  expected.forEach((value, i) => expect(actual[i]).toBeCloseTo(value, 12));

describe("geometry", () => {
  it("a rotor whose axis points forward pushes back and rolls the vehicle", () => {
    const { acceleration, spin } = wrench(
      { rotors: [{ positionM: [0, 0, 0], axis: [1, 0, 0] }] },
      { thrust: [2], torque: [0.5] },
    );
    close(acceleration, [-2, 0, 0]);
    close(spin, [0.5, 0, 0]);
  });

  it("forces and moments of two rotors add up", () => {
    const { acceleration, spin } = wrench(
      { rotors: [{ positionM: [1, 0, 0] }, { positionM: [0, 1, 0], axis: [0, 1, 0] }] },
      { thrust: [2, 3], torque: [0.5, 0.2] },
    );
    close(acceleration, [0, -3, -2]);
    close(spin, [0, 2.2, 0.5]);
  });

  it("twin forward propellers yaw by difference and roll by reaction", () => {
    const rotors = [0.5, -0.5].map((y) => ({ positionM: [0, y, 0], axis: [-1, 0, 0] }));
    const yawing = wrench({ rotors }, { thrust: [2, 5], torque: [0, 0] });
    expect(yawing.acceleration[0]).toBeCloseTo(7, 12);
    expect(yawing.spin[2]).toBeCloseTo(1.5, 12);
    close(wrench({ rotors }, { thrust: [3, 3], torque: [0.4, 0.6] }).spin, [-1, 0, 0]);
  });

  it("an axis need not be of unit length", () => {
    const rotors = [{ positionM: [0, 0, 0], axis: [0, 0, 2] }];
    close(wrench({ rotors }, { thrust: [2], torque: [0] }).acceleration, [0, 0, -2]);
  });

  it("air from above lowers the thrust at level momentum, as in a climb", () => {
    const thrust = (windDown: number) =>
      rig("iris", free)
        .set({ posNed: [0, 0, -50], rotorSpeed: [490, 490, 490, 490] })
        .input({ windNed: [0, 0, windDown] })
        .outputs().rotorThrust[0]!;
    // Air that comes down through the disk has the effect of a climb.
    expect(thrust(2)).toBeLessThan(thrust(0));
  });

  it("at hover speed the forces balance, and the symmetric vehicle does not rotate", () => {
    const testRig = rig("iris-reference", free);
    const { speedRadS } = testRig.plant.trim().rotors[0]!;
    testRig.set({ posNed: [0, 0, 0], rotorSpeed: [speedRadS, speedRadS, speedRadS, speedRadS] });
    const acceleration = testRig.rate("velNed");
    expect(Math.abs(acceleration[2]!)).toBeLessThan(1e-9);
    expect(Math.abs(acceleration[0]!) + Math.abs(acceleration[1]!)).toBe(0);
    for (const value of testRig.rate("rateBody")) expect(Math.abs(value)).toBeLessThan(1e-12);
  });

  it("the sign of the yaw moment follows from the rotors' directions", () => {
    const iris = [
      [0.1515, 0.245],
      [-0.1515, -0.1875],
      [0.1515, -0.245],
      [-0.1515, 0.1875],
    ];
    const yaw = (directions: number[], torque: number[]) =>
      wrench(
        { rotors: iris.map(([x, y], i) => ({ positionM: [x, y, 0], direction: directions[i] })) },
        { thrust: [5, 5, 5, 5], torque },
      ).spin;
    close(yaw([1, 1, -1, -1], [0.05, 0.05, 0.05, 0.05]), [0, 0, 0]);
    expect(yaw([1, 1, 1, 1], [0.05, 0.05, 0.05, 0.05])[2]).toBeGreaterThan(0);
    expect(yaw([-1, -1, -1, -1], [0.05, 0.05, 0.05, 0.05])[2]).toBeLessThan(0);
    const testRig = rig("iris-reference", free).set({ posNed: [0, 0, -5], rotorSpeed: [0, 0, 300, 0] });
    expect(testRig.outputs().rotorTorque[2]).toBeLessThan(0);
    expect(testRig.rate("rateBody")[2]).not.toBe(0);
  });

  it("products of inertia couple the axes of rotation", () => {
    const inertia = { inertiaDiagKgM2: [0.02, 0.03, 0.04], inertiaProductsKgM2: [0.001, 0, 0] };
    const { spin } = wrench(
      { rotors: [{ positionM: [0, 0, 0] }], inertia },
      { thrust: [0], torque: [0], rate: [1, 2, 3] },
    );
    expect(farthest(spin, [-2.9449081803005006, 1.8981636060100167, -0.425])).toBeLessThan(1e-12);
  });

  it("spinning rotors cause gyroscopic moments, and accelerating rotors a reaction", () => {
    const quad = [1, 1, -1, -1].map((direction) => ({ positionM: [0, 0, 0], direction }));
    const four = (value: number) => [value, value, value, value];
    close(
      wrench({ rotors: quad, J: 0.01 }, { thrust: four(0), torque: four(0), speed: four(200), rate: [1, 2, 3] }).spin,
      [0, 0, 0],
    );
    const one = (axis: number[], more: object) =>
      wrench({ rotors: [{ positionM: [0, 0, 0], axis }], J: 0.01 }, { thrust: [0], torque: [0], ...more }).spin;
    close(one([0, 1, 0], { speed: [200], rate: [1, 0, 0] }), [0, 0, 2]);
    close(one([0, 0, 1], { speed: [200], rate: [1, 0, 0] }), [0, -2, 0]);
    const inertia = { inertiaDiagKgM2: [0.1, 0.1, 0.2] };
    const spinUp = wrench(
      { rotors: [{ positionM: [0, 0, 0] }], J: 0.01, inertia },
      { thrust: [0], torque: [0], speedDot: [100] },
    );
    close(spinUp.spin, [0, 0, 5]);
  });
});

describe("faults and hooks", () => {
  it("a motor that is switched off draws exactly nothing, and its rotor slows down", () => {
    const testRig = rig("iris-reference").set({ motorOutput: [0.6, 0.6, 0.6, 0.6], rotorSpeed: [100, 100, 100, 100] });
    const healthy = { outputs: testRig.outputs(), speedDot: testRig.rate("rotorSpeed")[0]! };
    testRig.input({ motorGain: [0] });
    const outputs = testRig.outputs();
    expect(outputs.motorCurrent[0]).toBe(0);
    expect(outputs.busCurrent[0]).toBeLessThan(healthy.outputs.busCurrent[0]!);
    expect(testRig.rate("rotorSpeed")[0]).toBeLessThan(0);
    expect(testRig.rate("rotorSpeed")[0]).toBeLessThan(healthy.speedDot);
  });

  it("direct actuators follow the command at its tick", () => {
    const testRig = rig("iris-reference").input({ motorCommand: [0.5, 0.5, 0.5, 0.5] });
    testRig.plant.jump!(testRig.x, testRig.u);
    testRig.fly(integrator("rk4", testRig.plant, testRig.u), { us: 1000, steps: 10 });
    expect(testRig.get("rotorSpeed")[0]).toBeGreaterThan(50);
  });

  it("[D12] outputs after the jump belong to the new command", () => {
    const testRig = rig("iris-reference").input({ motorCommand: [0.5, 0.5, 0.5, 0.5] });
    const before = testRig.outputs();
    testRig.plant.jump!(testRig.x, testRig.u);
    const after = testRig.outputs();
    expect(before.busCurrent[0]).toBe(0);
    expect(after.busCurrent[0]).toBeGreaterThan(10);
  });

  it("projection returns speeds and charge to their ranges and counts the corrections", () => {
    const testRig = rig("iris-reference").set({ rotorSpeed: [-1e-9, 5, -3, 0], batterySoc: [1.0000001] });
    expect(testRig.plant.project!(testRig.x)).toBe(3);
    expect(testRig.get("rotorSpeed")).toEqual([0, 5, 0, 0]);
    expect(testRig.get("batterySoc")).toEqual([1]);
    expect(testRig.plant.project!(testRig.x)).toBe(0);
  });

  it("a rotor at rest does not turn backwards", () => {
    expect(rig("iris-reference").rate("rotorSpeed")).toEqual([0, 0, 0, 0]);
  });

  it("[D8] rotor speeds, actuators and batteries are under error control by default", () => {
    const { layout } = rig("iris-reference").plant;
    for (const name of ["rotorSpeed", "motorOutput", "batterySoc", "batteryV1"]) {
      const { tolerance } = layout.require(name, "test");
      expect(tolerance.absolute).toBeGreaterThan(0);
      expect(Number.isFinite(tolerance.absolute)).toBe(true);
    }
    // At 20 ms intervals, the rotors' stable mode would diverge unnoticed if rotor speeds were not in the error norm.
    const testRig = rig("iris-reference", free).set({ posNed: [0, 0, -10], motorOutput: [0.55, 0.55, 0.55, 0.55] });
    testRig.fly(integrator("rk45", testRig.plant, testRig.u), { us: 20_000, steps: 10 });
    const fine = rig("iris-reference", free).set({ posNed: [0, 0, -10], motorOutput: [0.55, 0.55, 0.55, 0.55] });
    fine.fly(integrator("rk4", fine.plant, fine.u), { us: 100, steps: 2000 });
    expect(Math.abs(testRig.get("rotorSpeed")[0]! - fine.get("rotorSpeed")[0]!)).toBeLessThan(0.02);
  });

  it("without air there are no aerodynamic forces", () => {
    const vacuum = rig("iris", free, referenceEnvironment({ atmosphere: uniformAir(0) })).set({
      rotorSpeed: [500, 500, 500, 500],
    });
    expect(Array.from(vacuum.outputs().rotorThrust)).toEqual([0, 0, 0, 0]);
  });
});
