/**
 * Failsafes: how a low battery, a fence breach, an attitude failure or a lost estimate overrides the mode that the
 * pilot requested.
 *
 * The most severe action of all causes wins. Before a failsafe makes the vehicle return or land, the vehicle holds for
 * COM_FAIL_ACT_T, unless it is already returning or landing. During this time the pilot may take over by requesting a
 * mode. The takeover lasts until a more severe action is due. The available hold time runs down while the vehicle holds
 * and recovers at a quarter of that rate, so that an intermittent cause still leads to its action. A fence breach is
 * cleared when the vehicle is back inside and the pilot requests a mode. Termination is permanent.
 *
 * An action is flown only if the estimate permits it. All modes need a position, except Descend, which needs an
 * attitude: without a position the vehicle descends, and without an attitude the flight is terminated. In both cases
 * the pilot cannot take over. A position that was lost is used again once it has been valid for a second.
 */
import { cos, sin } from "../../math/index.ts";
import type { Readable } from "../../engine/contracts.ts";
import type { Clock } from "../../time/index.ts";
import { PartWithMemory } from "../../snapshot/index.ts";
import { SIGNALS, type SignalValue } from "../../signals/table.ts";
import { DEG } from "./constants.ts";
import type { FenceAreas } from "./fence.ts";
import type { Parameters } from "./parameters.ts";
import type { Vehicle } from "./vehicle.ts";

const NAV_STATES = SIGNALS.navState.values;
/** The value of CBRK_FLIGHTTERM that disables termination. */
const NO_TERMINATION = 121212;

const ACTION_NONE = 0;
const ACTION_WARN = 1;
const ACTION_HOLD = 2;
const ACTION_RETURN = 3;
const ACTION_LAND = 4;
const ACTION_DESCEND = 5;
export const ACTION_DISARM = 6;
const ACTION_TERMINATE = 7;

const CAUSES = SIGNALS.failsafe.values;

/** The value of GF_ACTION that only warns. */
const FENCE_WARN = 1;

const NEVER = -1;

const VALID = SIGNALS.estValid.values;
const POSITION_BITS = VALID.posXy | VALID.posZ | VALID.velXy | VALID.velZ;
const ATTITUDE_BITS = VALID.attitude | VALID.rates;
/** Time for which a position must be valid before it is used again (µs). */
const REVALIDATION_US = 1e6;

function settingsOf(p: Parameters) {
  const roll = p.get("FD_FAIL_R");
  const pitch = p.get("FD_FAIL_P");
  const lockdown = p.get("COM_LKDOWN_TKO");
  return {
    lowThr: p.get("BAT_LOW_THR"),
    criticalThr: p.get("BAT_CRIT_THR"),
    emergencyThr: p.get("BAT_EMERGEN_THR"),
    batteryAction: p.get("COM_LOW_BAT_ACT"),
    delayUs: p.get("COM_FAIL_ACT_T") * 1e6,
    /** Cosine of the roll limit and sine of the pitch limit; values that are never exceeded if the check is off. */
    cosRoll: roll > 0 ? cos(roll * DEG) : -2,
    sinPitch: pitch > 0 && pitch < 90 ? sin(pitch * DEG) : 2,
    rollUs: p.get("FD_FAIL_R_TTRI") * 1e6,
    pitchUs: p.get("FD_FAIL_P_TTRI") * 1e6,
    lockdownUs: (lockdown > 0 ? lockdown + p.get("COM_SPOOLUP_TIME") : 0) * 1e6,
    mayTerminate: p.get("CBRK_FLIGHTTERM") !== NO_TERMINATION,
    fenceAction: p.get("GF_ACTION"),
    fenceXyM: p.get("GF_MAX_HOR_DIST"),
    fenceZM: p.get("GF_MAX_VER_DIST"),
  };
}

export class Failsafe extends PartWithMemory {
  private readonly vehicle: Vehicle;
  private readonly homeNed: Float64Array;
  private readonly areas: FenceAreas;
  private readonly m = {
    battery: CAUSES.none as number,
    batteryAtArming: CAUSES.none as number,
    rolledSinceUs: NEVER,
    isTilted: false,
    isOutside: false,
    delayUs: 0,
    startDelayUs: 0,
    action: ACTION_NONE,
    isTakenOver: false,
    lastUs: NEVER,
    needed: ACTION_NONE,
    pitchedSinceUs: NEVER,
    hasLeftFence: false,
    terminatedBy: CAUSES.none as number,
    isPositionLost: false,
    positionFailedUs: NEVER,
    isAttitudeLost: false,
  };
  protected readonly memory = this.m;
  private p!: ReturnType<typeof settingsOf>;

  /** @param areas the mission's fence; the parameters GF_MAX_HOR_DIST and GF_MAX_VER_DIST add a cylinder around home */
  constructor(vehicle: Vehicle, homeNed: Float64Array, areas: FenceAreas) {
    super();
    this.vehicle = vehicle;
    this.homeNed = homeNed;
    this.areas = areas;
  }

  configure(parameters: Parameters): void {
    this.p = settingsOf(parameters);
    if (this.m.lastUs === NEVER) this.m.startDelayUs = this.p.delayUs;
  }

  /** Whether the battery is critical or worse. While the vehicle is armed, the state of the battery never improves. */
  get isBatteryCritical(): boolean {
    return this.m.battery >= CAUSES["battery critical"];
  }

  get action(): number {
    return this.m.action;
  }

  get attitudeFailed(): boolean {
    return this.m.isTilted;
  }

  /** Whether position, velocity or attitude cannot be used. */
  get estimateLost(): boolean {
    return this.m.isPositionLost || this.m.isAttitudeLost;
  }

  get terminated(): boolean {
    return this.m.action === ACTION_TERMINATE;
  }

  /** The published cause: the most severe one, or the one that terminated the flight. */
  get cause(): number {
    const m = this.m;
    if (this.terminated) return m.terminatedBy;
    if (m.isTilted) return CAUSES["attitude failure"];
    if (this.estimateLost) return CAUSES["estimate lost"];
    if (m.battery > 0) return m.battery;
    return m.isOutside || m.hasLeftFence ? CAUSES["outside the fence"] : CAUSES.none;
  }

  /** Returns the mode to fly if the pilot's mode is `pilotMode`. */
  modeFor(pilotMode: number): number {
    switch (this.m.action) {
      case ACTION_HOLD:
        return NAV_STATES.hold;
      case ACTION_RETURN:
        return NAV_STATES.return;
      case ACTION_LAND:
        return NAV_STATES.land;
      case ACTION_DESCEND:
        return NAV_STATES.descend;
      case ACTION_TERMINATE:
        return NAV_STATES.termination;
      default:
        return pilotMode;
    }
  }

  /** Resets the state when the vehicle arms or disarms. */
  restart(): void {
    const m = this.m;
    m.batteryAtArming = m.battery;
    m.isTakenOver = false;
    m.delayUs = 0;
    m.needed = ACTION_NONE;
    m.hasLeftFence = false;
    if (!this.terminated) m.action = ACTION_NONE;
  }

  /** Updates the causes. Call at every tick, before `decide`. */
  observe(clock: Clock, armed: boolean, remaining: Readable): void {
    const m = this.m;
    this.observeBattery(armed, remaining);
    this.observeTilt(clock);
    this.observeEstimate(clock);
    m.isOutside = armed && this.p.fenceAction > 0 && this.isOutside(this.vehicle.posNed);
  }

  /**
   * Chooses the action. `pilotMode` is the pilot's mode, `requested` whether it was requested at this tick, and
   * `armedUs` the arming time.
   */
  decide(clock: Clock, armed: boolean, armedUs: number, pilotMode: number, requested: boolean): void {
    const m = this.m;
    const elapsed = m.lastUs === NEVER ? 0 : clock.us - m.lastUs;
    m.lastUs = clock.us;
    if (this.terminated) return;
    if (this.isIdle()) {
      m.action = ACTION_NONE;
      return;
    }
    m.delayUs = Math.max(m.delayUs - elapsed, 0);
    if (!armed) {
      m.action = ACTION_NONE;
      return;
    }
    this.updateFenceBreach(requested);
    const byTilt = this.actionForTilt(clock.us < armedUs + this.p.lockdownUs);
    const needed = Math.max(this.actionForBattery(), this.actionForFence(), byTilt);
    if (needed > m.needed && needed > ACTION_WARN) {
      // A new and more severe action ends the pilot's takeover and starts the hold.
      m.isTakenOver = false;
      if (m.delayUs === 0) m.delayUs = m.startDelayUs;
    }
    if (m.action > ACTION_HOLD || this.estimateLost) m.delayUs = 0;
    m.needed = needed;
    if (requested && m.action > ACTION_WARN) m.isTakenOver = true;

    let action = needed;
    const delayable = needed === ACTION_RETURN || needed === ACTION_LAND;
    const waits = delayable && m.delayUs > 0 && !m.isTakenOver;
    if (waits) action = ACTION_HOLD;
    if (m.isTakenOver && action < ACTION_DISARM) action = Math.min(action, ACTION_WARN);
    // A vehicle that already returns or lands keeps its mode.
    if (needed === ACTION_RETURN && (pilotMode === NAV_STATES.return || pilotMode === NAV_STATES.land))
      action = ACTION_WARN;
    if (needed === ACTION_LAND && pilotMode === NAV_STATES.land) action = ACTION_WARN;
    m.action = this.permittedAction(action);
    if (this.terminated) {
      if (byTilt === ACTION_TERMINATE) m.terminatedBy = CAUSES["attitude failure"];
      else m.terminatedBy = m.isAttitudeLost ? CAUSES["estimate lost"] : CAUSES["outside the fence"];
    }
    const change = waits ? -elapsed : elapsed / 4;
    m.startDelayUs = Math.min(Math.max(m.startDelayUs + change, 0), this.p.delayUs);
  }

  /**
   * Whether there is nothing to decide, which is the normal case: no cause, no action, and the hold time has recovered.
   */
  private isIdle(): boolean {
    const m = this.m;
    const hasCause = m.battery > 0 || m.isTilted || m.isOutside || m.hasLeftFence || m.needed > 0 || this.estimateLost;
    return !hasCause && m.delayUs === 0 && m.startDelayUs === this.p.delayUs;
  }

  private observeBattery(armed: boolean, remaining: Readable): void {
    const m = this.m;
    let lowest = 1;
    for (let i = 0; i < remaining.length; i += 1) lowest = Math.min(lowest, remaining[i]!);
    const cause = this.batteryCause(lowest);
    m.battery = armed ? Math.max(m.battery, cause) : cause;
  }

  private batteryCause(remaining: number): SignalValue<"failsafe"> {
    if (remaining < this.p.emergencyThr) return CAUSES["battery emergency"];
    if (remaining < this.p.criticalThr) return CAUSES["battery critical"];
    return remaining < this.p.lowThr ? CAUSES["battery low"] : CAUSES.none;
  }

  private observeTilt(clock: Clock): void {
    const m = this.m;
    const q = this.vehicle.qBodyToNed;
    // |roll| = |atan2(s, c)| > R  ⇔  c < cos R·√(s² + c²);  |pitch| = |asin x| > P  ⇔  |x| > sin P
    const s = 2 * (q[0] * q[1] + q[2] * q[3]);
    const c = 1 - 2 * (q[1] * q[1] + q[2] * q[2]);
    const rolled = c < this.p.cosRoll * Math.sqrt(s * s + c * c);
    const pitched = Math.abs(2 * (q[0] * q[2] - q[1] * q[3])) > this.p.sinPitch;
    if (!rolled) m.rolledSinceUs = NEVER;
    else if (m.rolledSinceUs === NEVER) m.rolledSinceUs = clock.us;
    if (!pitched) m.pitchedSinceUs = NEVER;
    else if (m.pitchedSinceUs === NEVER) m.pitchedSinceUs = clock.us;
    const failedRoll = rolled && clock.us >= m.rolledSinceUs + this.p.rollUs;
    const failedPitch = pitched && clock.us >= m.pitchedSinceUs + this.p.pitchUs;
    m.isTilted = failedRoll || failedPitch;
  }

  /** Whether the fence forbids flying to a position. Returns false if leaving the fence only causes a warning. */
  forbids(posNed: Readable): boolean {
    return this.p.fenceAction > FENCE_WARN && this.isOutside(posNed);
  }

  private observeEstimate(clock: Clock): void {
    const { m } = this;
    const { valid } = this.vehicle;
    const hasPosition = (valid & POSITION_BITS) === POSITION_BITS;
    if (!hasPosition) m.positionFailedUs = clock.us;
    m.isPositionLost = m.isPositionLost ? clock.us <= m.positionFailedUs + REVALIDATION_US : !hasPosition;
    m.isAttitudeLost = (valid & ATTITUDE_BITS) !== ATTITUDE_BITS;
  }

  /** Returns the action, or its replacement if the estimate does not permit it. */
  private permittedAction(action: number): number {
    if (action >= ACTION_DISARM) return action;
    if (this.m.isAttitudeLost) return ACTION_TERMINATE;
    return this.m.isPositionLost ? ACTION_DESCEND : action;
  }

  private isOutside(p: Readable): boolean {
    const home = this.homeNed;
    const n = p[0]! - home[0];
    const e = p[1]! - home[1];
    const far = this.p.fenceXyM > 0 && n * n + e * e > this.p.fenceXyM * this.p.fenceXyM;
    const high = this.p.fenceZM > 0 && home[2] - p[2]! > this.p.fenceZM;
    return far || high || this.areas.forbids(p);
  }

  /**
   * Updates the fence breach. A warning ends with its cause; other actions last until the vehicle is back inside and
   * the pilot requests a mode.
   */
  private updateFenceBreach(requested: boolean): void {
    const m = this.m;
    const mayClear = requested || m.isTakenOver || this.p.fenceAction <= FENCE_WARN;
    if (m.isOutside) m.hasLeftFence = true;
    else if (mayClear) m.hasLeftFence = false;
  }

  private actionForBattery(): number {
    const m = this.m;
    if (m.battery === 0) return ACTION_NONE;
    if (m.battery <= m.batteryAtArming || m.battery < CAUSES["battery critical"]) return ACTION_WARN;
    const emergency = m.battery === CAUSES["battery emergency"];
    switch (this.p.batteryAction) {
      case 1:
        return ACTION_RETURN;
      case 2:
        return ACTION_LAND;
      case 3:
        return emergency ? ACTION_LAND : ACTION_RETURN;
      default:
        return ACTION_WARN;
    }
  }

  private actionForFence(): number {
    if (!this.m.hasLeftFence) return ACTION_NONE;
    switch (this.p.fenceAction) {
      case 2:
        return ACTION_HOLD;
      case 3:
        return ACTION_RETURN;
      case 4:
        return ACTION_TERMINATE;
      case 5:
        return ACTION_LAND;
      default:
        return ACTION_WARN;
    }
  }

  private actionForTilt(isTakingOff: boolean): number {
    if (!this.m.isTilted) return ACTION_NONE;
    if (isTakingOff) return ACTION_DISARM;
    return this.p.mayTerminate ? ACTION_TERMINATE : ACTION_WARN;
  }
}
