/**
 * The harmonic oscillator, ẍ = −ω₀² x: x = x₀ cos ω₀t + (v₀/ω₀) sin ω₀t, energy ½(v² + ω₀² x²).
 *
 * The simplest check of a method's accuracy and energy drift: Euler gains energy, Runge–Kutta slowly loses it.
 */
import type { Plant } from "../engine/index.ts";
import { cos, sin } from "../math/index.ts";
import { StateLayout } from "../state/index.ts";
import { block, type VerificationProblem } from "./problem.ts";

const OMEGA = 6.283185307179586;
const X0 = 1;
const V0 = 0;

const plant: Plant = {
  layout: new StateLayout([block({ name: "displacement", unit: "m" }), block({ name: "speed", unit: "m/s" })]),
  initialInto(x) {
    x[0] = X0;
    x[1] = V0;
  },
  derivativesInto(dx, _timeS, x) {
    dx[0] = x[1]!;
    dx[1] = -OMEGA * OMEGA * x[0]!;
  },
};

export const harmonicOscillator: VerificationProblem = {
  name: "harmonic oscillator",
  about: "x'' = -w^2 x with a period of one second",
  plant,
  endUs: 10_000_000,
  stepUs: 10_000,
  sampleUs: 100_000,
  solutionInto(x, tUs) {
    const angle = OMEGA * (tUs / 1e6);
    x[0] = X0 * cos(angle) + (V0 / OMEGA) * sin(angle);
    x[1] = V0 * cos(angle) - X0 * OMEGA * sin(angle);
  },
  invariants: [
    {
      name: "energy",
      unit: "J/kg",
      scale: 0.5 * (V0 * V0 + OMEGA * OMEGA * X0 * X0),
      valueOf: (x) => 0.5 * (x[1]! * x[1]! + OMEGA * OMEGA * x[0]! * x[0]!),
    },
  ],
};
