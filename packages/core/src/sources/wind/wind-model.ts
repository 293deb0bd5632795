/**
 * The contract of a wind model: the velocity of the air mass over ground at the ticks of the wind axis.
 *
 * A model writes the wind of this tick and then moves its memory on by one period, so the value at t0 is its start
 * and not already one step further, and what happens between two ticks depends only on what was known at the first.
 * Random models draw the same count of numbers at every tick whatever their parameters, one stream a channel.
 */
import type { Readable } from "../../engine/contracts.ts";
import type { Saveable } from "../../snapshot/index.ts";
import type { Clock } from "../../time/index.ts";

/** What a wind model may see. The ground is the plane z = 0 of the local frame, so height above it is −posNed[2]. */
export interface WindSight {
  readonly clock: Clock;
  readonly posNed: Readable;
  readonly velNed: Readable;
  /** The steady wind that turbulence is carried by: zero unless the model is part of a sum with steady parts. */
  readonly meanNed: Readable;
}

export interface WindModel extends Saveable {
  /** Called once a tick, in order. */
  sampleInto(windNed: Float64Array, sight: WindSight): void;
}

export interface WindContext {
  readonly seed: number;
  /** Period of the wind axis: how far one call moves a model on. */
  readonly periodUs: number;
  /** First part of the names of the random streams; "wind" unless given. */
  readonly stream?: string;
}
