/**
 * The contract of a wind model: the velocity of the air mass over ground at the ticks of the wind axis.
 *
 * A model writes the wind of this tick and then advances its memory by one period. The value at t0 is therefore its
 * initial value, and the step to the next tick depends only on values at the current tick. At every tick, random models
 * draw the same number of values, independent of their parameters, from one random stream per component.
 */
import type { Readable } from "../../engine/contracts.ts";
import type { Saveable } from "../../snapshot/index.ts";
import type { Clock } from "../../time/index.ts";

/** The data that a wind model may read. The ground is the plane z = 0 of the local frame, so height is −posNed[2]. */
export interface WindInput {
  readonly clock: Clock;
  readonly posNed: Readable;
  readonly velNed: Readable;
  /** The mean wind that carries turbulence: zero unless the model is part of a sum with steady parts. */
  readonly meanNed: Readable;
}

/** A model of the wind: gives its velocity at the vehicle, and saves and loads its state. */
export interface WindModel extends Saveable {
  /** True if the wind depends on position alone: it is then part of the mean wind of a sum. */
  readonly isSteady?: true;
  /** Called once per tick, in order. */
  sampleInto(windNed: Float64Array, input: WindInput): void;
  /**
   * Adds the angular velocity of the air at the vehicle; called after `sampleInto`. Without it, the air does not
   * rotate.
   */
  addGustRate?(gustRateNed: Float64Array): void;
}

/** The inputs of a wind model at assembly. */
export interface WindContext {
  readonly seed: number;
  /** Period of the wind axis: each call advances the model by this much. */
  readonly periodUs: number;
  /** Prefix of the names of the random streams; "wind" if absent. */
  readonly stream?: string;
  /** Largest distance between two tips of the vehicle's rotors; the span b of rotary gusts. Absent without rotors. */
  readonly spanM?: number;
}
