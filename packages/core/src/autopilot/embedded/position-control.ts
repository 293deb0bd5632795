/**
 * Position and velocity control: from a trajectory setpoint to a thrust vector and an attitude.
 *
 * A P controller turns position error into velocity, a PID controller turns velocity error into acceleration, and the
 * acceleration determines a thrust vector along the body's −z axis. If thrust saturates, vertical demands have
 * priority, but a margin is reserved for horizontal demands. Integrators do not wind up. NaN means "not commanded".
 * The operator ⊕ adds, but NaN ⊕ x = x, so a setpoint and a correction each apply if they exist.
 */
import { cos, sin, sinCosInPlace } from "../../math/index.ts";
import { PartWithMemory } from "../../snapshot/index.ts";
import { DEG, G, TINY } from "./constants.ts";
import { quaternionOfAxesInto } from "./axes.ts";
import { Biquad, lowPassWeight, sampledLowPassWeight } from "./filters.ts";
import type { Parameters } from "./parameters.ts";
import type { TrajectorySetpoint } from "./trajectory/setpoint.ts";
import type { Vehicle } from "./vehicle.ts";

/** Minimum thrust, so that the thrust vector has a direction. */
const MIN_THRUST = 0.001;
const HOVER_MIN = 0.05;
const HOVER_MAX = 0.9;
/** Limit on the rate of change of the tilt limit (rad/s). */
const MAX_TILT_SLEW = 0.2;

function settingsOf(p: Parameters, dtS: number) {
  return {
    velWeight: sampledLowPassWeight(p.get("MPC_VEL_LP"), dtS),
    dotWeight: lowPassWeight(p.get("MPC_VELD_LP"), dtS),
    decouple: p.get("MPC_ACC_DECOUPLE") === 1,
    thrustMax: p.get("MPC_THR_MAX"),
    thrustMinFlight: p.get("MPC_THR_MIN"),
    thrustXyMargin: p.get("MPC_THR_XY_MARG"),
    tiltAirRad: p.get("MPC_TILTMAX_AIR") * DEG,
    tiltGroundRad: p.get("MPC_TILTMAX_LND") * DEG,
    speedMaxXy: p.get("MPC_XY_VEL_MAX"),
    hoverParameter: p.get("MPC_THR_HOVER"),
  };
}

export class PositionControl extends PartWithMemory {
  private readonly vehicle: Vehicle;
  private readonly dtS: number;
  private readonly integral = new Float64Array(3);
  private readonly vel = new Float64Array(3);
  private readonly velDot = new Float64Array(3);
  private readonly m = { hover: 0.5, tilt: 0, accZ: 0, cosTilt: 1, sinTilt: 0 };
  private readonly notch = new Biquad(3);
  // Gains: P of position, then P, I, D of velocity, each north, east, down
  private readonly k = new Float64Array(12);
  private p!: ReturnType<typeof settingsOf>;
  // Working values of the current call
  readonly velSp = new Float64Array(3);
  readonly accSp = new Float64Array(3);
  readonly thrustSp = new Float64Array(3);
  /** Limits that the autopilot sets: climb rate, sink rate (m/s). */
  readonly speedLimits = Float64Array.of(3, 1.5);
  /** The estimated hover thrust, which the autopilot sets before `updateHoverThrust`. */
  readonly hoverEstimate = new Float64Array(1);
  private readonly out = Float64Array.of(1, 0, 0, 0, 0, 0);
  readonly qBodyToNed = this.out.subarray(0, 4);
  /** Thrust along body z (negative) and yaw rate. */
  readonly thrustZ = this.out.subarray(4, 5);
  readonly yawRate = this.out.subarray(5, 6);
  protected readonly memory = {
    integral: this.integral,
    vel: this.vel,
    velDot: this.velDot,
    m: this.m,
    notch: this.notch,
    out: this.out,
  };
  private readonly error = new Float64Array(3);
  private readonly thrustMin = new Float64Array(1);
  private readonly axes = new Float64Array(9);
  private readonly turn = new Float64Array(2);

  constructor(vehicle: Vehicle, dtS: number) {
    super();
    this.vehicle = vehicle;
    this.dtS = dtS;
  }

  configure(p: Parameters): void {
    const xy = ["MPC_XY_P", "MPC_XY_VEL_P_ACC", "MPC_XY_VEL_I_ACC", "MPC_XY_VEL_D_ACC"] as const;
    const z = ["MPC_Z_P", "MPC_Z_VEL_P_ACC", "MPC_Z_VEL_I_ACC", "MPC_Z_VEL_D_ACC"] as const;
    for (let i = 0; i < 4; i += 1) {
      this.k[3 * i] = this.k[3 * i + 1] = p.get(xy[i]!);
      this.k[3 * i + 2] = p.get(z[i]!);
    }
    this.notch.setNotch(p.get("MPC_VEL_NF_FRQ"), p.get("MPC_VEL_NF_BW"), 1 / this.dtS);
    this.p = settingsOf(p, this.dtS);
  }

  get hoverThrust(): number {
    return this.m.hover;
  }

  /** Sets the hover thrust from the parameters. */
  resetHoverThrust(): void {
    this.m.hover = this.p.hoverParameter;
    this.limitHover();
  }

  /**
   * Sets the hover thrust to `hoverEstimate` in flight. The integral absorbs the difference, so that thrust does not
   * jump.
   */
  updateHoverThrust(): void {
    const m = this.m;
    const before = m.hover;
    m.hover = this.hoverEstimate[0];
    this.limitHover();
    this.integral[2] += ((m.accZ - G) * before) / m.hover + G - m.accZ;
  }

  resetIntegral(): void {
    this.integral.fill(0);
  }

  /** Filters velocity and its derivative. Call at every position tick, even if position is not controlled. */
  observe(): void {
    const { vel, velDot, notch } = this;
    const { velWeight, dotWeight } = this.p;
    const v = this.vehicle.velNed;
    if (!notch.isRunning && notch.start(v)) {
      // After a change of coefficients the output jumps. Skip the derivative at this tick, because that jump is not a
      // motion of the vehicle.
      vel.set(v);
      return;
    }
    for (let i = 0; i < 3; i += 1) {
      const before = vel[i];
      if (notch.on) {
        this.error[i] = v[i];
        notch.apply(this.error, i);
        vel[i] = before + velWeight * (this.error[i] - before);
      } else {
        vel[i] = velWeight === 1 ? v[i] : before + velWeight * (v[i] - before);
      }
      velDot[i] += dotWeight * ((vel[i] - before) / this.dtS - velDot[i]);
    }
  }

  /** Runs one step of the controller. `flying` is true after the take-off ramp. */
  update(sp: TrajectorySetpoint, flying: boolean): void {
    const target = flying ? this.p.tiltAirRad : this.p.tiltGroundRad;
    if (this.m.tilt !== target) this.slewTilt(target);

    const noVel = Number.isNaN(sp.velNed[0]);
    if (noVel && Number.isNaN(sp.posNed[0])) this.integral[0] = this.integral[1] = 0;
    this.controlPosition(sp);
    this.thrustMin[0] = flying ? Math.max(this.p.thrustMinFlight, MIN_THRUST) : MIN_THRUST;
    this.controlVelocity(sp);
    this.yawRate[0] = Number.isNaN(sp.yaw[1]) ? 0 : sp.yaw[1];
    this.computeAttitude(sp);
  }

  private limitHover(): void {
    this.m.hover = Math.min(Math.max(this.m.hover, HOVER_MIN), HOVER_MAX);
  }

  private slewTilt(targetRad: number): void {
    const m = this.m;
    const slew = MAX_TILT_SLEW * this.dtS;
    m.tilt += Math.min(Math.max(targetRad - m.tilt, -slew), slew);
    m.cosTilt = cos(m.tilt);
    m.sinTilt = sin(m.tilt);
  }

  private controlPosition(sp: TrajectorySetpoint): void {
    const { k, velSp } = this;
    const p = this.vehicle.posNed;
    for (let i = 0; i < 3; i += 1) velSp[i] = k[i] * (sp.posNed[i] - p[i]);
    addCommanded(velSp, sp.velNed);
    const down = velSp[2];
    // Apply the lower bound first: during the take-off ramp it is above the upper bound and must win.
    const up = -this.speedLimits[0];
    velSp[2] = down < up ? up : down > this.speedLimits[1] ? this.speedLimits[1] : down;

    // v_p + v_ff within the speed limit; the feed-forward is reduced before the correction.
    let pn = k[0] * (sp.posNed[0] - p[0]);
    let pe = k[1] * (sp.posNed[1] - p[1]);
    const max = this.p.speedMaxXy;
    if (!(velSp[0] * velSp[0] + velSp[1] * velSp[1] > max * max)) return;
    if (Number.isNaN(pn)) pn = pe = 0;
    const fn = velSp[0] - pn;
    const fe = velSp[1] - pe;
    const pp = pn * pn + pe * pe;
    const length = Math.sqrt(pp);
    if (length >= max || (fn - pn) * (fn - pn) + (fe - pe) * (fe - pe) < 1e-6) {
      velSp[0] = (pn / length) * max;
      velSp[1] = (pe / length) * max;
      return;
    }
    const f = Math.sqrt(fn * fn + fe * fe);
    const un = fn / f;
    const ue = fe / f;
    if (length < 0.001) {
      velSp[0] = un * max;
      velSp[1] = ue * max;
      return;
    }
    // |v_p + s·u| = max  ⇒  s = −m + √(m² − (|v_p|² − max²)),  m = u·v_p
    const m = un * pn + ue * pe;
    const s = Math.sqrt(m * m - (pp - max * max)) - m;
    velSp[0] = pn + un * s;
    velSp[1] = pe + ue * s;
  }

  private controlVelocity(sp: TrajectorySetpoint): void {
    const thrustMin = this.thrustMin[0];
    const { k, velSp, accSp, integral, error, thrustSp, m } = this;
    const hover = m.hover;
    integral[2] = Math.min(Math.max(integral[2], -G), G);
    for (let i = 0; i < 3; i += 1) {
      const e = velSp[i] - this.vel[i];
      error[i] = e;
      accSp[i] = k[3 + i] * e + integral[i] - k[9 + i] * this.velDot[i];
    }
    addCommanded(accSp, sp.accNed);
    m.accZ = accSp[2];
    this.computeThrust();

    // A saturated vertical axis integrates only away from the limit.
    if ((thrustSp[2] >= -thrustMin && error[2] >= 0) || (thrustSp[2] <= -this.p.thrustMax && error[2] <= 0))
      error[2] = 0;

    const tn = thrustSp[0];
    const te = thrustSp[1];
    const txy = Math.sqrt(tn * tn + te * te);
    const max2 = this.p.thrustMax * this.p.thrustMax;
    const reserved = Math.min(txy, this.p.thrustXyMargin);
    thrustSp[2] = Math.max(thrustSp[2], -Math.sqrt(Math.max(max2 - reserved * reserved, 0)));
    const remaining2 = max2 - thrustSp[2] * thrustSp[2];
    const remaining = remaining2 > 0 ? Math.sqrt(remaining2) : 0;
    if (txy > remaining) {
      thrustSp[0] = (tn / txy) * remaining;
      thrustSp[1] = (te / txy) * remaining;
    }

    // Horizontal integrals track the saturated demand.
    const an = (thrustSp[0] * G) / hover;
    const ae = (thrustSp[1] * G) / hover;
    if (accSp[0] * accSp[0] + accSp[1] * accSp[1] > an * an + ae * ae) {
      const gain = 2 / k[3];
      error[0] -= gain * (accSp[0] - an);
      error[1] -= gain * (accSp[1] - ae);
    }
    for (let i = 0; i < 3; i += 1) {
      if (error[i] === error[i]) integral[i] += error[i] * k[6 + i] * this.dtS;
    }
  }

  /**
   * Computes the thrust vector of an acceleration: tilt from its horizontal part, collective from its vertical part.
   */
  private computeThrust(): void {
    const { accSp, thrustSp, m } = this;
    const hover = m.hover;
    const vertical = this.p.decouple ? G : G - accSp[2];
    let bn = -accSp[0];
    let be = -accSp[1];
    let bd = vertical;
    const length = Math.sqrt(bn * bn + be * be + bd * bd);
    bn /= length;
    be /= length;
    bd /= length;

    // Limit the tilt, keeping its azimuth.
    const cosLimit = m.cosTilt;
    if (bd < cosLimit) {
      const scale = m.sinTilt / Math.sqrt(bn * bn + be * be);
      bn *= scale;
      be *= scale;
      bd = cosLimit;
    }
    const up = accSp[2] * (hover / G) - hover;
    const collective = Math.min(up / bd, -this.thrustMin[0]);
    thrustSp[0] = bn * collective;
    thrustSp[1] = be * collective;
    thrustSp[2] = bd * collective;
  }

  /** Computes the attitude: z opposite to the thrust, x as close to the yaw direction as possible. */
  private computeAttitude(sp: TrajectorySetpoint): void {
    const yaw = Number.isNaN(sp.yaw[0]) ? this.vehicle.headingRad : sp.yaw[0];
    const t = this.thrustSp;
    let zn = -t[0];
    let ze = -t[1];
    let zd = -t[2];
    const square = zn * zn + ze * ze + zd * zd;
    const thrust = Math.sqrt(square);
    this.thrustZ[0] = -thrust;
    if (square < TINY) zd = 1;
    const length = Math.sqrt(zn * zn + ze * ze + zd * zd);
    zn /= length;
    ze /= length;
    zd /= length;
    this.turn[0] = yaw;
    sinCosInPlace(this.turn);
    const yn = -this.turn[0];
    const ye = this.turn[1];
    let xn = ye * zd;
    let xe = -yn * zd;
    let xd = yn * ze - ye * zn;
    if (zd < 0) {
      xn = -xn;
      xe = -xe;
      xd = -xd;
    }
    if (Math.abs(zd) < 1e-6) {
      xn = 0;
      xe = 0;
      xd = 1;
    }
    const xLength = Math.sqrt(xn * xn + xe * xe + xd * xd);
    xn /= xLength;
    xe /= xLength;
    xd /= xLength;
    const axes = this.axes;
    axes[0] = xn;
    axes[1] = xe;
    axes[2] = xd;
    axes[3] = ze * xd - zd * xe;
    axes[4] = zd * xn - zn * xd;
    axes[5] = zn * xe - ze * xn;
    axes[6] = zn;
    axes[7] = ze;
    axes[8] = zd;
    quaternionOfAxesInto(this.qBodyToNed, axes);
  }
}

/** Computes x ⊕ y on three axes, into x: NaN (not commanded) is treated as zero unless both are NaN. */
function addCommanded(x: Float64Array, y: Float64Array): void {
  for (let i = 0; i < 3; i += 1) {
    if (y[i] !== y[i]) continue;
    if (x[i] === x[i]) x[i] += y[i];
    else x[i] = y[i];
  }
}
