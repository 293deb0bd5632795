/**
 * Land detector: decides from thrust, motion and setpoint whether the vehicle is on the ground.
 *
 * It has three stages, each of which must hold for a third of LNDMC_TRIG_TIME: ground contact (low throttle and no
 * motion while commanded to descend), maybe landed (thrust close to its minimum, not turning, not falling), landed.
 * Leaving a stage is immediate. It does not depend on the rest of the autopilot: bridges to autopilots without a land
 * detector use it too.
 */
import type { Readable } from "../../engine/contracts.ts";
import type { Clock } from "../../time/index.ts";
import type { Saveable, SnapshotReader, SnapshotWriter } from "../../snapshot/index.ts";
import { SIGNALS, type SignalValue } from "../../signals/table.ts";

const STAGES = SIGNALS.landDetected.values;

const G = 9.80665;
const DEG = 0.017453292519943295;
/** Specific force below which the vehicle counts as falling (m/s²), and the time for which it must last (µs). */
const FALLING = 2;
const FALLING_US = 3e5;
/** Factor on the motion limits while landed. */
const LANDED_FACTOR = 2.5;
/** A hover-thrust estimate remains usable for this long after it was last valid. */
const HOVER_KEEP_US = 1e6;

/** PX4's parameters of the detector. */
export interface LandDetectorSettings {
  readonly triggerS: number;
  readonly speedZMaxMps: number;
  readonly speedXyMaxMps: number;
  readonly rateMaxDegps: number;
  readonly thrustMin: number;
}

/** Inputs of an update; the owner fills them. */
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
}

/** The detector's result. */
export interface LandState {
  readonly groundContact: boolean;
  readonly maybeLanded: boolean;
  readonly landed: boolean;
}

/** Four delayed conditions. Each has a state and the time since which its input has held. */
const FALL = 0;
const CONTACT = 2;
const MAYBE = 4;
const LANDED = 6;
const HOVER_VALID = 8;
const HOVER_VALID_US = 9;
const DESCENDING = 10;
const CELLS = 11;
/** Time of a condition whose input does not hold. */
const NEVER = -1;

/** PX4's land detector. */
export class LandDetector implements Saveable, LandState {
  private readonly m = new Float64Array(CELLS);
  private settings: LandDetectorSettings;
  private stageUs = 0;

  constructor(settings: LandDetectorSettings) {
    this.settings = settings;
    this.configure(settings);
    // The vehicle starts on the ground.
    this.m[FALL + 1] = NEVER;
    this.m[CONTACT] = this.m[MAYBE] = this.m[LANDED] = 1;
    this.m[HOVER_VALID_US] = -HOVER_KEEP_US;
  }

  configure(settings: LandDetectorSettings): void {
    this.settings = settings;
    this.stageUs = (settings.triggerS * 1e6) / 3;
  }

  get groundContact(): boolean {
    return this.m[CONTACT] === 1;
  }

  get maybeLanded(): boolean {
    return this.m[MAYBE] === 1;
  }

  get landed(): boolean {
    return this.m[LANDED] === 1;
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
    this.delay(clock, FALL, force2 < FALLING * FALLING, FALLING_US);
    this.delay(clock, CONTACT, !inputs.armed || this.touches(clock, inputs), this.stageUs);
    this.delay(clock, MAYBE, !inputs.armed || this.rests(inputs), this.stageUs);
    this.delay(clock, LANDED, !inputs.armed || this.maybeLanded, this.stageUs);
  }

  save(writer: SnapshotWriter): void {
    writer.numbers(this.m);
  }

  load(reader: SnapshotReader): void {
    reader.numbersInto(this.m);
  }

  private touches(clock: Clock, inputs: LandDetectorInputs): boolean {
    const { m, settings } = this;
    const v = inputs.velNed;
    const factor = this.landed ? LANDED_FACTOR : 1;
    const still = Math.abs(v[2]!) < settings.speedZMaxMps * factor;
    const drifting = v[0]! * v[0]! + v[1]! * v[1]! > settings.speedXyMaxMps * settings.speedXyMaxMps;

    if (inputs.hoverThrustValid) m[HOVER_VALID_US] = clock.us;
    const recent = clock.us - m[HOVER_VALID_US] < HOVER_KEEP_US;
    // During a descent, keep the validity that the estimate had at its beginning.
    if (m[DESCENDING] === 0 || recent) m[HOVER_VALID] = recent ? 1 : 0;
    const share = m[HOVER_VALID] === 1 ? 0.6 : 0.3;
    const low = settings.thrustMin + (inputs.hoverThrust - settings.thrustMin) * share;
    let contact = inputs.throttle <= low;

    m[DESCENDING] = inputs.climbControlled && inputs.sinkSetpointMps >= 1.1 * settings.speedZMaxMps ? 1 : 0;
    if (inputs.climbControlled && !this.maybeLanded && !this.landed) contact = contact && m[DESCENDING] === 1;
    return contact && still && !drifting;
  }

  private rests(inputs: LandDetectorInputs): boolean {
    const settings = this.settings;
    const least = settings.thrustMin + (inputs.hoverThrust - settings.thrustMin) * 0.1;
    const limit = settings.rateMaxDegps * DEG * (this.landed ? LANDED_FACTOR : 1);
    const w = inputs.rateBody;
    const turning = w[0]! * w[0]! + w[1]! * w[1]! > limit * limit;
    return inputs.throttle <= least && this.m[FALL] === 0 && !turning && this.groundContact;
  }

  /** A condition becomes true when its input has held long enough, and false immediately. */
  private delay(clock: Clock, at: number, wanted: boolean, delayUs: number): void {
    const m = this.m;
    if (!wanted) {
      m[at] = 0;
      m[at + 1] = NEVER;
      return;
    }
    if (m[at] === 1) return;
    if (m[at + 1] === NEVER) m[at + 1] = clock.us;
    if (clock.us >= m[at + 1] + delayUs) m[at] = 1;
  }
}
