/**
 * A vehicle dropped in any attitude at any body rate comes to rest on the ground with every integrator at 1 ms steps.
 * Its energy never grows by more than 1 % of its initial energy (5 % with Euler's method).
 */
import { describe, expect, it } from "vitest";
import { integratorKinds } from "../../packages/core/src/integrate/index.ts";
import { volume } from "../support/volume.ts";
import { gripStiffness, integrator, rig, type Rig } from "../support/plant.ts";

const DROPS = volume(20, 100);

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

function energyOf(flight: Rig): () => number {
  const { massKg, inertiaDiagKgM2: inertia, contact } = flight.plant.vehicle;
  const { pointCount } = flight.plant.constants;
  const k = (massKg * contact.bounceRadS ** 2) / 4;
  const grip = gripStiffness(flight);
  const g = new Float64Array(flight.plant.seamCount!);
  const { x } = flight;
  return () => {
    flight.plant.seamsInto!(g, flight.timeS, x, flight.u);
    let energy = -massKg * 9.80665 * x[2]!;
    for (let i = 0; i < 3; i += 1) energy += 0.5 * massKg * x[3 + i]! ** 2 + 0.5 * inertia[i]! * x[10 + i]! ** 2;
    for (let i = 0; i < pointCount; i += 1) if (g[i]! > 0) energy += 0.5 * k * g[i]! ** 2;
    for (const stretch of flight.get("contactStretch")) energy += 0.5 * grip * stretch ** 2;
    return energy;
  };
}

function randomDrop(next: () => number): Rig {
  const between = (low: number, high: number) => low + (high - low) * next();
  // With stopped rotors, all models behave the same; this one is the fastest.
  const propulsion = { level: "reference", reference: { thrustCoefficient: 1e-5 } };
  const flight = rig("iris", { propulsion, initial: { onGround: false } });
  // A uniformly random attitude (Shoemake 1992).
  const [u1, u2, u3] = [next(), 2 * Math.PI * next(), 2 * Math.PI * next()];
  const [a, b] = [Math.sqrt(1 - u1), Math.sqrt(u1)];
  return flight.set({
    posNed: [0, 0, -between(0.5, 2)],
    velNed: [between(-2, 2), between(-2, 2), between(-2, 2)],
    qBodyToNed: [a * Math.sin(u2), a * Math.cos(u2), b * Math.sin(u3), b * Math.cos(u3)],
    rateBody: [between(-8, 8), between(-8, 8), between(-8, 8)],
  });
}

describe("random drops come to rest without gaining energy", () => {
  it.each(integratorKinds.map(({ name }) => name))(
    "%s",
    (name) => {
      const next = generator(2024);
      const allowed = name === "euler" ? 0.05 : 0.01;
      let worst = 0;
      for (let drop = 0; drop < DROPS; drop += 1) {
        const flight = randomDrop(next);
        const energy = energyOf(flight);
        const method = integrator(name, flight.plant, flight.u);
        const start = energy();
        let least = start;
        let rise = 0;
        flight.fly(method, { us: 1000, steps: 3000 }, () => {
          const now = energy();
          least = Math.min(least, now);
          rise = Math.max(rise, now - least);
        });
        worst = Math.max(worst, rise / start);
        const motion = [...flight.get("velNed"), ...flight.get("rateBody")].map(Math.abs);
        expect(Math.max(...motion), `drop ${drop}`).toBeLessThan(0.05);
        // The vehicle rests on its contact points, and neither sinks in nor floats.
        expect(flight.get("posNed")[2]!).toBeLessThan(0);
        expect(flight.outputs().contactForceNed[2]).toBeCloseTo(-1.5 * 9.80665, 0);
      }
      expect(worst).toBeLessThan(allowed);
    },
    60_000,
  );
});
