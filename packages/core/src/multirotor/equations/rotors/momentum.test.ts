/** Tests level "momentum": momentum theory, vortex ring, windmill state, and ground effect. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Rig, referenceEnvironment, rig, uniformAir } from "../../../../../../tests/support/plant.ts";
import type { Scratch } from "../../memory.ts";
import { airInto } from "../air/air.ts";
import { searchInflowInto } from "./descent.ts";
import { momentumRotorsInto } from "./momentum.ts";
import { volume } from "../../../../../../tests/support/volume.ts";

const RHO = 1.225;
const RADIUS = 0.127;
const AREA = Math.PI * RADIUS * RADIUS;
const AIR = referenceEnvironment({ atmosphere: uniformAir(RHO) });

/** Returns the scratch after an evaluation of the rotors at one speed and climb, high above the ground. */
function climbing(testRig: Rig, speed: number, climb: number): Scratch {
  const { w, x, u, vehicle } = testRig.views();
  const rotorSpeed = Array.from({ length: testRig.plant.dims.rotors }, () => speed);
  testRig.set({ posNed: [0, 0, -1000], velNed: [0, 0, -climb], rotorSpeed });
  airInto(w, x, u, vehicle);
  momentumRotorsInto(w, x, u, vehicle);
  return w;
}

interface Point {
  readonly thrust: number;
  readonly torque: number;
  readonly induced: number;
  readonly inPlane: readonly number[];
}

function evaluate(testRig: Rig, state: { speed: number; climb?: number; forward?: number; height?: number }): Point {
  const { speed, climb = 0, forward = 0, height = 1000 } = state;
  testRig.set({ posNed: [0, 0, -height], velNed: [forward, 0, -climb], rotorSpeed: [speed, speed, speed, speed] });
  const { w, x, u, vehicle } = testRig.views();
  airInto(w, x, u, vehicle);
  momentumRotorsInto(w, x, u, vehicle);
  return {
    thrust: w.thrust[0]!,
    torque: w.torque[0]!,
    induced: w.inducedVelocity[0]!,
    inPlane: [...w.inPlane.subarray(0, 3)],
  };
}

const blade = (changes: object = {}, contact = false) =>
  rig("iris", { propulsion: { momentum: changes }, contact: { enabled: contact } }, AIR);
const near = (actual: number, expected: number, relative: number) =>
  expect(Math.abs(actual - expected), `${actual} against ${expected}`).toBeLessThanOrEqual(
    relative * Math.abs(expected),
  );

describe("momentum theory", () => {
  const testRig = blade();

  it("hover: v_i = √(T/2ρA); 3.67749 N on this disk need 5.4427 m/s and 20.015 W", () => {
    let speed = 500;
    for (let k = 0; k < 40; k += 1) speed *= Math.sqrt(3.67749375 / evaluate(testRig, { speed }).thrust);
    const { thrust, induced } = evaluate(testRig, { speed });
    near(thrust, 3.67749375, 1e-12);
    near(induced, Math.sqrt(thrust / (2 * RHO * AREA)), 1e-12);
    near(induced, 5.4427, 1e-5);
    near(thrust * induced, 20.015, 1e-4);
  });

  it("the figure of merit is typical of small propellers", () => {
    const { thrust, torque, induced } = evaluate(testRig, { speed: 500 });
    const merit = (thrust * induced) / (torque * 500);
    expect(merit).toBeGreaterThan(0.5);
    expect(merit).toBeLessThan(0.75);
  });

  it("solves T = 2ρA·v_i·√(V_t² + (V_c + v_i)²) in climb and forward flight", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 100, max: 1000, noNaN: true }),
        fc.double({ min: 0, max: 12, noNaN: true }),
        fc.double({ min: 0, max: 20, noNaN: true }),
        (speed, climb, forward) => {
          const { thrust, induced } = evaluate(testRig, { speed, climb, forward });
          if (induced < 0) return;
          const flow = Math.sqrt(forward * forward + (climb + induced) ** 2);
          expect(Math.abs(thrust - 2 * RHO * AREA * induced * flow)).toBeLessThan(1e-11 * (1 + thrust));
        },
      ),
      { numRuns: volume(150, 500) },
    );
  });

  it("has continuous thrust and torque in any state", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 5, max: 1000, noNaN: true }),
        fc.double({ min: -25, max: 25, noNaN: true }),
        fc.double({ min: 0, max: 25, noNaN: true }),
        (speed, climb, forward) => {
          const here = evaluate(testRig, { speed, climb, forward });
          const beside = evaluate(testRig, { speed, climb: climb + 1e-7, forward });
          const scale = RHO * AREA * (speed * RADIUS) ** 2 * 0.02 + 1e-3;
          expect(Math.abs(here.thrust - beside.thrust)).toBeLessThan(1e-5 * scale);
          expect(Math.abs(here.torque - beside.torque)).toBeLessThan(1e-5 * scale);
        },
      ),
      { numRuns: volume(300, 1500) },
    );
  });

  it.each(["iris", "x500", "hexa", "octa"])(
    "%s finds the root of the balance, not the second root of its square, in every climb",
    (name) => {
      const vehicle = rig(name);
      for (let speed = 50; speed <= 1000; speed += 50) {
        for (let climb = 0; climb <= 25; climb += volume(0.25, 0.0625)) {
          const found = climbing(vehicle, speed, climb);
          const [inflow, coefficient] = [found.inflow[0]!, found.thrustCoefficient[0]!];
          const where = `${speed} rad/s, ${climb} m/s`;
          expect(Math.sign(found.inducedVelocity[0]!), where).toBe(Math.sign(found.thrust[0]!));
          searchInflowInto(found, vehicle.plant.constants, 0);
          expect(Math.abs(inflow - found.inflow[0]!), where).toBeLessThan(1e-11);
          expect(Math.abs(coefficient - found.thrustCoefficient[0]!), where).toBeLessThan(1e-11);
        }
      }
    },
  );

  it("[D17] climb and descent differ: thrust falls with climb and rises with slow descent", () => {
    const at = (climb: number) => evaluate(testRig, { speed: 500, climb }).thrust;
    expect(at(2)).toBeLessThan(at(0));
    expect(at(-1)).toBeGreaterThan(at(0) * 0.97);
    expect(at(-1)).not.toBeCloseTo(at(1), 2);
    expect(at(15)).toBeLessThan(0);
  });

  it("thrust at a given speed rises with forward flight (translational lift)", () => {
    expect(evaluate(testRig, { speed: 500, forward: 8 }).thrust).toBeGreaterThan(
      1.03 * evaluate(testRig, { speed: 500 }).thrust,
    );
  });

  it("[D17] a rotor whose motor is off windmills in descent", () => {
    // Air from below at 12 m/s drives a slowly turning rotor. Its torque is negative, so it speeds up.
    const { torque } = evaluate(testRig, { speed: 300, climb: -12 });
    expect(torque).toBeLessThan(0);
    expect(evaluate(testRig, { speed: 900, climb: -12 }).torque).toBeGreaterThan(0);
  });
});

describe("induced velocity in the vortex ring and windmill states", () => {
  // The measured curve applies to the thrust without the loss in the vortex ring, so switch the loss off.
  const testRig = blade({ vortexRingLoss: 0 });
  /** Returns v_i/v_h at x = V_c/v_h for constant thrust, by varying the speed. */
  const ratio = (x: number) => {
    const speed = 500;
    let climb = -1e-3;
    let point = evaluate(testRig, { speed, climb });
    for (let k = 0; k < 200; k += 1) {
      const vh = Math.sqrt(Math.max(1e-9, point.thrust) / (2 * RHO * AREA));
      climb += 0.3 * (x * vh - climb);
      point = evaluate(testRig, { speed, climb });
    }
    const vh = Math.sqrt(point.thrust / (2 * RHO * AREA));
    return { x: climb / vh, induced: point.induced / vh };
  };
  const leishman = (x: number) => 1 - 1.125 * x - 1.372 * x * x - 1.718 * x ** 3 - 0.655 * x ** 4;

  it.each([-0.2, -0.5, -0.8, -1, -1.2, -1.5, -1.7])("follows the measured curve at x = %f", (target) => {
    const { x, induced } = ratio(target);
    expect(x).toBeCloseTo(target, 3);
    expect(Math.abs(induced - leishman(x))).toBeLessThan(0.13);
  });

  it("joins the windmill branch: below x = −2 v_i/v_h = −x/2 − √(x²/4 − 1)", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 30, max: 150, noNaN: true }),
        fc.double({ min: 8, max: 20, noNaN: true }),
        (speed, sink) => {
          const { thrust, induced } = evaluate(testRig, { speed, climb: -sink });
          if (thrust <= 0) return;
          const vh = Math.sqrt(thrust / (2 * RHO * AREA));
          const x = -sink / vh;
          if (x > -2.05) return;
          expect(induced / vh).toBeCloseTo(-x / 2 - Math.sqrt((x * x) / 4 - 1), 9);
        },
      ),
    );
  });
});

describe("ground effect of a rotor alone", () => {
  it("Cheeseman and Bennett: at z = R and constant induced power thrust is 1/(1 − 1/16) of that without ground", () => {
    const testRig = blade({ inducedFactor: 1, profileDrag: 0, groundModel: "rotor" });
    // The rotors of this vehicle lie 3 cm above the centre of mass.
    const at = (speed: number, z: number) => evaluate(testRig, { speed, height: z - 0.03 });
    const free = evaluate(testRig, { speed: 500 });
    const power = free.torque * 500;
    let [low, high] = [400, 700];
    for (let k = 0; k < 100; k += 1) {
      const middle = (low + high) / 2;
      if (at(middle, RADIUS).torque * middle > power) high = middle;
      else low = middle;
    }
    near(at(low, RADIUS).thrust / free.thrust, 1 / (1 - 1 / 16), 1e-8);
  });

  it("fades with height and with forward speed, and can be switched off", () => {
    const gain = (testRig: Rig, state: { height: number; forward?: number }) =>
      evaluate(testRig, { speed: 500, ...state }).thrust /
      evaluate(testRig, { speed: 500, forward: state.forward ?? 0 }).thrust;
    const testRig = blade({ groundModel: "rotor" });
    expect(gain(testRig, { height: 0.1 })).toBeGreaterThan(1.02);
    expect(gain(testRig, { height: 1 })).toBeLessThan(1.002);
    expect(gain(testRig, { height: 0.1, forward: 10 })).toBeLessThan(gain(testRig, { height: 0.1 }));
    expect(gain(blade({ groundEffect: false }), { height: 0.1 })).toBe(1);
  });
});
