/**
 * Continuous turbulence of MIL-F-8785C (1980), section 3.7. Its intensities and length scales depend on the height h
 * (ft). Dryden and von Kármán turbulence differ only in their spectra and in one length.
 *
 * Below 1000 ft (figures 10 and 11): L_w = h, L_u = L_v = h/(0.177 + 0.000823h)^1.2, σ_w = 0.1·W20,
 * σ_u = σ_v = σ_w/(0.177 + 0.000823h)^0.4. Above 2000 ft: one length (1750 ft Dryden, 2500 ft von Kármán) and one
 * intensity, from figure 7. In between, lengths and intensities are interpolated linearly. (MIL-HDBK-1797 halves L_v
 * and L_w and doubles them in its transfer functions.)
 *
 * Frozen turbulence varies only along the vehicle's path through the air, so it advances with the airspeed
 * |velNed − meanNed|, but no slower than `airspeedFloorMps`. Below 1000 ft the intensity is that of a mean wind of W20.
 * If the flight has no mean wind, the turbulence is the only wind, but its field still moves past the vehicle at W20,
 * from `windFromDeg`. For the rotation of the air see `rotary-gusts.ts`.
 */
import { pow } from "../../math/index.ts";
import { defineParams } from "../../params/index.ts";
import type { ParamsOf } from "../../params/index.ts";
import { above, atLeast, boolean, choice, number } from "../../params/rows.ts";
import { RandomStream } from "../../random/index.ts";
import { PartWithMemory } from "../../snapshot/index.ts";
import { usToSeconds } from "../../time/index.ts";
import { blowsToward, windFromDeg } from "./direction.ts";
import { GustComponent } from "./gust-component.ts";
import { RotaryGusts } from "./rotary-gusts.ts";
import type { WindContext, WindInput, WindModel } from "./wind-model.ts";

const FOOT_M = 0.3048;
const LOW_TOP_FT = 1000;
const HIGH_BOTTOM_FT = 2000;

/** Figure 7: altitude in ft, then the standard deviation in ft/s for each probability of exceedance. */
const EXCEEDANCE = ["2e-1", "1e-1", "1e-2", "1e-3", "1e-4", "1e-5", "1e-6"] as const;
// prettier-ignore
const FIGURE_7: readonly (readonly number[])[] = [
  [500, 3.2, 4.2, 6.6, 8.6, 11.8, 15.6, 18.7],
  [1750, 2.2, 3.6, 6.9, 9.6, 13.0, 17.6, 21.5],
  [3750, 1.5, 3.3, 7.4, 10.6, 16.0, 23.0, 28.4],
  [7500, 0, 1.6, 6.7, 10.1, 15.1, 23.6, 30.2],
  [15000, 0, 0, 4.6, 8.0, 11.6, 22.1, 30.7],
  [25000, 0, 0, 2.7, 6.6, 9.7, 20.0, 31.0],
  [35000, 0, 0, 0.4, 5.0, 8.1, 16.0, 25.2],
  [45000, 0, 0, 0, 4.2, 8.2, 15.1, 23.1],
  [55000, 0, 0, 0, 2.7, 7.9, 12.1, 17.5],
  [65000, 0, 0, 0, 0, 4.9, 7.9, 10.7],
  [75000, 0, 0, 0, 0, 3.2, 6.2, 8.4],
  [80000, 0, 0, 0, 0, 2.1, 5.1, 7.2],
];

export const milTurbulenceParams = defineParams({
  w20Mps: number(
    "m/s",
    atLeast(0),
    "Wind speed at 20 ft, which sets the intensity below 1000 ft: 7.7 light, 15.4 moderate, 23.2 severe.",
    7.7,
  ),
  exceedance: choice(
    EXCEEDANCE,
    "Probability that the intensity above 2000 ft is exceeded: 1e-2 light, 1e-3 moderate, 1e-5 severe.",
    "1e-2",
  ),
  windFromDeg: {
    ...windFromDeg,
    about:
      "Direction from which turbulence is carried past the vehicle, at w20Mps, if there is no mean wind; this key adds no mean wind (use `sum` with a constant or shear wind to add one).",
  },
  axes: choice(
    ["wind", "track"],
    "Direction of the along-wind component: the mean wind, or the track through the air (held while the airspeed is below its floor).",
    "wind",
  ),
  airspeedFloorMps: number("m/s", above(0), "Minimum speed of the turbulence field relative to the vehicle.", 3),
  heightFloorM: number("m", above(0), "Minimum height at which intensities and lengths are evaluated (10 ft).", 3.048),
  rotaryGusts: boolean("Whether the air also turns (p, q and r gusts), over the span of the vehicle.", true),
});

type MilTurbulenceParams = ParamsOf<typeof milTurbulenceParams>;

/** A spectrum: its length scale far from the ground, and the Dryden processes that it is composed of. */
export interface Spectrum {
  readonly highLengthFt: number;
  readonly rates: readonly number[];
  readonly variances: readonly number[];
}

const SIGMA = 0;
const LENGTH = 3;

export class MilTurbulence extends PartWithMemory implements WindModel {
  private readonly params: MilTurbulenceParams;
  private readonly scaleOptions: MilScaleOptions;
  private readonly periodS: number;
  private readonly components: readonly GustComponent[];
  private readonly rotary: RotaryGusts | undefined;
  /** Along-wind axis `[north, east]`. It does not change while there is no wind or track to follow. */
  private readonly axis: Float64Array;
  /** The mean wind for which the intensity is defined, `[north, east]`. */
  private readonly ownMean: Float64Array;
  protected readonly memory;
  private readonly scales = new Float64Array(6);
  private readonly gust = new Float64Array(3);
  private readonly theta = new Float64Array(3);

  constructor(given: MilTurbulenceParams, context: WindContext, spectrum: Spectrum) {
    super();
    const { seed, periodUs, stream = "wind", spanM = 0 } = context;
    this.params = given;
    const { w20Mps, exceedance } = given;
    this.scaleOptions = { w20Mps, exceedance, highLengthFt: spectrum.highLengthFt };
    this.periodS = usToSeconds(periodUs);
    this.axis = Float64Array.from(blowsToward(given.windFromDeg));
    this.ownMean = this.axis.map((part) => part * w20Mps);
    const { rates, variances } = spectrum;
    this.components = (["u", "v", "w"] as const).map(
      (name) =>
        new GustComponent({
          direction: name === "u" ? "along" : "across",
          rates,
          variances,
          random: new RandomStream(seed, `${stream}/${name}`),
        }),
    );
    if (given.rotaryGusts && spanM > 0)
      this.rotary = new RotaryGusts({ spanM, periodS: this.periodS, random: new RandomStream(seed, `${stream}/p`) });
    this.memory = { axis: this.axis, components: this.components, rotary: this.rotary ?? [] };
  }

  sampleInto(windNed: Float64Array, { posNed, velNed, meanNed }: WindInput): void {
    const { params, scales, gust, theta, axis, ownMean } = this;
    if (params.axes === "track")
      this.alignWith(velNed[0]! - meanNed[0]!, velNed[1]! - meanNed[1]!, params.airspeedFloorMps);
    else this.alignWith(meanNed[0]!, meanNed[1]!, 0);
    const hasNoMean = meanNed[0] === 0 && meanNed[1] === 0;
    const relN = velNed[0]! - (hasNoMean ? ownMean[0]! : meanNed[0]!);
    const relE = velNed[1]! - (hasNoMean ? ownMean[1]! : meanNed[1]!);
    const relD = velNed[2]! - meanNed[2]!;
    const carriedMps = Math.max(params.airspeedFloorMps, Math.sqrt(relN * relN + relE * relE + relD * relD));
    scales[0] = Math.max(params.heightFloorM, -posNed[2]!);
    milScalesInto(scales, this.scaleOptions);
    for (let i = 0; i < 3; i += 1) {
      const component = this.components[i]!;
      component.valueInto(gust, i);
      gust[i]! *= scales[SIGMA + i]!;
      theta[i] = (carriedMps * this.periodS) / scales[LENGTH + i]!;
      component.advance(theta, i);
    }
    this.rotary?.advance(gust, scales, carriedMps);
    windNed[0] = axis[0]! * gust[0]! - axis[1]! * gust[1]!;
    windNed[1] = axis[1]! * gust[0]! + axis[0]! * gust[1]!;
    windNed[2] = gust[2]!;
  }

  addGustRate(gustRateNed: Float64Array): void {
    if (this.rotary === undefined) return;
    const { rate } = this.rotary;
    // If the axis is the track, the field comes from ahead; if it is the wind, from behind. So the gradients have
    // opposite signs.
    const sign = this.params.axes === "track" ? -1 : 1;
    gustRateNed[0]! += this.axis[0]! * rate[0]! - this.axis[1]! * (sign * rate[1]!);
    gustRateNed[1]! += this.axis[1]! * rate[0]! + this.axis[0]! * (sign * rate[1]!);
    gustRateNed[2]! -= sign * rate[2]!;
  }

  /** Turns the axis to a horizontal direction if the vector is longer than `minLength`. */
  private alignWith(north: number, east: number, minLength: number): void {
    const size = Math.sqrt(north * north + east * east);
    if (!(size > minLength)) return;
    this.axis[0] = north / size;
    this.axis[1] = east / size;
  }
}

interface MilScaleOptions {
  readonly w20Mps: number;
  readonly exceedance: (typeof EXCEEDANCE)[number];
  readonly highLengthFt: number;
}

/**
 * Replaces `scales`, whose first value is the height above ground in m, with `[σ_u, σ_v, σ_w, L_u, L_v, L_w]` in m/s
 * and m.
 */
export function milScalesInto(scales: Float64Array, options: MilScaleOptions): void {
  const { w20Mps, exceedance, highLengthFt } = options;
  const heightFt = scales[0]! / FOOT_M;
  const lowFt = Math.min(heightFt, LOW_TOP_FT);
  const root = pow(0.177 + 0.000823 * lowFt, 0.4);
  const lengthFt = lowFt / (root * root * root);
  const sigmaW = 0.1 * w20Mps;
  let mix = 0;
  if (heightFt > LOW_TOP_FT) mix = Math.min(1, (heightFt - LOW_TOP_FT) / (HIGH_BOTTOM_FT - LOW_TOP_FT));
  const sigmaHigh =
    mix === 0 ? 0 : figure7(Math.max(heightFt, HIGH_BOTTOM_FT), 1 + EXCEEDANCE.indexOf(exceedance)) * FOOT_M;
  scales[SIGMA] = sigmaW / root + mix * (sigmaHigh - sigmaW / root);
  scales[SIGMA + 1] = scales[SIGMA]!;
  scales[SIGMA + 2] = sigmaW + mix * (sigmaHigh - sigmaW);
  scales[LENGTH] = (lengthFt + mix * (highLengthFt - lengthFt)) * FOOT_M;
  scales[LENGTH + 1] = scales[LENGTH]!;
  scales[LENGTH + 2] = (lowFt + mix * (highLengthFt - lowFt)) * FOOT_M;
}

function figure7(altitudeFt: number, column: number): number {
  let k = 0;
  while (k < FIGURE_7.length - 2 && altitudeFt > FIGURE_7[k + 1]![0]!) k += 1;
  const low = FIGURE_7[k]!;
  const high = FIGURE_7[k + 1]!;
  const t = Math.min(1, (altitudeFt - low[0]!) / (high[0]! - low[0]!));
  return low[column]! + t * (high[column]! - low[column]!);
}
