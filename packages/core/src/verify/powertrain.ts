/**
 * Oscillator, rotors and battery in a chain: fast rotors drive a slow oscillator and drain a battery.
 *
 *   Ω̇ᵢ = −α (Ωᵢ − Ωᵢ*),   ẍ = −ω₀² x + g Σ(Ωᵢ − Ωᵢ*),   ṡ = −κ ΣΩᵢ,   V̇ = (r ΣΩᵢ − V)/τ
 *
 * All equations are linear, so each has a closed form in δ = Σ(Ωᵢ(0) − Ωᵢ*). The rotors' rate of 200 1/s makes steps
 * above 14 ms unstable in RK4: a method that does not control the rotors' error diverges here.
 */
import type { Plant } from "../engine/index.ts";
import { cos, exp, sin } from "../math/index.ts";
import { StateLayout } from "../state/index.ts";
import { block, type VerificationProblem } from "./problem.ts";

const TARGETS = [400, 420, 410, 430] as const;
const ROTORS = TARGETS.length;
const ALPHA = 200;
const OMEGA = 6.283185307179586;
const PUSH = 1e-3;
const DRAIN = 1e-5;
const RESISTANCE = 5e-4;
const TAU = 0.2;
const X0 = 1;
const SOC0 = 1;
const VOLT0 = 1;
const TARGET_SUM = TARGETS.reduce((sum, target) => sum + target, 0);
/** The rotors start at rest. */
const DELTA = -TARGET_SUM;

const DISPLACEMENT = 0;
const SPEED = 1;
const ROTOR = 2;
const SOC = ROTOR + ROTORS;
const VOLT = SOC + 1;

const plant: Plant = {
  layout: new StateLayout([
    block({ name: "displacement", unit: "m", group: "position" }),
    block({ name: "speed", unit: "m/s", group: "velocity" }),
    block({ name: "rotorSpeed", size: ROTORS, unit: "rad/s", group: "rotors", absolute: 1e-8 }),
    block({ name: "batterySoc", unit: "1", group: "battery" }),
    block({ name: "batteryV1", unit: "V", group: "battery" }),
  ]),
  initialInto(x) {
    x.fill(0);
    x[DISPLACEMENT] = X0;
    x[SOC] = SOC0;
    x[VOLT] = VOLT0;
  },
  derivativesInto(dx, _timeS, x) {
    let sum = 0;
    for (let i = 0; i < ROTORS; i += 1) {
      dx[ROTOR + i] = -ALPHA * (x[ROTOR + i]! - TARGETS[i]!);
      sum += x[ROTOR + i]!;
    }
    dx[DISPLACEMENT] = x[SPEED]!;
    dx[SPEED] = -OMEGA * OMEGA * x[DISPLACEMENT]! + PUSH * (sum - TARGET_SUM);
    dx[SOC] = -DRAIN * sum;
    dx[VOLT] = (RESISTANCE * sum - x[VOLT]!) / TAU;
  },
};

/** ẍ = −ω₀² x + g δ e^(−αt): a particular solution X e^(−αt) with X = g δ/(α² + ω₀²), and the free oscillation. */
function oscillationInto(x: Float64Array, seconds: number): void {
  const driven = (PUSH * DELTA) / (ALPHA * ALPHA + OMEGA * OMEGA);
  const decay = exp(-ALPHA * seconds);
  const even = X0 - driven;
  const odd = (ALPHA * driven) / OMEGA;
  const angle = OMEGA * seconds;
  x[DISPLACEMENT] = driven * decay + even * cos(angle) + odd * sin(angle);
  x[SPEED] = -ALPHA * driven * decay + OMEGA * (odd * cos(angle) - even * sin(angle));
}

/** V tends to r ΣΩ*; one transient decays with the rotors, the other with τ. */
function batteryInto(x: Float64Array, seconds: number): void {
  const decay = exp(-ALPHA * seconds);
  x[SOC] = SOC0 - DRAIN * (TARGET_SUM * seconds + (DELTA * (1 - decay)) / ALPHA);
  const settled = RESISTANCE * TARGET_SUM;
  const following = (RESISTANCE * DELTA) / (1 - ALPHA * TAU);
  x[VOLT] = settled + following * decay + (VOLT0 - settled - following) * exp(-seconds / TAU);
}

export const oscillatorRotorBattery: VerificationProblem = {
  name: "oscillator, rotors, battery",
  about: "Rotors with a rate of 200 1/s drive an oscillator of 1 Hz and drain a battery",
  plant,
  endUs: 2_000_000,
  stepUs: 4_000,
  sampleUs: 4_000,
  solutionInto(x, tUs) {
    const seconds = tUs / 1e6;
    oscillationInto(x, seconds);
    for (let i = 0; i < ROTORS; i += 1) x[ROTOR + i] = TARGETS[i]! * (1 - exp(-ALPHA * seconds));
    batteryInto(x, seconds);
  },
  invariants: [
    {
      // ṡ − (κ/α) ΣΩ̇ = −κ ΣΩ*. This invariant is linear in x and t, so every Runge–Kutta method preserves it up to
      // rounding, and a larger drift shows an error of the clock.
      name: "charge balance",
      unit: "1",
      scale: SOC0,
      valueOf(x, tUs) {
        let sum = 0;
        for (let i = 0; i < ROTORS; i += 1) sum += x[ROTOR + i]!;
        return x[SOC]! - (DRAIN / ALPHA) * sum + DRAIN * TARGET_SUM * (tUs / 1e6);
      },
    },
  ],
};
