/**
 * Attitude control: computes body rate setpoints from an attitude setpoint, with quaternions.
 *
 * The error is split into tilt, which aligns the thrust, and yaw about the thrust axis; yaw has less weight, so that
 * tilt is corrected first. The rate setpoint is proportional to sin(error/2), plus the yaw rate of the setpoint.
 */
import { asin, sinCosInto } from "../../math/index.ts";
import { PartWithMemory } from "../../snapshot/index.ts";
import { DEG } from "./constants.ts";
import type { Parameters } from "./parameters.ts";
import type { Vehicle } from "./vehicle.ts";

const HALF_PI = 1.5707963267948966;
/** Thrust directions this close to opposite have no unique shortest rotation; the setpoint is then used unchanged. */
const OPPOSITE = 1e-5;

export class AttitudeControl extends PartWithMemory {
  private readonly vehicle: Vehicle;
  /** Setpoint: attitude, then yaw rate. */
  private readonly sp = Float64Array.of(1, 0, 0, 0, 0);
  readonly qSetpoint = this.sp.subarray(0, 4);
  readonly yawRate = this.sp.subarray(4, 5);
  readonly rateSp = new Float64Array(3);
  protected readonly memory = { sp: this.sp, rateSp: this.rateSp };
  private readonly gain = new Float64Array(3);
  private readonly limit = new Float64Array(3);
  private yawWeight = 0.4;
  private readonly reduced = new Float64Array(4);
  private readonly turn = new Float64Array(2);

  constructor(vehicle: Vehicle) {
    super();
    this.vehicle = vehicle;
  }

  configure(p: Parameters): void {
    this.yawWeight = Math.min(Math.max(p.get("MC_YAW_WEIGHT"), 0), 1);
    this.gain[0] = p.get("MC_ROLL_P");
    this.gain[1] = p.get("MC_PITCH_P");
    // The weight reduces the yaw error, and the gain compensates for it, so that MC_YAW_P keeps its meaning.
    this.gain[2] = this.yawWeight > 1e-4 ? p.get("MC_YAW_P") / this.yawWeight : p.get("MC_YAW_P");
    this.limit[0] = p.get("MC_ROLLRATE_MAX") * DEG;
    this.limit[1] = p.get("MC_PITCHRATE_MAX") * DEG;
    this.limit[2] = p.get("MC_YAWRATE_MAX") * DEG;
  }

  update(): void {
    this.computeReduced();
    const r = this.reduced;
    const d = this.qSetpoint;
    // Remaining yaw: conj(q_red)·q_d = (cos ψ/2, 0, 0, sin ψ/2), with canonical sign.
    let c = r[0] * d[0] + r[1] * d[1] + r[2] * d[2] + r[3] * d[3];
    let s = r[0] * d[3] - r[3] * d[0] + r[2] * d[1] - r[1] * d[2];
    if (c < 0) {
      c = -c;
      s = -s;
    }
    // Weighted: (cos wψ/2, 0, 0, sin wψ/2). Take asin of the smaller component, because asin is
    // ill-conditioned near 1.
    if (s * s < 0.5) sinCosInto(this.turn, this.yawWeight * asin(s));
    else sinCosInto(this.turn, this.yawWeight * (s < 0 ? asin(c) - HALF_PI : HALF_PI - asin(c)));
    s = this.turn[0];
    c = this.turn[1];
    // q_d' = q_red·(c, 0, 0, s)
    const w = r[0] * c - r[3] * s;
    const x = r[1] * c + r[2] * s;
    const y = r[2] * c - r[1] * s;
    const z = r[3] * c + r[0] * s;
    // e = 2·vec(canonical(conj(q)·q_d'))
    const q = this.vehicle.qBodyToNed;
    const sign = q[0] * w + q[1] * x + q[2] * y + q[3] * z < 0 ? -2 : 2;
    const ex = sign * (q[0] * x - q[1] * w - q[2] * z + q[3] * y);
    const ey = sign * (q[0] * y - q[2] * w - q[3] * x + q[1] * z);
    const ez = sign * (q[0] * z - q[3] * w - q[1] * y + q[2] * x);
    // The world's z axis in body coordinates converts a yaw rate into body rates.
    const rate = this.yawRate[0];
    const { gain, limit, rateSp } = this;
    rateSp[0] = clamp(ex * gain[0] + 2 * (q[1] * q[3] - q[0] * q[2]) * rate, limit[0]);
    rateSp[1] = clamp(ey * gain[1] + 2 * (q[2] * q[3] + q[0] * q[1]) * rate, limit[1]);
    rateSp[2] = clamp(ez * gain[2] + (1 - 2 * (q[1] * q[1] + q[2] * q[2])) * rate, limit[2]);
  }

  /**
   * Computes the reduced attitude: it has the setpoint's thrust direction and is reached by the shortest rotation from
   * the present attitude.
   */
  private computeReduced(): void {
    const q = this.vehicle.qBodyToNed;
    const d = this.qSetpoint;
    const r = this.reduced;
    const an = 2 * (q[1] * q[3] + q[0] * q[2]);
    const ae = 2 * (q[2] * q[3] - q[0] * q[1]);
    const ad = 1 - 2 * (q[1] * q[1] + q[2] * q[2]);
    const bn = 2 * (d[1] * d[3] + d[0] * d[2]);
    const be = 2 * (d[2] * d[3] - d[0] * d[1]);
    const bd = 1 - 2 * (d[1] * d[1] + d[2] * d[2]);
    // Shortest rotation from a to b: (1 + a·b, a × b), normalised.
    let x = ae * bd - ad * be;
    let y = ad * bn - an * bd;
    let z = an * be - ae * bn;
    let w = 1 + an * bn + ae * be + ad * bd;
    const length = Math.sqrt(w * w + x * x + y * y + z * z);
    if (!(length > OPPOSITE)) {
      r.set(d);
      return;
    }
    w /= length;
    x /= length;
    y /= length;
    z /= length;
    if (Math.abs(x) > 1 - OPPOSITE || Math.abs(y) > 1 - OPPOSITE) {
      r.set(d);
      return;
    }
    r[0] = w * q[0] - x * q[1] - y * q[2] - z * q[3];
    r[1] = w * q[1] + x * q[0] + y * q[3] - z * q[2];
    r[2] = w * q[2] - x * q[3] + y * q[0] + z * q[1];
    r[3] = w * q[3] + x * q[2] - y * q[1] + z * q[0];
  }
}

function clamp(x: number, limit: number): number {
  return x < -limit ? -limit : x > limit ? limit : x;
}
