/**
 * White noise at every autopilot tick, plus biases that wander as first-order Gauss–Markov processes.
 */
import { sinCosInPlace } from "../../math/index.ts";
import { GaussMarkov, RandomStream } from "../../random/index.ts";
import { PartWithMemory, type SnapshotReader } from "../../snapshot/index.ts";
import { defineKind, defineParams, type ParamsOf } from "../../params/index.ts";
import { above, atLeast, number, vector } from "../../params/rows.ts";
import type { Source } from "../../engine/index.ts";
import { ATT, POS, RATE, VEL } from "./estimate.ts";
import { delayS, type EstimateErrors, type EstimatorContext, makeEstimator } from "./estimator-source.ts";

const noisyParams = defineParams({
  delayS: { ...delayS, default: 0.008 },
  posSigmaM: vector(3, "m", atLeast(0), "White noise of the position.", [0.02, 0.02, 0.02]),
  velSigmaMps: vector(3, "m/s", atLeast(0), "White noise of the velocity.", [0.05, 0.05, 0.05]),
  yawSigmaRad: number("rad", atLeast(0), "White noise of the yaw angle.", 0.01),
  rateSigmaRadps: vector(3, "rad/s", atLeast(0), "White noise of the body rates.", [0.005, 0.005, 0.005]),
  posBiasSigmaM: vector(3, "m", atLeast(0), "Standard deviation of the wandering position bias.", [0, 0, 0]),
  velBiasSigmaMps: vector(3, "m/s", atLeast(0), "Standard deviation of the wandering velocity bias.", [0, 0, 0]),
  yawBiasSigmaRad: number("rad", atLeast(0), "Standard deviation of the wandering yaw bias.", 0),
  rateBiasSigmaRadps: vector(
    3,
    "rad/s",
    atLeast(0),
    "Standard deviation of the wandering rate bias.",
    [0.001, 0.001, 0.001],
  ),
  biasTauS: number("s", above(0), "Correlation time of the biases.", 50),
});

/** The noise of one estimate. White noise is drawn even if its size is 0, because all white noise shares one stream. */
class EstimateNoise extends PartWithMemory implements EstimateErrors {
  private readonly p: ParamsOf<typeof noisyParams>;
  private readonly white: RandomStream;
  private readonly position: GaussMarkov;
  private readonly velocity: GaussMarkov;
  private readonly rate: GaussMarkov;
  private readonly yaw: GaussMarkov;
  protected readonly memory;
  /** The biases that are switched on. Each has its own stream, so omitting one does not shift the others. */
  private readonly wandering: GaussMarkov[] = [];
  private readonly draws = new Float64Array(10);
  /** Half the yaw error, then the sine and cosine of that half. */
  private readonly half = new Float64Array(2);

  constructor(p: ParamsOf<typeof noisyParams>, { seed, periodUs }: EstimatorContext) {
    super();
    this.p = p;
    this.white = new RandomStream(seed, "estimator/white");
    const bias = (name: string, sigma: readonly number[]) =>
      this.makeBias(sigma, new RandomStream(seed, `estimator/${name}-bias`), periodUs);
    this.position = bias("position", p.posBiasSigmaM);
    this.velocity = bias("velocity", p.velBiasSigmaMps);
    this.rate = bias("rate", p.rateBiasSigmaRadps);
    this.yaw = bias("yaw", [p.yawBiasSigmaRad]);
    this.memory = [this.white, this.position, this.velocity, this.rate, this.yaw];
  }

  apply(row: Float64Array): void {
    const { p, draws, position, velocity, rate, yaw } = this;
    this.white.gaussiansInto(draws);
    for (let i = 0; i < 3; i += 1) row[POS + i]! += position.value[i]! + p.posSigmaM[i]! * draws[i]!;
    for (let i = 0; i < 3; i += 1) row[VEL + i]! += velocity.value[i]! + p.velSigmaMps[i]! * draws[3 + i]!;
    for (let i = 0; i < 3; i += 1) row[RATE + i]! += rate.value[i]! + p.rateSigmaRadps[i]! * draws[6 + i]!;
    this.half[0] = (yaw.value[0]! + p.yawSigmaRad * draws[9]!) / 2;
    rotateAboutDown(row, this.half);
    for (let i = 0; i < this.wandering.length; i += 1) this.wandering[i]!.step();
  }

  /** A bias that was switched off in flight keeps its last value and decays from there. */
  override load(reader: SnapshotReader): void {
    super.load(reader);
    for (const bias of [this.position, this.velocity, this.rate, this.yaw]) {
      if (bias.value.some((value) => value !== 0) && !this.wandering.includes(bias)) this.wandering.push(bias);
    }
  }

  private makeBias(sigma: readonly number[], random: RandomStream, periodUs: number): GaussMarkov {
    const bias = new GaussMarkov({ sigma, tauS: this.p.biasTauS, periodS: periodUs / 1e6, random });
    if (sigma.some((size) => size !== 0)) this.wandering.push(bias);
    else bias.value.fill(0);
    return bias;
  }
}

export const noisy = defineKind({
  name: "noisy",
  about: "The true state with white noise, wandering biases and an exact delay.",
  version: 1,
  params: noisyParams,
  make: (p, context: EstimatorContext): Source<"estimator"> =>
    makeEstimator(context, p.delayS, new EstimateNoise(p, context)),
});

/** Rotates the attitude by twice `half[0]` about the world's down axis: q ← q_z ⊗ q, renormalised. */
function rotateAboutDown(row: Float64Array, half: Float64Array): void {
  sinCosInPlace(half);
  const s = half[0]!;
  const c = half[1]!;
  const w = row[ATT]!;
  const x = row[ATT + 1]!;
  const y = row[ATT + 2]!;
  const z = row[ATT + 3]!;
  const qw = c * w - s * z;
  const qx = c * x - s * y;
  const qy = c * y + s * x;
  const qz = c * z + s * w;
  const norm = Math.sqrt(qw * qw + qx * qx + qy * qy + qz * qz);
  row[ATT] = qw / norm;
  row[ATT + 1] = qx / norm;
  row[ATT + 2] = qy / norm;
  row[ATT + 3] = qz / norm;
}
