/**
 * Land detector: decides from thrust, motion and setpoint whether the vehicle is on the ground.
 *
 * It has three stages: ground contact (low throttle and no motion while commanded to descend), maybe landed (thrust
 * close to its minimum, not turning, not falling) and landed. The condition of each stage must hold for a third of
 * LNDMC_TRIG_TIME. Leaving a stage is immediate. The detector does not depend on the rest of the autopilot: bridges to
 * autopilots without a land detector use it too.
 */
import type { Readable } from "../../engine/contracts.ts";
import type { Clock } from "../../time/index.ts";
import { type Memory, PartWithMemory } from "../../snapshot/index.ts";
import { SIGNALS, type SignalValue } from "../../signals/table.ts";
import { DEG, G } from "./constants.ts";
import type { Parameters } from "./parameters.ts";

const STAGES = SIGNALS.landDetected.values;
const VALID = SIGNALS.estValid.values;

/** The vehicle is falling if the specific force has been below this (m/s²) for this time (µs). */
const FALLING_MPS2 = 2;
const FALLING_US = 3e5;
/**
 * PX4's fractions of the range from minimum thrust to hover thrust. Below the first, thrust is low. The second replaces
 * the first if hover thrust is assumed rather than estimated. Below the third, thrust is close to its minimum.
 */
const LOW_THRUST = 0.6;
const LOW_THRUST_ASSUMED_HOVER = 0.3;
const MINIMUM_THRUST = 0.1;
/** A sink-rate setpoint above this multiple of LNDMC_Z_VEL_MAX is a commanded descent. */
const DESCENT_FACTOR = 1.1;
/** Factor on the motion limits while landed. */
const LANDED_FACTOR = 2.5;
/** Time at minimum thrust that replaces ground contact if the vertical velocity is unknown (µs). */
const THROTTLED_US = 8e6;
/** A hover-thrust estimate remains usable for this long after it was last valid. */
const HOVER_VALIDITY_US = 1e6;

/** Returns PX4's parameters of the detector. */
export function landDetectorSettings(p: Parameters) {
  return {
    triggerS: p.get("LNDMC_TRIG_TIME"),
    speedZMaxMps: p.get("LNDMC_Z_VEL_MAX"),
    speedXyMaxMps: p.get("LNDMC_XY_VEL_MAX"),
    rateMaxDegps: p.get("LNDMC_ROT_MAX"),
    thrustMin: p.get("MPC_THR_MIN"),
  };
}
type LandDetectorSettings = Readonly<ReturnType<typeof landDetectorSettings>>;

/** Inputs of an update, filled by the caller. */
export interface LandDetectorInputs {
  armed: boolean;
  /** Collective thrust setpoint, 0 to 1. */
  throttle: number;
  /** Collective thrust at hover, and whether it was estimated rather than assumed. */
  hoverThrust: number;
  hoverThrustValid: boolean;
  /** Vertical velocity setpoint of the trajectory, down positive; NaN if there is none. */
  sinkSetpointMps: number;
  /** Whether vertical speed is controlled: contact then requires a commanded descent. */
  climbControlled: boolean;
  velNed: Readable;
  accNed: Readable;
  rateBody: Readable;
  /** Which parts of the estimate are valid: the bits of `estValid`. */
  valid: number;
}

export interface LandState {
  readonly groundContact: boolean;
  readonly maybeLanded: boolean;
  readonly landed: boolean;
}

/** Value of `sinceUs` while the input is false. */
const NEVER = -1;

/** A condition that becomes true when its input has held for some time. */
interface DelayedCondition {
  holds: boolean;
  sinceUs: number;
}

/** PX4's land detector, usable without the rest of the autopilot. */
export class LandDetector extends PartWithMemory implements LandState {
  private readonly falling: DelayedCondition = { holds: false, sinceUs: NEVER };
  // The vehicle starts on the ground.
  private readonly contact: DelayedCondition = { holds: true, sinceUs: 0 };
  private readonly maybe: DelayedCondition = { holds: true, sinceUs: 0 };
  private readonly onGround: DelayedCondition = { holds: true, sinceUs: 0 };
  private readonly throttled: DelayedCondition = { holds: false, sinceUs: NEVER };
  private readonly m = { isHoverValid: false, hoverValidUs: -HOVER_VALIDITY_US, isDescending: false };
  protected readonly memory: Memory = [this.falling, this.contact, this.maybe, this.onGround, this.throttled, this.m];
  private settings: LandDetectorSettings;
  private stageUs = 0;

  constructor(settings: LandDetectorSettings) {
    super();
    this.settings = settings;
    this.configure(settings);
  }

  configure(settings: LandDetectorSettings): void {
    this.settings = settings;
    this.stageUs = (settings.triggerS * 1e6) / 3;
  }

  get groundContact(): boolean {
    return this.contact.holds;
  }

  get maybeLanded(): boolean {
    return this.maybe.holds;
  }

  get landed(): boolean {
    return this.onGround.holds;
  }

  /** Value of the signal `landDetected`. */
  get stage(): SignalValue<"landDetected"> {
    if (this.landed) return STAGES.landed;
    if (this.maybeLanded) return STAGES["maybe landed"];
    return this.groundContact ? STAGES["ground contact"] : STAGES["in the air"];
  }

  update(clock: Clock, inputs: LandDetectorInputs): void {
    const a = inputs.accNed;
    const down = a[2]! - G;
    const force2 = a[0]! * a[0]! + a[1]! * a[1]! + down * down;
    delay(clock, this.falling, force2 < FALLING_MPS2 * FALLING_MPS2, FALLING_US);
    delay(clock, this.contact, !inputs.armed || this.hasContact(clock, inputs), this.stageUs);
    delay(clock, this.maybe, !inputs.armed || this.isAtRest(clock, inputs), this.stageUs);
    delay(clock, this.onGround, !inputs.armed || this.maybeLanded, this.stageUs);
  }

  private hasContact(clock: Clock, inputs: LandDetectorInputs): boolean {
    const { m, settings } = this;
    const v = inputs.velNed;
    const factor = this.landed ? LANDED_FACTOR : 1;
    const isStillVertically = (inputs.valid & VALID.velZ) !== 0 && Math.abs(v[2]!) < settings.speedZMaxMps * factor;
    const isFast = v[0]! * v[0]! + v[1]! * v[1]! > settings.speedXyMaxMps * settings.speedXyMaxMps;
    const drifting = isFast && (inputs.valid & VALID.velXy) !== 0;

    if (inputs.hoverThrustValid) m.hoverValidUs = clock.us;
    const recent = clock.us - m.hoverValidUs < HOVER_VALIDITY_US;
    // During a descent, the estimate may become valid, but not invalid.
    if (!m.isDescending || recent) m.isHoverValid = recent;
    const fraction = m.isHoverValid ? LOW_THRUST : LOW_THRUST_ASSUMED_HOVER;
    const low = settings.thrustMin + (inputs.hoverThrust - settings.thrustMin) * fraction;
    let contact = inputs.throttle <= low;

    m.isDescending = inputs.climbControlled && inputs.sinkSetpointMps >= DESCENT_FACTOR * settings.speedZMaxMps;
    if (inputs.climbControlled && !this.maybeLanded && !this.landed) contact = contact && m.isDescending;
    return contact && isStillVertically && !drifting;
  }

  private isAtRest(clock: Clock, inputs: LandDetectorInputs): boolean {
    const settings = this.settings;
    const minimum = settings.thrustMin + (inputs.hoverThrust - settings.thrustMin) * MINIMUM_THRUST;
    const limit = settings.rateMaxDegps * DEG * (this.landed ? LANDED_FACTOR : 1);
    const w = inputs.rateBody;
    const turning = w[0]! * w[0]! + w[1]! * w[1]! > limit * limit;
    const isThrottled = inputs.throttle <= minimum;
    delay(clock, this.throttled, isThrottled, THROTTLED_US);
    // Ground contact needs a valid vertical velocity. Without one, a long time at minimum thrust replaces it.
    const hasContact = (inputs.valid & VALID.velZ) !== 0 ? this.groundContact : this.throttled.holds;
    return isThrottled && !this.falling.holds && !turning && hasContact;
  }
}

/**
 * Updates a condition: it becomes true when its input has been true long enough, and false as soon as the input is
 * false.
 */
function delay(clock: Clock, condition: DelayedCondition, input: boolean, delayUs: number): void {
  if (!input) {
    condition.holds = false;
    condition.sinceUs = NEVER;
    return;
  }
  if (condition.holds) return;
  if (condition.sinceUs === NEVER) condition.sinceUs = clock.us;
  if (clock.us >= condition.sinceUs + delayUs) condition.holds = true;
}
