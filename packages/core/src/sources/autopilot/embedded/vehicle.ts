/**
 * What the autopilot believes of the vehicle at this tick: a checked copy of the estimate, plus its heading.
 *
 * Everything else in the autopilot reads from here, never from the bus. An estimate that is not finite, absurdly large
 * or no rotation is refused with a typed error: flying on would hide the estimator's defect.
 */
import { atan2 } from "../../../math/index.ts";
import type { View } from "../../../engine/contracts.ts";
import type { Clock } from "../../../time/index.ts";
import { autopilotErrors } from "../errors.ts";

/** Below this in magnitude no law overflows. */
const LIMIT = 1e9;

export class Vehicle {
  readonly posNed = new Float64Array(3);
  readonly velNed = new Float64Array(3);
  readonly accNed = new Float64Array(3);
  readonly qBodyToNed = Float64Array.of(1, 0, 0, 0);
  readonly rateBody = new Float64Array(3);
  readonly rateDotBody = new Float64Array(3);
  /** Yaw, one cell. */
  readonly headingRad = new Float64Array(1);

  read(bus: View<"autopilot">, clock: Clock): void {
    const { posNed: p, velNed: v, accNed: a, qBodyToNed: q, rateBody: w, rateDotBody: wd } = this;
    for (let i = 0; i < 3; i += 1) {
      p[i] = bus.estPosNed[i];
      v[i] = bus.estVelNed[i];
      a[i] = bus.estAccNed[i];
      w[i] = bus.estRateBody[i];
      wd[i] = bus.estRateDotBody[i];
    }
    for (let i = 0; i < 4; i += 1) q[i] = bus.estQBodyToNed[i];
    const size = magnitude(p) + magnitude(v) + magnitude(a) + magnitude(w) + magnitude(wd);
    const norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!(size < LIMIT && norm > 0.99 && norm < 1.01)) this.refuse(clock);
    this.headingRad[0] = atan2(2 * (q[0] * q[3] + q[1] * q[2]), 1 - 2 * (q[2] * q[2] + q[3] * q[3]));
  }

  private refuse(clock: Clock): never {
    const parts: readonly (readonly [string, Float64Array])[] = [
      ["estPosNed", this.posNed],
      ["estVelNed", this.velNed],
      ["estAccNed", this.accNed],
      ["estRateBody", this.rateBody],
      ["estRateDotBody", this.rateDotBody],
      ["estQBodyToNed", this.qBodyToNed],
    ];
    const bad = parts.find(([, values]) => !(magnitude(values) < LIMIT)) ?? parts[5]!;
    throw autopilotErrors.badEstimate({
      what: `the estimate ${bad[0]} is (${Array.from(bad[1]).join(", ")})`,
      where: { tUs: clock.us, stage: "autopilot" },
      fix: "look at the estimator and at the plant it observes; the first bad value is the cause",
    });
  }
}

function magnitude(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) sum += Math.abs(values[i]);
  return sum;
}
