/**
 * Heading: the smoothed yaw setpoint, and the direction of a vector.
 *
 * Yaw follows its target with limited rate and acceleration. It uses a jerk-limited axis (`JerkAxes`) shifted by one
 * derivative: the axis's velocity is the heading, its acceleration is the yaw rate, and its jerk is the yaw acceleration.
 * Unlike for the position axes, `plan` is called before `advance`.
 */
import { atan2InPlace } from "../../math/index.ts";
import { PartWithMemory } from "../../snapshot/index.ts";
import { JerkAxes } from "./trajectory/jerk-axes.ts";

const PI = 3.141592653589793;
const TWO_PI = 6.283185307179586;
/** Vectors shorter than this have no direction (m, m/s). */
const MIN_LENGTH = 1e-3;

/** Returns the same angle in [−π, π). */
export function wrapPi(angle: number): number {
  if (angle >= -PI && angle < PI) return angle;
  return angle - TWO_PI * Math.floor((angle + PI) / TWO_PI);
}

/**
 * Replaces the first number of the horizontal vector [north, east] with its direction, or with NaN if the vector is too
 * short. It works in place, because V8 may box a returned number. As in PX4, this is the sign of the east component
 * times the angle from north, so due south with an east component of exactly zero gives north.
 */
export function directionInPlace(vector: Float64Array): void {
  const north = vector[0]!;
  const east = vector[1]!;
  if (!(north * north + east * east > MIN_LENGTH * MIN_LENGTH)) {
    vector[0] = NaN;
  } else if (east === 0) {
    vector[0] = 0;
  } else {
    vector[0] = east;
    vector[1] = north;
    atan2InPlace(vector);
  }
}

export class Heading extends PartWithMemory {
  private readonly axis = new JerkAxes(1);
  protected readonly memory = this.axis;
  /** Target yaw, one cell. */
  readonly targetRad = new Float64Array(1);
  /** Time step, one cell. */
  readonly stepS = this.axis.stepS;

  constructor() {
    super();
    // The unwrapped target is within ±2π, so this limit never clamps it.
    this.axis.maxVel[0] = TWO_PI;
  }

  configure(maxRateRadps: number, maxAccRadps2: number): void {
    this.axis.maxAcc[0] = maxRateRadps;
    this.axis.maxJerk[0] = maxAccRadps2;
  }

  get yawRad(): number {
    return this.axis.vel[0];
  }

  get rateRadps(): number {
    return this.axis.acc[0];
  }

  reset(yawRad: number, rateRadps: number): void {
    this.axis.vel[0] = wrapPi(yawRad);
    this.axis.acc[0] = rateRadps;
  }

  update(): void {
    const axis = this.axis;
    const now = axis.vel[0];
    axis.targetVel[0] = now + wrapPi(this.targetRad[0] - now);
    axis.plan(0);
    axis.advance(0);
    axis.vel[0] = wrapPi(axis.vel[0]);
  }
}
