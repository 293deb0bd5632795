/**
 * The pendulum, θ̈ = −(g/L) sin θ, released at rest from θ₀.
 *
 * Its exact motion at any amplitude is sin(θ/2) = k sn(K − ω₀t, k²) with k = sin(θ₀/2), ω₀ = √(g/L) (Landau & Lifshitz,
 * Mechanics, §11); its derivative is θ̇ = −2 k ω₀ cn(K − ω₀t). The small-angle cosine has an error of 4e-6 rad at
 * θ₀ = 0.1: comparing with it would measure the approximation, not the method.
 */
import type { Plant } from "../engine/index.ts";
import { asin, cos, sin } from "../math/index.ts";
import { StateLayout } from "../state/index.ts";
import { jacobi, quarterPeriod } from "./elliptic.ts";
import { block, type VerificationProblem } from "./problem.ts";

const GRAVITY_MPS2 = 9.80665;
const LENGTH_M = 1;
const OMEGA = Math.sqrt(GRAVITY_MPS2 / LENGTH_M);

function pendulum(options: { name: string; about: string; startRad: number }): VerificationProblem {
  const { name, about, startRad } = options;
  const k = sin(startRad / 2);
  const m = k * k;
  const quarter = quarterPeriod(m);
  const plant: Plant = {
    layout: new StateLayout([block({ name: "angle", unit: "rad" }), block({ name: "rate", unit: "rad/s" })]),
    initialInto(x) {
      x[0] = startRad;
      x[1] = 0;
    },
    derivativesInto(dx, _timeS, x) {
      dx[0] = x[1]!;
      dx[1] = -(GRAVITY_MPS2 / LENGTH_M) * sin(x[0]!);
    },
  };
  const energy = (x: Float64Array): number =>
    0.5 * LENGTH_M * LENGTH_M * x[1]! * x[1]! + GRAVITY_MPS2 * LENGTH_M * (1 - cos(x[0]!));
  return {
    name,
    about,
    plant,
    endUs: 10_000_000,
    stepUs: 10_000,
    sampleUs: 100_000,
    solutionInto(x, tUs) {
      const { sn, cn } = jacobi(quarter - OMEGA * (tUs / 1e6), m);
      x[0] = 2 * asin(k * sn);
      x[1] = -2 * k * OMEGA * cn;
    },
    invariants: [
      { name: "energy", unit: "J/kg", scale: GRAVITY_MPS2 * LENGTH_M * (1 - cos(startRad)), valueOf: energy },
    ],
  };
}

export const smallPendulum = pendulum({
  name: "pendulum, 0.1 rad",
  about: "theta'' = -(g/L) sin theta, released at 0.1 rad",
  startRad: 0.1,
});

export const largePendulum = pendulum({
  name: "pendulum, 3 rad",
  about: "theta'' = -(g/L) sin theta, released near its upper equilibrium at 3 rad",
  startRad: 3,
});
