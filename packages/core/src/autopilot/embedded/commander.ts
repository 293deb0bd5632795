/**
 * The commander: decides whether the motors may turn, and which mode is flown.
 *
 * It reads the pilot's requests from the bus. When arming is requested, it arms as soon as all arming checks pass, and
 * sets home at the arming position. Failsafes override the mode. It changes the mode when a take-off or mission has
 * ended, and disarms a vehicle that has landed or never took off.
 */
import type { Readable, View } from "../../engine/contracts.ts";
import type { Clock } from "../../time/index.ts";
import { type Memory, PartWithMemory } from "../../snapshot/index.ts";
import { ACTION_DISARM, Failsafe } from "./failsafe.ts";
import type { FenceAreas } from "./fence.ts";
import type { LandState } from "./land-detector.ts";
import { SIGNALS, type SignalValue } from "../../signals/table.ts";
import type { Parameters } from "./parameters.ts";
import { requestedNavState } from "../requested-mode.ts";
import type { Vehicle } from "./vehicle.ts";

const NAV_STATES = SIGNALS.navState.values;
const REQUESTS = SIGNALS.requestMode.values;

const NEVER = -1;

/** The part of a navigator that the commander reads. */
interface Navigation {
  readonly mission: { readonly feasible: boolean; readonly finished: boolean; readonly finishedUs: number };
  readonly takeoff: { readonly finished: boolean; readonly finishedUs: number };
  /** A return requested by a mission item; cleared when it is executed. */
  readonly orders: { returnWanted: boolean };
  /** Requests a flight to a position; a yaw of NaN leaves the heading to the flight mode. */
  goTo(posNed: Readable, yawRad: number): void;
}

interface CommanderContext {
  readonly vehicle: Vehicle;
  readonly homeNed: Float64Array;
  readonly homeYaw: Float64Array;
  readonly land: LandState;
  readonly navigator: Navigation;
  /** The fence of the mission. */
  readonly fence: FenceAreas;
  /** Mode before any request. */
  readonly initialMode: number;
}

/** The embedded autopilot's state machine of arming, modes and failsafes. */
export class Commander extends PartWithMemory {
  readonly failsafe: Failsafe;
  private readonly context: CommanderContext;
  private readonly m = {
    isArmed: false,
    armedUs: 0,
    targetNavState: 0,
    navState: 0,
    isArmPending: false,
    armRequests: 0,
    lastRequestMode: 0,
    modeRequests: 0,
    hasFlown: false,
    landedSinceUs: NEVER,
    hasHome: false,
    navStateSinceUs: 0,
  };
  protected readonly memory: Memory;
  private disarmLandUs = 2e6;
  private disarmPreflightUs = 11e6;
  private missionAfterTakeoff = false;
  private batteryToArm = -1;

  constructor(context: CommanderContext) {
    super();
    this.context = context;
    this.failsafe = new Failsafe(context.vehicle, context.homeNed, context.fence);
    this.m.targetNavState = this.m.navState = context.initialMode;
    this.memory = { failsafe: this.failsafe, m: this.m, homeNed: context.homeNed, homeYaw: context.homeYaw };
  }

  configure(p: Parameters): void {
    this.failsafe.configure(p);
    const land = p.get("COM_DISARM_LAND");
    const preflight = p.get("COM_DISARM_PRFLT");
    this.disarmLandUs = land > 0 ? land * 1e6 : Infinity;
    this.disarmPreflightUs = preflight > 0 ? (preflight + p.get("COM_SPOOLUP_TIME")) * 1e6 : Infinity;
    this.missionAfterTakeoff = p.get("COM_TAKEOFF_ACT") === 1;
    this.batteryToArm = p.get("COM_ARM_BAT_MIN");
  }

  get armed(): boolean {
    return this.m.isArmed;
  }

  get navState(): number {
    return this.m.navState;
  }

  update(clock: Clock, bus: View<"autopilot">): void {
    const { m, failsafe } = this;
    if (!m.hasHome) this.setHome();
    failsafe.observe(clock, this.armed, bus.batteryRemaining);
    this.applyArmRequest(clock, bus);
    const requested = this.readModeRequest(bus);
    this.changeModeWhenFinished();
    failsafe.decide(clock, this.armed, m.armedUs, m.targetNavState, requested);
    if (failsafe.action === ACTION_DISARM) this.disarm();
    this.disarmOnGround(clock);
    const state = failsafe.modeFor(m.targetNavState);
    if (state !== m.navState) m.navStateSinceUs = clock.us;
    m.navState = state;
  }

  private setHome(): void {
    const { homeNed, homeYaw, vehicle } = this.context;
    homeNed.set(vehicle.posNed);
    homeYaw[0] = vehicle.headingRad;
    this.m.hasHome = true;
  }

  /**
   * Applies a request to arm as soon as the vehicle passes its checks. As in PX4, a request to disarm in the air is
   * denied and dropped. `requestArmed` is positive for arm and negative for disarm; its magnitude counts the requests.
   */
  private applyArmRequest(clock: Clock, bus: View<"autopilot">): void {
    const m = this.m;
    const armSignal = bus.requestArmed[0]!;
    const requests = Math.abs(armSignal);
    const isNew = requests !== m.armRequests;
    if (isNew) m.isArmPending = armSignal > 0;
    m.armRequests = requests;
    if (isNew && armSignal <= 0 && this.armed && this.context.land.maybeLanded) this.disarm();
    if (!m.isArmPending || this.armed || !this.passesArmingChecks(bus)) return;
    m.isArmPending = false;
    m.isArmed = true;
    m.armedUs = clock.us;
    m.hasFlown = false;
    m.landedSinceUs = NEVER;
    this.failsafe.restart();
    this.setHome();
  }

  private passesArmingChecks(bus: View<"autopilot">): boolean {
    const { failsafe } = this;
    if (failsafe.attitudeFailed || failsafe.estimateLost || failsafe.terminated) return false;
    if (this.batteryToArm < 0) return !failsafe.isBatteryCritical;
    const remaining = bus.batteryRemaining;
    for (let i = 0; i < remaining.length; i += 1) if (remaining[i]! < this.batteryToArm) return false;
    return true;
  }

  private readModeRequest(bus: View<"autopilot">): boolean {
    const m = this.m;
    const mode = bus.requestMode[0]!;
    // `requestCount` also counts requests to arm and disarm, so subtract them.
    const requests = bus.requestCount[0]! - m.armRequests;
    const isNew = requests !== m.modeRequests || mode !== m.lastRequestMode;
    m.modeRequests = requests;
    m.lastRequestMode = mode;
    const target = requestedNavState(mode as SignalValue<"requestMode">);
    if (!isNew || target === undefined) return false;
    // A mission that cannot be flown is rejected; the mode does not change.
    if (target === NAV_STATES.mission && !this.context.navigator.mission.feasible) return false;
    m.targetNavState = target;
    if (mode === REQUESTS.goto) {
      this.context.navigator.goTo(bus.requestPosNed, bus.requestYawGiven[0] === 1 ? bus.requestYaw[0]! : NaN);
    }
    return true;
  }

  /**
   * Changes the mode after a mission that ends in the air, after a take-off, or if a mission item requests a return.
   */
  private changeModeWhenFinished(): void {
    const { m } = this;
    const { navigator, land } = this.context;
    if (navigator.orders.returnWanted) {
      navigator.orders.returnWanted = false;
      m.targetNavState = NAV_STATES.return;
    }
    if (!this.armed || land.landed || m.navState !== m.targetNavState) return;
    // Ignore a take-off or mission that finished before this mode was entered.
    const { mission, takeoff } = navigator;
    const since = m.navStateSinceUs;
    if (m.navState === NAV_STATES["take-off"] && takeoff.finished && takeoff.finishedUs >= since) {
      m.targetNavState = this.missionAfterTakeoff && mission.feasible ? NAV_STATES.mission : NAV_STATES.hold;
    } else if (m.navState === NAV_STATES.mission && mission.finished && mission.finishedUs >= since) {
      m.targetNavState = NAV_STATES.hold;
    }
  }

  /**
   * Disarms a vehicle that has been landed for COM_DISARM_LAND seconds, or that has not taken off within
   * COM_SPOOLUP_TIME + COM_DISARM_PRFLT seconds after arming. As in PX4, the landed timer starts at arming if
   * COM_DISARM_PRFLT is positive, and is reset only while the vehicle is airborne outside a mission. So if the vehicle
   * was airborne only in a mission, the timer has run since arming. It has usually expired when the mission ends on the
   * ground, and the vehicle disarms at once.
   */
  private disarmOnGround(clock: Clock): void {
    const { m } = this;
    if (!this.armed) return;
    const landed = this.context.land.landed;
    if (!landed) m.hasFlown = true;
    if (!m.hasFlown) {
      if (this.disarmPreflightUs === Infinity) return;
      if (m.landedSinceUs === NEVER) m.landedSinceUs = clock.us;
      if (clock.us >= m.landedSinceUs + this.disarmPreflightUs) this.disarm();
      return;
    }
    const inMission = m.navState === NAV_STATES.mission && !this.context.navigator.mission.finished;
    if (inMission || this.disarmLandUs === Infinity) return;
    if (!landed) m.landedSinceUs = NEVER;
    else if (m.landedSinceUs === NEVER) m.landedSinceUs = clock.us;
    if (landed && clock.us >= m.landedSinceUs + this.disarmLandUs) this.disarm();
  }

  private disarm(): void {
    const m = this.m;
    m.isArmed = false;
    m.isArmPending = false;
    // Disarming ends a failsafe. The vehicle stays in the mode that the failsafe selected, except Descend, after which
    // the mode reverts to the one that was requested.
    if (m.navState !== NAV_STATES.descend) m.targetNavState = m.navState;
    this.failsafe.restart();
  }
}
