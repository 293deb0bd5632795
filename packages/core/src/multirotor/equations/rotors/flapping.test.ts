/** Compares in-plane force and hub moment with numerical blade-element theory of a flapping blade. */
import { describe, expect, it } from "vitest";
import { referenceEnvironment, rig, uniformAir } from "../../../../../../tests/support/plant.ts";
import { airInto } from "../air/air.ts";
import { momentumRotorsInto } from "./momentum.ts";

const RHO = 1.225;
const [SPEED, RADIUS] = [500, 0.127];
const AREA = Math.PI * RADIUS * RADIUS;
const AIR = referenceEnvironment({ atmosphere: uniformAir(RHO) });

/** Returns rotors 1 (counter-clockwise) and 3 (clockwise) of the iris in forward flight without profile drag. */
function hubs(flapStiffness: number, forward: number) {
  const testRig = rig("iris", { propulsion: { momentum: { flapStiffness, inPlaneDrag: 0, lowReynoldsLift: 1 } } }, AIR);
  testRig.set({ posNed: [0, 0, -1000], velNed: [forward, 0, 0], rotorSpeed: [SPEED, SPEED, SPEED, SPEED] });
  const { w, x, u, vehicle } = testRig.views();
  airInto(w, x, u, vehicle);
  momentumRotorsInto(w, x, u, vehicle);
  const rotor = (i: number) => ({
    thrust: w.thrust[i]!,
    inflow: w.inflow[i]!,
    force: [...w.inPlane.subarray(3 * i, 3 * i + 3)],
    moment: [...w.hubMoment.subarray(3 * i, 3 * i + 3)],
  });
  return { left: rotor(0), right: rotor(2), blade: testRig.plant.vehicle.propulsion.momentum };
}

/**
 * Simulates a blade of constant chord and pitch that flaps against a spring until its motion is periodic. Returns the
 * once-per-revolution flapping and the hub moment. Azimuth ψ is 0 at the tail and counter-clockwise seen from above.
 */
function flap(options: { mu: number; inflow: number; stiffness: number; lock: number; pitch: number }) {
  const { mu, inflow, stiffness, lock, pitch } = options;
  const nu2 = 1 + (stiffness * lock) / 8;
  const steps = 720;
  const h = (2 * Math.PI) / steps;
  /** ½·∫ r·(u_T²θ − u_T·u_P) dr, to first order in μ. */
  const lift = (psi: number, rate: number) => {
    let sum = 0;
    const slices = 50;
    for (let k = 0; k < slices; k += 1) {
      const r = (k + 0.5) / slices;
      const across = 2 * r * mu * Math.sin(psi);
      sum += (r * ((r * r + across) * pitch - (r + mu * Math.sin(psi)) * inflow - r * r * rate)) / slices;
    }
    return 0.5 * sum;
  };
  const slope = (psi: number, [beta, rate]: [number, number]): [number, number] => [
    rate,
    lock * lift(psi, rate) - nu2 * beta,
  ];
  let state: [number, number] = [0, 0];
  let [cosine, sine] = [0, 0];
  for (let turn = 0; turn < 12; turn += 1) {
    [cosine, sine] = [0, 0];
    for (let k = 0; k < steps; k += 1) {
      const psi = k * h;
      cosine += (state[0] * Math.cos(psi)) / (steps / 2);
      sine += (state[0] * Math.sin(psi)) / (steps / 2);
      const at = (d: readonly number[], f: number): [number, number] => [state[0] + f * d[0]!, state[1] + f * d[1]!];
      const k1 = slope(psi, state);
      const k2 = slope(psi + h / 2, at(k1, h / 2));
      const k3 = slope(psi + h / 2, at(k2, h / 2));
      const k4 = slope(psi + h, at(k3, h));
      state = [0, 1].map((i) => state[i]! + (h / 6) * (k1[i]! + 2 * k2[i]! + 2 * k3[i]! + k4[i]!)) as [number, number];
    }
  }
  return { back: -cosine, aside: sine, spring: nu2 - 1 };
}

describe("a flapping blade", () => {
  it.each([0, 0.5, 1, 3])(
    "of stiffness number %f has the tilt and the hub moment of the simulated blade",
    (stiffness) => {
      const forward = 3;
      const { left, blade } = hubs(stiffness, forward);
      const tip = SPEED * RADIUS;
      const lock = 4;
      const { back, aside, spring } = flap({
        mu: forward / tip,
        inflow: left.inflow,
        stiffness,
        lock,
        pitch: blade.pitchRad,
      });
      // The model's factor 1/(1 + μ²) and the midpoint rule of the simulation differ from exact values by up to 0.5 %.
      const near = (ours: number, theirs: number, scale: number) =>
        expect(Math.abs(ours - theirs)).toBeLessThanOrEqual(6e-3 * Math.abs(scale));
      const tilt = Math.hypot(back, aside);
      near(-left.force[0]! / left.thrust, back, tilt);
      near(-left.force[1]! / left.thrust, aside, tilt);
      // Both blades' springs: (N/2)·I·Ω²·(ν² − 1)·β, with N·I = ρ·a·σ·A·R³/γ.
      const inertia = (RHO * blade.liftSlopePerRad * blade.solidity * AREA * RADIUS ** 3) / lock;
      const moment = 0.5 * inertia * SPEED * SPEED * spring;
      near(left.moment[1]!, moment * back, moment * tilt);
      near(left.moment[0]!, -moment * aside, moment * tilt);
    },
  );

  it("has the same drag and pitch-up, and opposite side forces, on rotors that turn in opposite directions", () => {
    const { left, right } = hubs(1, 5);
    expect(right.force[0]).toBeCloseTo(left.force[0]!, 14);
    expect(right.force[1]).toBeCloseTo(-left.force[1]!, 14);
    expect(right.moment[0]).toBeCloseTo(-left.moment[0]!, 14);
    expect(right.moment[1]).toBeCloseTo(left.moment[1]!, 14);
    expect(left.moment[1]).toBeGreaterThan(0);
    expect(left.force[0]).toBeLessThan(0);
  });

  it("has no force and no moment in hover", () => {
    expect(hubs(1, 0).left).toMatchObject({ force: [0, 0, 0], moment: [0, 0, 0] });
  });
});
