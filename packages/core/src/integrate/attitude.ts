/**
 * Attitudes inside a step: unit quaternions (w, x, y, z) that rotate with a body rate, q̇ = ½ q ⊗ (0, ω).
 *
 * There are two methods. `normalise` integrates the quaternion as four ordinary numbers and restores its length only at
 * the end of a step. `exponential` integrates the rotation since the step's start as a vector σ, so that q = q₀ ⊗
 * exp(σ) at every stage (Munthe-Kaas 1999, "High order Runge–Kutta methods on manifolds"); it is exact for a constant
 * rate. Both use only arithmetic and sqrt, so they are as portable as the rest of the core.
 */
import type { PlacedBlock, StateLayout } from "../state/index.ts";
import { integrateErrors } from "./errors.ts";

/** Returns the offsets of the attitude blocks. */
export function attitudeOffsets(layout: StateLayout): Int32Array {
  return Int32Array.from(attitudeBlocks(layout), (block) => block.offset);
}

function attitudeBlocks(layout: StateLayout): PlacedBlock[] {
  return layout.blocks.filter((block) => block.kind === "attitude");
}

/** Restores unit length at each offset. */
export function normaliseAttitudes(x: Float64Array, offsets: Int32Array): void {
  for (let j = 0; j < offsets.length; j += 1) {
    const o = offsets[j]!;
    const w = x[o]!;
    const a = x[o + 1]!;
    const b = x[o + 2]!;
    const c = x[o + 3]!;
    const scale = 1 / Math.sqrt(w * w + a * a + b * b + c * c);
    x[o] = w * scale;
    x[o + 1] = a * scale;
    x[o + 2] = b * scale;
    x[o + 3] = c * scale;
  }
}

/**
 * The exponential map of a layout's attitudes. For each attitude, the three numbers of σ are appended to a state vector
 * and the three numbers of σ̇ to a slope vector. The sums of a Runge–Kutta step treat them like any other component.
 */
export class ExponentialMap {
  /** Count of the numbers appended to a state vector. */
  readonly extra: number;
  private readonly attitudes: Int32Array;
  private readonly rates: Int32Array;
  private readonly size: number;

  constructor(layout: StateLayout) {
    const blocks = attitudeBlocks(layout);
    this.size = layout.size;
    this.extra = 3 * blocks.length;
    this.attitudes = attitudeOffsets(layout);
    this.rates = Int32Array.from(blocks, (block) => rateOffset(layout, block));
  }

  /** At the start of a step σ = 0, hence σ̇ = ω. */
  startSlopeInto(slope: Float64Array, state: Float64Array): void {
    for (let j = 0; j < this.rates.length; j += 1) {
      const r = this.rates[j]!;
      const s = this.size + 3 * j;
      slope[s] = state[r]!;
      slope[s + 1] = state[r + 1]!;
      slope[s + 2] = state[r + 2]!;
    }
  }

  /**
   * σ̇ = dexp⁻¹(ω) = ω + ½ σ×ω + c(σ) σ×(σ×ω), with a power series for c = (1 − (|σ|/2) cot(|σ|/2)) / |σ|². A method of
   * order p keeps its order if the series is correct up to order p − 2 (Hairer, Lubich & Wanner, Geometric Numerical
   * Integration, IV.8); the terms used here are correct up to order 7.
   */
  slopeInto(slope: Float64Array, state: Float64Array): void {
    for (let j = 0; j < this.rates.length; j += 1) {
      const r = this.rates[j]!;
      const s = this.size + 3 * j;
      const sx = state[s]!;
      const sy = state[s + 1]!;
      const sz = state[s + 2]!;
      const wx = state[r]!;
      const wy = state[r + 1]!;
      const wz = state[r + 2]!;
      const ux = sy * wz - sz * wy;
      const uy = sz * wx - sx * wz;
      const uz = sx * wy - sy * wx;
      const square = sx * sx + sy * sy + sz * sz;
      const c = 1 / 12 + square * (1 / 720 + square * (1 / 30240));
      slope[s] = wx + 0.5 * ux + c * (sy * uz - sz * uy);
      slope[s + 1] = wy + 0.5 * uy + c * (sz * ux - sx * uz);
      slope[s + 2] = wz + 0.5 * uz + c * (sx * uy - sy * ux);
    }
  }

  /** q = q₀ ⊗ exp(σ): q₀ from `base`, σ from `state`, q into `state`. */
  composeInto(state: Float64Array, base: Float64Array): void {
    for (let j = 0; j < this.attitudes.length; j += 1) {
      const s = this.size + 3 * j;
      this.turnInto(state, base, this.attitudes[j]!, s);
    }
  }

  /**
   * exp(σ) = (cos α, sin α σ/|σ|) with α = |σ|/2. The series of cos α and of sin α/α are in powers of α² and accurate
   * to the last bits for α ≤ 1. A larger rotation is halved until it is small, and then doubled again by squaring the
   * quaternion.
   */
  private turnInto(state: Float64Array, base: Float64Array, o: number, s: number): void {
    let x = 0.5 * state[s]!;
    let y = 0.5 * state[s + 1]!;
    let z = 0.5 * state[s + 2]!;
    let square = x * x + y * y + z * z;
    let doublings = 0;
    while (square > 1 && doublings < MAX_DOUBLINGS) {
      x *= 0.5;
      y *= 0.5;
      z *= 0.5;
      square *= 0.25;
      doublings += 1;
    }
    const v = -square;
    let sinc = 1;
    let w = 1;
    for (let m = SINC_SERIES.length - 1; m >= 0; m -= 1) {
      sinc = 1 + v * SINC_SERIES[m]! * sinc;
      w = 1 + v * COS_SERIES[m]! * w;
    }
    x *= sinc;
    y *= sinc;
    z *= sinc;
    for (; doublings > 0; doublings -= 1) {
      const twice = 2 * w;
      w = w * w - (x * x + y * y + z * z);
      x *= twice;
      y *= twice;
      z *= twice;
    }
    const qw = base[o]!;
    const qx = base[o + 1]!;
    const qy = base[o + 2]!;
    const qz = base[o + 3]!;
    state[o] = qw * w - qx * x - qy * y - qz * z;
    state[o + 1] = qw * x + qx * w + qy * z - qz * y;
    state[o + 2] = qw * y - qx * z + qy * w + qz * x;
    state[o + 3] = qw * z + qx * y - qy * x + qz * w;
  }
}

// Taylor series as nested products, sin α / α = 1 − α²/(2·3) (1 − α²/(4·5) (1 − …)); the first omitted term is α¹⁸/19!.
const SINC_SERIES = Float64Array.from({ length: 8 }, (_, m) => 1 / ((2 * m + 2) * (2 * m + 3)));
const COS_SERIES = Float64Array.from({ length: 8 }, (_, m) => 1 / ((2 * m + 1) * (2 * m + 2)));

/** Stops the halving of a rotation that is not finite. No meaningful step rotates by 2^40 rad. */
const MAX_DOUBLINGS = 40;

function rateOffset(layout: StateLayout, block: PlacedBlock): number {
  if (block.rateBlock === undefined) {
    throw integrateErrors.noRate({
      what: `attitude "exponential" needs the body rate of the block "${block.name}", which has no rateBlock`,
      where: { key: "attitude" },
      fix: `choose attitude "normalise", or give the block "${block.name}" a rateBlock`,
    });
  }
  return layout.require(block.rateBlock, `attitude "exponential"`).offset;
}
