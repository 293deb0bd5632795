/**
 * The setpoint triplet: previous, current and next waypoint, which the navigator passes to the trajectory generator.
 * Positions are in the local frame; if yaw is NaN, the heading mode decides.
 */
import { TINY } from "../constants.ts";

export const TYPE_POSITION = 0;
export const TYPE_LOITER = 2;
export const TYPE_TAKEOFF = 3;
export const TYPE_LAND = 4;
export const TYPE_IDLE = 5;

export class PositionSetpoint {
  valid = false;
  type = TYPE_POSITION;
  readonly posNed = new Float64Array(3);
  yawRad = 0;
  radiusM = 0;
  /** −1 for the default cruise speed. */
  cruiseMps = 0;
  stampUs = 0;
  /** Within this distance plus the acceptance radius, the vehicle is loitering. */
  loiterRadiusM = 0;

  /** Makes the setpoint invalid, without a position. */
  reset(radiusM: number, cruiseMps: number, nowUs: number): void {
    this.valid = false;
    this.type = TYPE_IDLE;
    this.posNed[0] = this.posNed[1] = NaN;
    this.posNed[2] = 0;
    this.yawRad = NaN;
    this.radiusM = radiusM;
    this.cruiseMps = cruiseMps;
    this.stampUs = nowUs;
  }

  equals(other: PositionSetpoint): boolean {
    if (this.valid !== other.valid || this.type !== other.type) return false;
    for (let i = 0; i < 3; i += 1) if (!isSame(this.posNed[i], other.posNed[i])) return false;
    const yawSame = isSame(this.yawRad, other.yawRad) || (Number.isNaN(this.yawRad) && Number.isNaN(other.yawRad));
    return yawSame && isSame(this.radiusM, other.radiusM) && isSame(this.cruiseMps, other.cruiseMps);
  }
}

function isSame(a: number, b: number): boolean {
  return Math.abs(a - b) < TINY;
}

/** Copies every field of an item or a setpoint. */
export function copyInto<T extends { readonly posNed: Float64Array }>(to: T, from: T): void {
  const { posNed, ...others } = from;
  Object.assign(to, others);
  to.posNed.set(posNed);
}

export class Triplet {
  readonly previous = new PositionSetpoint();
  readonly current = new PositionSetpoint();
  readonly next = new PositionSetpoint();

  reset(radiusM: number, cruiseMps: number, nowUs: number): void {
    for (const setpoint of [this.previous, this.current, this.next]) setpoint.reset(radiusM, cruiseMps, nowUs);
  }
}
