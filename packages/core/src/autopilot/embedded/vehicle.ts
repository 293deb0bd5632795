/**
 * The state of the vehicle at this tick: a checked copy of the estimate, plus the heading.
 *
 * All other parts of the autopilot read the state from here, never from the bus. An estimate that is not finite, is
 * implausibly large or has no unit quaternion gives a typed error, because continuing would hide a defect in the
 * estimator.
 */
import type { View } from "../../engine/contracts.ts";
import { atan2InPlace } from "../../math/index.ts";
import type { Clock } from "../../time/index.ts";
import { autopilotErrors } from "../errors.ts";

/** Values below this magnitude overflow no control law. */
const MAX_MAGNITUDE = 1e9;

export class Vehicle {
  readonly posNed = new Float64Array(3);
  readonly velNed = new Float64Array(3);
  readonly accNed = new Float64Array(3);
  readonly qBodyToNed = Float64Array.of(1, 0, 0, 0);
  readonly rateBody = new Float64Array(3);
  readonly rateDotBody = new Float64Array(3);
  /** Flags of `estValid`. */
  private readonly flags = new Float64Array(1);
  /** The heading is in the first cell; the second is scratch. */
  private readonly heading = new Float64Array(2);

  read(bus: View<"autopilot">, clock: Clock): void {
    const { posNed: p, velNed: v, accNed: a, qBodyToNed: q, rateBody: w, rateDotBody: wd } = this;
    const { estPosNed, estVelNed, estAccNed, estQBodyToNed, estRateBody, estRateDotBody } = bus;
    let size = 0;
    for (let i = 0; i < 3; i += 1) {
      p[i] = estPosNed[i]!;
      v[i] = estVelNed[i]!;
      a[i] = estAccNed[i]!;
      w[i] = estRateBody[i]!;
      wd[i] = estRateDotBody[i]!;
      size += Math.abs(p[i]) + Math.abs(v[i]) + Math.abs(a[i]) + Math.abs(w[i]) + Math.abs(wd[i]);
    }
    const q0 = estQBodyToNed[0]!;
    const q1 = estQBodyToNed[1]!;
    const q2 = estQBodyToNed[2]!;
    const q3 = estQBodyToNed[3]!;
    q[0] = q0;
    q[1] = q1;
    q[2] = q2;
    q[3] = q3;
    this.flags[0] = bus.estValid[0]!;
    const norm = q0 * q0 + q1 * q1 + q2 * q2 + q3 * q3;
    if (!(size < MAX_MAGNITUDE && norm > 0.99 && norm < 1.01)) this.reject(clock);
    this.computeHeading();
  }

  /** The bits of `estValid`: which parts of the estimate are valid. */
  get valid(): number {
    return this.flags[0];
  }

  /** The yaw of the estimate. */
  get headingRad(): number {
    return this.heading[0];
  }

  private computeHeading(): void {
    const { heading, qBodyToNed: q } = this;
    heading[0] = 2 * (q[0] * q[3] + q[1] * q[2]);
    heading[1] = 1 - 2 * (q[2] * q[2] + q[3] * q[3]);
    atan2InPlace(heading);
  }

  private reject(clock: Clock): never {
    const parts: readonly (readonly [string, Float64Array])[] = [
      ["estPosNed", this.posNed],
      ["estVelNed", this.velNed],
      ["estAccNed", this.accNed],
      ["estRateBody", this.rateBody],
      ["estRateDotBody", this.rateDotBody],
      ["estQBodyToNed", this.qBodyToNed],
    ];
    const bad = parts.find(([, values]) => !(magnitude(values) < MAX_MAGNITUDE)) ?? parts[5]!;
    throw autopilotErrors.badEstimate({
      what: `the estimate ${bad[0]} is (${Array.from(bad[1]).join(", ")})`,
      where: { tUs: clock.us, stage: "autopilot" },
      fix: "check the estimator and the plant that it observes; look for the earliest row in which this signal is bad",
    });
  }
}

function magnitude(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) sum += Math.abs(values[i]);
  return sum;
}
