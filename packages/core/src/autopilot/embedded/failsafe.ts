/**
 * Failsafes: how a low battery, a fence breach or an attitude failure overrides the mode that the pilot requested.
 *
 * The most severe action of all causes wins. Hold for COM_FAIL_ACT_T precedes a new action, unless the vehicle already
 * returns or lands; during it the pilot may take over by requesting a mode. The takeover lasts until something worse
 * happens. Failsafes use up the hold time, which recovers at a quarter of that speed, so that a flickering cause still
 * leads to its action. A fence breach is cleared when the vehicle is back inside and the pilot requests a mode.
 * Termination is permanent.
 */
import { cos, sin } from "../../math/index.ts";
import type { Readable } from "../../engine/contracts.ts";
import type { Clock } from "../../time/index.ts";
import type { Saveable, SnapshotReader, SnapshotWriter } from "../../snapshot/index.ts";
import { SIGNALS, type SignalValue } from "../../signals/table.ts";
import type { FenceAreas } from "./fence.ts";
import type { Parameters } from "./parameters.ts";
import type { Vehicle } from "./vehicle.ts";

const NAV_STATES = SIGNALS.navState.values;
const DEG = 0.017453292519943295;
/** The value of CBRK_FLIGHTTERM that disables termination. */
const NO_TERMINATION = 121212;

const ACTION_NONE = 0;
const ACTION_WARN = 1;
const ACTION_HOLD = 2;
const ACTION_RETURN = 3;
const ACTION_LAND = 4;
export const ACTION_DISARM = 5;
const ACTION_TERMINATE = 6;

const CAUSES = SIGNALS.failsafe.values;

/** The value of GF_ACTION that only warns. */
const FENCE_WARN = 1;

// Memory cells
const BATTERY = 0;
const BATTERY_AT_ARMING = 1;
const ROLLED_SINCE_US = 2;
const TILTED = 3;
const OUTSIDE = 4;
const DELAY_US = 5;
const START_DELAY_US = 6;
const ACTION = 7;
const TAKEN_OVER = 8;
const LAST_US = 9;
const ASKED = 10;
const PITCHED_SINCE_US = 11;
const LEFT_FENCE = 12;
const TERMINATED_BY = 13;
const CELLS = 14;
const NEVER = -1;

export class Failsafe implements Saveable {
  private readonly vehicle: Vehicle;
  private readonly homeNed: Float64Array;
  private readonly areas: FenceAreas;
  private readonly m = new Float64Array(CELLS);
  private lowThr = 0.15;
  private criticalThr = 0.07;
  private emergencyThr = 0.05;
  private batteryAction = 3;
  private delayUs = 5e6;
  /** Cosine of the roll limit and sine of the pitch limit; values that are never exceeded if the check is off. */
  private cosRoll = -2;
  private sinPitch = 2;
  private rollUs = 3e5;
  private pitchUs = 3e5;
  private lockdownUs = 4e6;
  private mayTerminate = false;
  private fenceAction = 2;
  private fenceXyM = 0;
  private fenceZM = 0;

  /** `areas`: the mission's fence; parameters add a cylinder around home. */
  constructor(vehicle: Vehicle, homeNed: Float64Array, areas: FenceAreas) {
    this.vehicle = vehicle;
    this.homeNed = homeNed;
    this.areas = areas;
    this.m[ROLLED_SINCE_US] = this.m[PITCHED_SINCE_US] = this.m[LAST_US] = NEVER;
  }

  configure(p: Parameters): void {
    this.lowThr = p.get("BAT_LOW_THR");
    this.criticalThr = p.get("BAT_CRIT_THR");
    this.emergencyThr = p.get("BAT_EMERGEN_THR");
    this.batteryAction = p.get("COM_LOW_BAT_ACT");
    this.delayUs = p.get("COM_FAIL_ACT_T") * 1e6;
    const roll = p.get("FD_FAIL_R");
    const pitch = p.get("FD_FAIL_P");
    this.cosRoll = roll > 0 ? cos(roll * DEG) : -2;
    this.sinPitch = pitch > 0 && pitch < 90 ? sin(pitch * DEG) : 2;
    this.rollUs = p.get("FD_FAIL_R_TTRI") * 1e6;
    this.pitchUs = p.get("FD_FAIL_P_TTRI") * 1e6;
    const lockdown = p.get("COM_LKDOWN_TKO");
    this.lockdownUs = (lockdown > 0 ? lockdown + p.get("COM_SPOOLUP_TIME") : 0) * 1e6;
    this.mayTerminate = p.get("CBRK_FLIGHTTERM") !== NO_TERMINATION;
    this.fenceAction = p.get("GF_ACTION");
    this.fenceXyM = p.get("GF_MAX_HOR_DIST");
    this.fenceZM = p.get("GF_MAX_VER_DIST");
    if (this.m[LAST_US] === NEVER) this.m[START_DELAY_US] = this.delayUs;
  }

  /** Whether the battery is critical or worse. While the vehicle is armed, the state of the battery never improves. */
  get isBatteryCritical(): boolean {
    return this.m[BATTERY] >= CAUSES["battery critical"];
  }

  get action(): number {
    return this.m[ACTION];
  }

  get attitudeFailed(): boolean {
    return this.m[TILTED] === 1;
  }

  get terminated(): boolean {
    return this.m[ACTION] === ACTION_TERMINATE;
  }

  /** The published cause: the most severe one, or the one that terminated the flight. */
  get cause(): number {
    const m = this.m;
    if (this.terminated) return m[TERMINATED_BY];
    if (m[TILTED] === 1) return CAUSES["attitude failure"];
    if (m[BATTERY] > 0) return m[BATTERY];
    return m[OUTSIDE] + m[LEFT_FENCE] > 0 ? CAUSES["outside the fence"] : CAUSES.none;
  }

  /** The mode to fly if the pilot wants `wanted`. */
  modeFor(wanted: number): number {
    switch (this.m[ACTION]) {
      case ACTION_HOLD:
        return NAV_STATES.hold;
      case ACTION_RETURN:
        return NAV_STATES.return;
      case ACTION_LAND:
        return NAV_STATES.land;
      case ACTION_TERMINATE:
        return NAV_STATES.termination;
      default:
        return wanted;
    }
  }

  /** Resets the state when the vehicle arms or disarms. */
  restart(): void {
    const m = this.m;
    m[BATTERY_AT_ARMING] = m[BATTERY];
    m[TAKEN_OVER] = 0;
    m[DELAY_US] = 0;
    m[ASKED] = ACTION_NONE;
    m[LEFT_FENCE] = 0;
    if (!this.terminated) m[ACTION] = ACTION_NONE;
  }

  /** Updates the causes. Call at every tick, before `decide`. */
  observe(clock: Clock, armed: boolean, remaining: Readable): void {
    const m = this.m;
    this.observeBattery(armed, remaining);
    this.observeTilt(clock);
    m[OUTSIDE] = armed && this.fenceAction > 0 && this.isOutside() ? 1 : 0;
  }

  /**
   * Chooses the action. `wanted` is the pilot's mode, `requested` whether it was requested at this tick, `armedUs` the
   * arming time.
   */
  decide(clock: Clock, armed: boolean, armedUs: number, wanted: number, requested: boolean): void {
    const m = this.m;
    const elapsed = m[LAST_US] === NEVER ? 0 : clock.us - m[LAST_US];
    m[LAST_US] = clock.us;
    if (this.terminated) return;
    if (this.isQuiet()) {
      m[ACTION] = ACTION_NONE;
      return;
    }
    m[DELAY_US] = Math.max(m[DELAY_US] - elapsed, 0);
    if (!armed) {
      m[ACTION] = ACTION_NONE;
      return;
    }
    this.rememberFence(requested);
    const byTilt = this.askedByTilt(clock.us < armedUs + this.lockdownUs);
    const asked = Math.max(this.askedByBattery(), this.askedByFence(), byTilt);
    if (asked > m[ASKED] && asked > ACTION_WARN) {
      // A new and more severe action ends the pilot's takeover and starts the hold.
      m[TAKEN_OVER] = 0;
      if (m[DELAY_US] === 0) m[DELAY_US] = m[START_DELAY_US];
    }
    if (m[ACTION] > ACTION_HOLD) m[DELAY_US] = 0;
    m[ASKED] = asked;
    if (requested && m[ACTION] > ACTION_WARN) m[TAKEN_OVER] = 1;

    let action = asked;
    const delayable = asked === ACTION_RETURN || asked === ACTION_LAND;
    const waits = delayable && m[DELAY_US] > 0 && m[TAKEN_OVER] === 0;
    if (waits) action = ACTION_HOLD;
    if (m[TAKEN_OVER] === 1 && action < ACTION_DISARM) action = Math.min(action, ACTION_WARN);
    // A vehicle that already returns or lands keeps its mode.
    if (asked === ACTION_RETURN && (wanted === NAV_STATES.return || wanted === NAV_STATES.land)) action = ACTION_WARN;
    if (asked === ACTION_LAND && wanted === NAV_STATES.land) action = ACTION_WARN;
    m[ACTION] = action;
    if (this.terminated)
      m[TERMINATED_BY] = byTilt === ACTION_TERMINATE ? CAUSES["attitude failure"] : CAUSES["outside the fence"];
    const spent = waits ? -elapsed : elapsed / 4;
    m[START_DELAY_US] = Math.min(Math.max(m[START_DELAY_US] + spent, 0), this.delayUs);
  }

  save(writer: SnapshotWriter): void {
    writer.numbers(this.m);
  }

  load(reader: SnapshotReader): void {
    reader.numbersInto(this.m);
  }

  /** Whether there is nothing to decide, the normal case: no cause, no action, and the hold time has recovered. */
  private isQuiet(): boolean {
    const m = this.m;
    const causes = m[BATTERY] + m[TILTED] + m[OUTSIDE] + m[LEFT_FENCE] + m[ASKED];
    return causes === 0 && m[DELAY_US] === 0 && m[START_DELAY_US] === this.delayUs;
  }

  private observeBattery(armed: boolean, remaining: Readable): void {
    const m = this.m;
    let least = 1;
    for (let i = 0; i < remaining.length; i += 1) least = Math.min(least, remaining[i]!);
    const cause = this.batteryCause(least);
    m[BATTERY] = armed ? Math.max(m[BATTERY], cause) : cause;
  }

  private batteryCause(remaining: number): SignalValue<"failsafe"> {
    if (remaining < this.emergencyThr) return CAUSES["battery emergency"];
    if (remaining < this.criticalThr) return CAUSES["battery critical"];
    return remaining < this.lowThr ? CAUSES["battery low"] : CAUSES.none;
  }

  private observeTilt(clock: Clock): void {
    const m = this.m;
    const q = this.vehicle.qBodyToNed;
    // |roll| = |atan2(s, c)| > R  ⇔  c < cos R·√(s² + c²);  |pitch| = |asin x| > P  ⇔  |x| > sin P
    const s = 2 * (q[0] * q[1] + q[2] * q[3]);
    const c = 1 - 2 * (q[1] * q[1] + q[2] * q[2]);
    const rolled = c < this.cosRoll * Math.sqrt(s * s + c * c);
    const pitched = Math.abs(2 * (q[0] * q[2] - q[1] * q[3])) > this.sinPitch;
    if (!rolled) m[ROLLED_SINCE_US] = NEVER;
    else if (m[ROLLED_SINCE_US] === NEVER) m[ROLLED_SINCE_US] = clock.us;
    if (!pitched) m[PITCHED_SINCE_US] = NEVER;
    else if (m[PITCHED_SINCE_US] === NEVER) m[PITCHED_SINCE_US] = clock.us;
    const failedRoll = rolled && clock.us >= m[ROLLED_SINCE_US] + this.rollUs;
    const failedPitch = pitched && clock.us >= m[PITCHED_SINCE_US] + this.pitchUs;
    m[TILTED] = failedRoll || failedPitch ? 1 : 0;
  }

  private isOutside(): boolean {
    const p = this.vehicle.posNed;
    const home = this.homeNed;
    const n = p[0] - home[0];
    const e = p[1] - home[1];
    const far = this.fenceXyM > 0 && n * n + e * e > this.fenceXyM * this.fenceXyM;
    const high = this.fenceZM > 0 && home[2] - p[2] > this.fenceZM;
    return far || high || this.areas.forbids(p);
  }

  /**
   * A warning ends with its cause. Other actions stay until the vehicle is back inside and the pilot requests a mode.
   */
  private rememberFence(requested: boolean): void {
    const m = this.m;
    const mayForget = requested || m[TAKEN_OVER] === 1 || this.fenceAction <= FENCE_WARN;
    if (m[OUTSIDE] === 1) m[LEFT_FENCE] = 1;
    else if (mayForget) m[LEFT_FENCE] = 0;
  }

  private askedByBattery(): number {
    const m = this.m;
    if (m[BATTERY] === 0) return ACTION_NONE;
    if (m[BATTERY] <= m[BATTERY_AT_ARMING] || m[BATTERY] < CAUSES["battery critical"]) return ACTION_WARN;
    const emergency = m[BATTERY] === CAUSES["battery emergency"];
    switch (this.batteryAction) {
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

  private askedByFence(): number {
    if (this.m[LEFT_FENCE] === 0) return ACTION_NONE;
    switch (this.fenceAction) {
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

  private askedByTilt(early: boolean): number {
    if (this.m[TILTED] === 0) return ACTION_NONE;
    if (early) return ACTION_DISARM;
    return this.mayTerminate ? ACTION_TERMINATE : ACTION_WARN;
  }
}
