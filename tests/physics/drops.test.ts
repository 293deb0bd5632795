/**
 * A vehicle dropped in any attitude, turning at any rate, comes to rest above the ground under every integrator at 1 ms,
 * and its energy never grows: 1 % of what it started with is allowed, 5 % to Euler's method.
 */
import { describe, expect, it } from "vitest";
import { integratorKinds } from "../../packages/core/src/integrate/index.ts";
import { integrator, rig, type Rig } from "../support/plant.ts";

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

function energyOf(flown: Rig): () => number {
  const { massKg, inertiaDiagKgM2: inertia, contact } = flown.plant.vehicle;
  const k = (massKg * contact.bounceRadS ** 2) / 4;
  const g = new Float64Array(flown.plant.seamCount!);
  const { x } = flown;
  return () => {
    flown.plant.seamsInto!(g, flown.timeS, x, flown.u);
    let energy = -massKg * 9.80665 * x[2]!;
    for (let i = 0; i < 3; i += 1) energy += 0.5 * massKg * x[3 + i]! ** 2 + 0.5 * inertia[i]! * x[10 + i]! ** 2;
    for (let i = 0; i < g.length - 1; i += 1) if (g[i]! > 0) energy += 0.5 * k * g[i]! ** 2;
    return energy;
  };
}

function dropped(next: () => number): Rig {
  const between = (low: number, high: number) => low + (high - low) * next();
  // With standing rotors every level is the same; this one is the quickest.
  const propulsion = { level: "reference", reference: { thrustCoefficient: 1e-5 } };
  const flown = rig("iris", { propulsion, initial: { onGround: false } });
  // A uniformly random attitude (Shoemake 1992).
  const [u1, u2, u3] = [next(), 2 * Math.PI * next(), 2 * Math.PI * next()];
  const [a, b] = [Math.sqrt(1 - u1), Math.sqrt(u1)];
  return flown.set({
    posNed: [0, 0, -between(0.5, 2)],
    velNed: [between(-2, 2), between(-2, 2), between(-2, 2)],
    qBodyToNed: [a * Math.sin(u2), a * Math.cos(u2), b * Math.sin(u3), b * Math.cos(u3)],
    rateBody: [between(-8, 8), between(-8, 8), between(-8, 8)],
  });
}

describe("100 random drops", () => {
  it.each(integratorKinds.map(({ name }) => name))(
    "%s",
    (name) => {
      const next = generator(2024);
      const allowed = name === "euler" ? 0.05 : 0.01;
      let worst = 0;
      for (let drop = 0; drop < 100; drop += 1) {
        const flown = dropped(next);
        const energy = energyOf(flown);
        const method = integrator(name, flown.plant, flown.u);
        const start = energy();
        let least = start;
        let rise = 0;
        flown.fly(method, { us: 1000, steps: 3000 }, () => {
          const now = energy();
          least = Math.min(least, now);
          rise = Math.max(rise, now - least);
        });
        worst = Math.max(worst, rise / start);
        const motion = [...flown.get("velNed"), ...flown.get("rateBody")].map(Math.abs);
        expect(Math.max(...motion), `drop ${drop}`).toBeLessThan(0.05);
        // At rest on its points: nothing has sunk in or stands on thin air.
        expect(flown.get("posNed")[2]!).toBeLessThan(0);
        expect(flown.outputs().contactForceNed[2]).toBeCloseTo(-1.5 * 9.80665, 0);
      }
      expect(worst).toBeLessThan(allowed);
    },
    60_000,
  );
});
