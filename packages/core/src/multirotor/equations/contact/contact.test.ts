/** Tests contact: force law, continuity at touch-down, friction, moments, and landings with every integrator. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gripStiffness, integrator, rig } from "../../../../../../tests/support/plant.ts";
import { integratorKinds } from "../../../integrate/index.ts";
import { volume } from "../../../../../../tests/support/volume.ts";

/** One contact point at the centre of mass. */
const ball = (changes: object = {}) =>
  rig("iris-reference", {
    contact: { feet: [{ positionM: [0, 0, 0] }], rotorTips: false, ...changes },
    drag: { linearNSPerM: 0 },
    initial: { onGround: false },
  });
const K = (1.5 * 150 * 150) / 4;

describe("force law", () => {
  it("is Hunt–Crossley with bounded damping, and Coulomb friction against the slip of a sliding point", () => {
    // The penalty contact of PX4Lockstep.jl gives N = 70 N and F = (−30.5, 40.7, −70) here. Its force jumps at
    // touch-down (D1); ours does not.
    const testRig = ball().set({ posNed: [0, 0, 0.002], velNed: [0.3, -0.4, 0.1] });
    const hard = 1.5 * 4 * K * 0.002;
    const damping = hard / (1 + 2e-4 / 0.002 + hard / ((1.5 * 1200) / 4));
    const normal = K * 0.002 + damping * 0.1;
    const grip = 0.8 * normal;
    const [n, e, d] = testRig.outputs().contactForceNed;
    expect(d).toBeCloseTo(-normal, 10);
    expect(n).toBeCloseTo((-grip * 0.3) / 0.5, 10);
    expect(e).toBeCloseTo((grip * 0.4) / 0.5, 10);
  });

  it("a point that sticks is held by its spring and damper", () => {
    const [z, v] = [1e-4, 1e-3];
    const testRig = ball().set({ posNed: [0, 0, 0.002], velNed: [v, 0, 0], contactStretch: [z, 0] });
    const [k, grip] = [(1.5 * 250 * 250) / 4, (1.5 * 400) / 4];
    const [n, e] = testRig.outputs().contactForceNed;
    expect(n).toBeCloseTo(-k * z - grip * v, 12);
    expect(e).toBeCloseTo(0, 15);
    expect(testRig.rate("contactStretch")[0]).toBeCloseTo(v, 12);
  });

  it("the stretch of a point in the air decays, but not to subnormal numbers", () => {
    const testRig = ball().set({ posNed: [0, 0, -10], contactStretch: [1e-3, -1e-3] });
    testRig.fly(integrator("rk4", testRig.plant, testRig.u), { us: 1000, steps: 2000 });
    for (const stretch of testRig.get("contactStretch")) {
      expect(Math.abs(stretch)).toBeLessThanOrEqual(1.001e-12);
      expect(Math.abs(stretch)).toBeGreaterThan(1e-300);
    }
  });

  it("the work done on a gripping point is at least the energy that it stores", () => {
    const length = (max: number) => fc.double({ min: -max, max, noNaN: true });
    fc.assert(
      fc.property(
        length(2),
        length(2),
        length(5e-3),
        length(5e-3),
        fc.double({ min: -0.01, max: 0.01, noNaN: true }),
        (vn, ve, zn, ze, depth) => {
          const testRig = ball().set({ posNed: [0, 0, depth], velNed: [vn, ve, 0], contactStretch: [zn, ze] });
          const [fn, fe] = testRig.outputs().contactForceNed;
          const [rn, re] = testRig.rate("contactStretch");
          const work = -(fn! * vn + fe! * ve);
          const stored = ((1.5 * 250 * 250) / 4) * (zn * rn! + ze * re!);
          const scale = 150 * (Math.hypot(vn, ve) + 156.25 * Math.hypot(zn, ze)) ** 2;
          expect(work - stored).toBeGreaterThanOrEqual(-1e-12 * scale);
        },
      ),
      { numRuns: volume(100, 1000) },
    );
  });

  it("[D1] is continuous at touch-down at any speed, and never pulls", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -20, max: 20, noNaN: true }),
        fc.double({ min: 0, max: 0.05, noNaN: true }),
        (sink, depth) => {
          const force = (d: number) =>
            ball()
              .set({ posNed: [0, 0, d], velNed: [0, 0, sink] })
              .outputs().contactForceNed[2]!;
          expect(force(1e-12)).toBeCloseTo(0, 4);
          expect(force(-1e-12)).toBeCloseTo(0, 20);
          expect(force(depth)).toBeLessThanOrEqual(0);
        },
      ),
      { numRuns: volume(40, 400) },
    );
  });

  it("friction stays inside its cone and opposes the motion", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -10, max: 10, noNaN: true }),
        fc.double({ min: -10, max: 10, noNaN: true }),
        (n, e) => {
          const [fn, fe, fd] = ball()
            .set({ posNed: [0, 0, 0.001], velNed: [n, e, 0] })
            .outputs().contactForceNed;
          expect(Math.sqrt(fn! * fn! + fe! * fe!)).toBeLessThanOrEqual(0.8 * -fd! * (1 + 1e-12));
          expect(fn! * n + fe! * e).toBeLessThanOrEqual(0);
        },
      ),
      { numRuns: volume(40, 400) },
    );
  });

  it("feet that touch the ground on one side only roll the vehicle back", () => {
    const testRig = rig("iris", { initial: { onGround: false, posNedM: [0, 0, -0.12], rollPitchYawRad: [0.1, 0, 0] } });
    // The vehicle is rolled to the right, so the right feet (y > 0) are in the ground and push the roll back.
    const [roll, pitch] = testRig.rate("rateBody");
    expect(roll).toBeLessThan(-1);
    expect(Math.abs(pitch!)).toBeLessThan(1e-9);
  });

  it("seams are the depths of the points, the charge, and the grip of the feet", () => {
    const testRig = rig("iris", { initial: { onGround: false, posNedM: [0, 0, -0.5] } });
    const g = new Float64Array(testRig.plant.seamCount!);
    testRig.plant.seamsInto!(g, testRig.timeS, testRig.x, testRig.u);
    expect(g).toHaveLength(4 + 4 + 8 + 1 + 4);
    expect(g[0]).toBeCloseTo(-0.38, 12);
    expect(g[4]).toBeCloseTo(-0.53, 12);
    for (const grip of g.subarray(17)) expect(grip).toBeLessThan(0);
    const parked = rig("iris");
    parked.plant.seamsInto!(g, parked.timeS, parked.x, parked.u);
    for (const grip of g.subarray(17)) expect(grip).toBeGreaterThan(0);
  });
});

/** Returns the kinetic, potential and stored contact energy of a body without rotor motion. */
function energy(testRig: ReturnType<typeof rig>): number {
  const { vehicle } = testRig.plant;
  const [vn, ve, vd] = testRig.get("velNed");
  const rate = testRig.get("rateBody");
  const kinetic = 0.5 * vehicle.massKg * (vn! * vn! + ve! * ve! + vd! * vd!);
  const spin = 0.5 * rate.reduce((sum, value, i) => sum + vehicle.inertiaDiagKgM2[i]! * value * value, 0);
  const g = new Float64Array(testRig.plant.seamCount!);
  testRig.plant.seamsInto!(g, testRig.timeS, testRig.x, testRig.u);
  const k = (vehicle.massKg * vehicle.contact.bounceRadS ** 2) / 4;
  let stored = 0;
  for (const depth of g.subarray(0, testRig.plant.constants.pointCount)) stored += 0.5 * k * Math.max(0, depth) ** 2;
  const grip = gripStiffness(testRig);
  for (const stretch of testRig.get("contactStretch")) stored += 0.5 * grip * stretch ** 2;
  return kinetic + spin + stored - vehicle.massKg * 9.80665 * testRig.get("posNed")[2]!;
}

describe("dropped from 1 m", () => {
  it.each(integratorKinds.map(({ name }) => name))("with %s sinks about 1 cm at most and loses energy", (name) => {
    const testRig = rig("iris", { initial: { posNedM: [0, 0, -1] } });
    const method = integrator(name, testRig.plant, testRig.u);
    const start = energy(testRig);
    let deepest = -Infinity;
    const g = new Float64Array(testRig.plant.seamCount!);
    testRig.fly(method, { us: name === "euler" ? 1000 : 2000, steps: name === "euler" ? 2000 : 1000 }, () => {
      testRig.plant.seamsInto!(g, testRig.timeS, testRig.x, testRig.u);
      deepest = Math.max(deepest, ...g.subarray(0, 4));
    });
    expect(deepest).toBeGreaterThan(0.001);
    // Euler's first step into the ground is 4.4 mm long and has no contact force.
    expect(deepest).toBeLessThan(name === "euler" ? 0.0125 : 0.01);
    expect(energy(testRig)).toBeLessThan(start);
    expect(Math.abs(testRig.get("velNed")[2]!)).toBeLessThan(0.02);
  });
});

describe("[D1] landing under power", () => {
  const speeds = [0.05, 0.3, 0.7, 1, 2, 4.4];
  it.each(integratorKinds.map(({ name }) => name))("%s lands at every speed and phase", (name) => {
    for (const sink of speeds) {
      for (let phase = 0; phase < 8; phase += 1) {
        const testRig = rig("iris-reference", {
          initial: { posNedM: [0, 0, -0.0005 - phase * 0.0001 * sink], velNedMps: [0.1, 0, sink], hovering: true },
        });
        const duty = 0.8 * testRig.get("motorOutput")[0]!;
        testRig.set({ motorOutput: [duty, duty, duty, duty] });
        testRig.fly(integrator(name, testRig.plant, testRig.u), { us: 1000, steps: 150 });
        for (const value of testRig.x) expect(Number.isFinite(value)).toBe(true);
      }
    }
  });
});
