/**
 * The estimate as a flat row: an estimator computes it from the truth, delays it and publishes it.
 *
 * It has nineteen numbers in the order of the estimator's signals: position, velocity, acceleration, attitude, rate,
 * and the derivative of the rate.
 */
import type { Readable, View } from "../../engine/index.ts";

export const POS = 0;
export const VEL = 3;
export const ACC = 6;
export const ATT = 9;
export const RATE = 13;
const RATE_DOT = 16;
export const ROW_SIZE = 19;

/** The blocks of the true state that an estimator reads, looked up once. */
export class TruthReader {
  private pos: Readable | undefined;
  private vel!: Readable;
  private att!: Readable;
  private rate!: Readable;

  rowInto(row: Float64Array, bus: View<"estimator">): void {
    if (this.pos === undefined) this.find(bus);
    const { accNed, rateDotBody } = bus;
    for (let i = 0; i < 3; i += 1) {
      row[POS + i] = this.pos![i]!;
      row[VEL + i] = this.vel[i]!;
      row[ACC + i] = accNed[i]!;
      row[RATE + i] = this.rate[i]!;
      row[RATE_DOT + i] = rateDotBody[i]!;
    }
    for (let i = 0; i < 4; i += 1) row[ATT + i] = this.att[i]!;
  }

  private find({ truth }: View<"estimator">): void {
    this.pos = truth.block("posNed", "estimator");
    this.vel = truth.block("velNed", "estimator");
    this.att = truth.block("qBodyToNed", "estimator");
    this.rate = truth.block("rateBody", "estimator");
  }
}

export function publishRow(bus: View<"estimator">, row: Float64Array): void {
  const { estPosNed, estVelNed, estAccNed, estQBodyToNed, estRateBody, estRateDotBody } = bus;
  for (let i = 0; i < 3; i += 1) {
    estPosNed[i] = row[POS + i]!;
    estVelNed[i] = row[VEL + i]!;
    estAccNed[i] = row[ACC + i]!;
    estRateBody[i] = row[RATE + i]!;
    estRateDotBody[i] = row[RATE_DOT + i]!;
  }
  for (let i = 0; i < 4; i += 1) estQBodyToNed[i] = row[ATT + i]!;
}
