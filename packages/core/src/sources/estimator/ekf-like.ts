/**
 * The smooth, correlated errors of an extended Kalman filter, with the sizes and time constants measured from PX4's
 * EKF2 (docs/estimator.md).
 *
 * Velocity and attitude errors are second-order Gauss–Markov processes, critically damped: their autocorrelation is
 * σ²·(1 + |t|/T)·exp(−|t|/T), and they have a derivative, which is the error of the acceleration. The position error is
 * the integral of the velocity error, pulled back by aiding: p′ = v − p/τ, with the variance σ²·τ·(2 + T/τ)·T/(1 +
 * T/τ)². The noise of body rates is white, like the gyroscope's noise before the autopilot's filters.
 *
 * Without aiding, v′ and p′ have no restoring terms, and the difference from the aided errors accumulates as drift.
 * When aiding returns, the drift is set to zero, as EKF2 resets its state.
 */
import { RandomStream } from "../../random/index.ts";
import { PartWithMemory } from "../../snapshot/index.ts";
import { defineKind, defineParams, type ParamsOf } from "../../params/index.ts";
import { atLeast, number, vector } from "../../params/rows.ts";
import type { Source } from "../../engine/index.ts";
import type { Aiding } from "./aiding.ts";
import { ACC, ATT, POS, RATE, VEL } from "./estimate.ts";
import { delayS, type EstimateErrors, type EstimatorContext, makeEstimator } from "./estimator-source.ts";
import { HeldError } from "./held-error.ts";

const tau = atLeast(0.001);

const params = defineParams({
  delayS,
  velSigmaMps: vector(3, "m/s", atLeast(0), "Standard deviation of the velocity error.", [0.019, 0.019, 0.01]),
  velTauS: vector(3, "s", tau, "Time constant T of the velocity error.", [0.77, 0.77, 1.8]),
  posTauS: vector(3, "s", tau, "Time constant with which aiding corrects the position error.", [40, 40, 100]),
  tiltSigmaRad: number("rad", atLeast(0), "Standard deviation of the tilt error, about north and about east.", 0.0014),
  tiltTauS: number("s", tau, "Time constant T of the tilt error.", 0.8),
  yawSigmaRad: number("rad", atLeast(0), "Standard deviation of the yaw error.", 0.006),
  yawTauS: number("s", tau, "Time constant T of the yaw error.", 5),
  rateSigmaRadps: vector(3, "rad/s", atLeast(0), "White noise of the body rates.", [0.0032, 0.0032, 0.0032]),
});

/** Indices of the components of a process: its drive (0), the error, and the integral of the error. */
const ERROR = 1;
const INTEGRAL = 2;
/** The noise that drives an error is held for `HOLD_SHARE` of its time constant, but at most for `MAX_HOLD_S`. */
const MAX_HOLD_S = 0.04;
const HOLD_SHARE = 0.1;

class EkfErrors extends PartWithMemory implements EstimateErrors {
  private readonly p: ParamsOf<typeof params>;
  private readonly tickS: number;
  private readonly motion: readonly HeldError[];
  private readonly turn: readonly HeldError[];
  private readonly white: RandomStream;
  private readonly draws = new Float64Array(3);
  /** Drift of velocity and position since aiding was lost: north, east, down. */
  private readonly velDrift = new Float64Array(3);
  private readonly posDrift = new Float64Array(3);
  protected readonly memory;

  constructor(p: ParamsOf<typeof params>, { seed, periodUs }: EstimatorContext) {
    super();
    this.p = p;
    this.tickS = periodUs / 1e6;
    const errorOf = (name: string, sigma: number, tauS: number, pullS?: number) => {
      const rate = 1 / tauS;
      const rates =
        pullS === undefined
          ? [
              [-rate, 0],
              [1, -rate],
            ]
          : [
              [-rate, 0, 0],
              [1, -rate, 0],
              [0, 1, -1 / pullS],
            ];
      const holdS = Math.min(MAX_HOLD_S, HOLD_SHARE * tauS);
      return new HeldError({
        rates,
        component: ERROR,
        sigma,
        tickS: this.tickS,
        holdTicks: Math.max(1, Math.floor(holdS / this.tickS)),
        random: new RandomStream(seed, `estimator/${name}`),
      });
    };
    this.motion = ["north", "east", "down"].map((axis, i) =>
      errorOf(`velocity-${axis}`, p.velSigmaMps[i]!, p.velTauS[i]!, p.posTauS[i]!),
    );
    this.turn = [
      errorOf("tilt-north", p.tiltSigmaRad, p.tiltTauS),
      errorOf("tilt-east", p.tiltSigmaRad, p.tiltTauS),
      errorOf("yaw", p.yawSigmaRad, p.yawTauS),
    ];
    this.white = new RandomStream(seed, "estimator/rates");
    this.memory = [this.motion, this.turn, this.white, this.velDrift, this.posDrift];
  }

  apply(row: Float64Array, aiding: Aiding): void {
    const { p, motion, turn, draws, velDrift, posDrift } = this;
    for (let i = 0; i < 3; i += 1) {
      const { value } = motion[i]!;
      const restoring = value[ERROR]! / p.velTauS[i]!;
      const isAided = i === 2 ? aiding.vertical : aiding.horizontal;
      if (isAided) velDrift[i] = posDrift[i] = 0;
      else this.drift(i, restoring);
      row[POS + i]! += value[INTEGRAL]! + posDrift[i]!;
      row[VEL + i]! += value[ERROR]! + velDrift[i]!;
      row[ACC + i]! += value[0]! - (isAided ? restoring : 0);
    }
    this.white.gaussiansInto(draws);
    for (let i = 0; i < 3; i += 1) row[RATE + i]! += p.rateSigmaRadps[i]! * draws[i]!;
    rotateBy(row, turn);
    for (let i = 0; i < 3; i += 1) {
      motion[i]!.step();
      turn[i]!.step();
    }
  }

  private drift(axis: number, restoring: number): void {
    const { velDrift, posDrift, tickS } = this;
    const pull = this.motion[axis]!.value[INTEGRAL]! / this.p.posTauS[axis]!;
    posDrift[axis]! += (velDrift[axis]! + pull) * tickS;
    velDrift[axis]! += restoring * tickS;
  }
}

export const ekfLike = defineKind({
  name: "ekf-like",
  about: "The true state with smooth, correlated errors of the size that PX4's EKF2 has: the default.",
  version: 1,
  params,
  make: (p, context: EstimatorContext): Source<"estimator"> =>
    makeEstimator(context, p.delayS, new EkfErrors(p, context)),
});

/**
 * Rotates the attitude by the small vector v of the three attitude errors, in world axes (north, east, down):
 * q ← (1, v/2) ⊗ q, normalised. The parameter is the list of errors instead of three numbers, because V8 allocates
 * numbers for a call that it does not inline.
 */
function rotateBy(row: Float64Array, turn: readonly HeldError[]): void {
  const x = turn[0]!.value[ERROR]! / 2;
  const y = turn[1]!.value[ERROR]! / 2;
  const z = turn[2]!.value[ERROR]! / 2;
  const qw = row[ATT]!;
  const qx = row[ATT + 1]!;
  const qy = row[ATT + 2]!;
  const qz = row[ATT + 3]!;
  const w1 = qw - x * qx - y * qy - z * qz;
  const x1 = qx + x * qw + y * qz - z * qy;
  const y1 = qy - x * qz + y * qw + z * qx;
  const z1 = qz + x * qy - y * qx + z * qw;
  const norm = Math.sqrt(w1 * w1 + x1 * x1 + y1 * y1 + z1 * z1);
  row[ATT] = w1 / norm;
  row[ATT + 1] = x1 / norm;
  row[ATT + 2] = y1 / norm;
  row[ATT + 3] = z1 / norm;
}
