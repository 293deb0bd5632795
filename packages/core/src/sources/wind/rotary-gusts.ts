/**
 * Rotary gusts of MIL-F-8785C (1980), section 3.7.5: the rotation of the air over the span b of a vehicle.
 *
 * In the standard the spectra are, as functions of the spatial frequency Ω,
 *   Φ_p = (σ_w²/L_w)·0.8·(πL_w/4b)^⅓/(1 + (4bΩ/π)²),
 *   Φ_q = Ω²·Φ_w/(1 + (4bΩ/π)²),   Φ_r = Ω²·Φ_v/(1 + (3bΩ/π)²).
 * p is an independent first-order process, advanced exactly. q and r are the gradients of w and v along the flight
 * path, with a first-order lag over the span: with the lagged w̄, q = (π/4b)·(w − w̄). The lag is exact for a gust that
 * changes linearly between two ticks. Dryden's and von Kármán's spectra both use these forms; von Kármán's v and w have
 * more power at high frequencies, and so have q and r.
 */
import { exp, pow } from "../../math/index.ts";
import type { RandomStream } from "../../random/index.ts";
import { PartWithMemory } from "../../snapshot/index.ts";
import { GustComponent } from "./gust-component.ts";

const SIGMA_W = 2;
const LENGTH_W = 5;
/** Lengths of the first-order lags of q and of r, in units of the span b. */
const LAGS = [4 / Math.PI, 3 / Math.PI] as const;
/** Indices of the gust components from which q and r are computed: w and v. */
const LAGGED_COMPONENTS = [2, 1] as const;

interface RotaryOptions {
  readonly spanM: number;
  readonly periodS: number;
  readonly random: RandomStream;
}

export class RotaryGusts extends PartWithMemory {
  /** p, and the gradients of w and v along the path of the gusts, in rad/s, with the sign of the change over time. */
  readonly rate = new Float64Array(3);
  private readonly spanM: number;
  private readonly periodS: number;
  private readonly roll: GustComponent;
  /** 1 after the first tick. */
  private readonly hasBegun = new Float64Array(1);
  /** The gusts w and v of the previous tick, and their lagged values. */
  private readonly before = new Float64Array(2);
  private readonly lagged = new Float64Array(2);
  protected readonly memory;
  private readonly unit = new Float64Array(1);
  private readonly theta = new Float64Array(1);

  constructor({ spanM, periodS, random }: RotaryOptions) {
    super();
    this.spanM = spanM;
    this.periodS = periodS;
    this.roll = new GustComponent({ direction: "along", rates: [1], variances: [1], random });
    this.memory = { roll: this.roll, hasBegun: this.hasBegun, before: this.before, lagged: this.lagged };
  }

  /**
   * Computes `rate` for the gusts u, v, w of this tick, their scales (`milScalesInto`) and the speed at which they are
   * carried past.
   */
  advance(gust: Float64Array, scales: Float64Array, carriedMps: number): void {
    const { spanM, periodS, roll, unit, theta, rate } = this;
    roll.valueInto(unit, 0);
    rate[0] = unit[0]! * rollDeviation(scales[SIGMA_W]!, scales[LENGTH_W]!, spanM);
    theta[0] = (carriedMps * periodS) / (LAGS[0] * spanM);
    roll.advance(theta, 0);
    for (let i = 0; i < 2; i += 1) {
      const lagM = LAGS[i]! * spanM;
      const value = gust[LAGGED_COMPONENTS[i]!]!;
      rate[1 + i] = (value - this.lagGust(i, value, (carriedMps * periodS) / lagM)) / lagM;
    }
    this.hasBegun[0] = 1;
  }

  /** Returns the lagged gust at this tick; `steps` is the period divided by the time constant. */
  private lagGust(i: number, value: number, steps: number): number {
    const { before, lagged } = this;
    if (this.hasBegun[0] === 0) lagged[i] = value;
    else {
      const decay = exp(-steps);
      const mean = (1 - decay) / steps;
      lagged[i] = decay * lagged[i]! + (mean - decay) * before[i]! + (1 - mean) * value;
    }
    before[i] = value;
    return lagged[i]!;
  }
}

/** Returns σ_p, the square root of the integral of Φ_p over Ω. */
function rollDeviation(sigmaW: number, lengthM: number, spanM: number): number {
  const density = ((0.8 * sigmaW * sigmaW) / lengthM) * pow((Math.PI * lengthM) / (4 * spanM), 1 / 3);
  return Math.sqrt((density * Math.PI * Math.PI) / (8 * spanM));
}
