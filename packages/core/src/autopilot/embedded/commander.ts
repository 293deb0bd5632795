/**
 * The commander: decides whether the motors may turn, and which mode is flown.
 *
 * It reads the pilot's requests from the bus, refuses to arm a vehicle that fails its checks, sets home at the arming
 * position, lets failsafes override the mode, changes mode when a take-off or mission has ended, and disarms a vehicle
 * that has landed or never took off.
 */
import type { Clock } from "../../time/index.ts";
import type { Saveable, SnapshotReader, SnapshotWriter } from "../../snapshot/index.ts";
import { ACTION_DISARM, Failsafe } from "./failsafe.ts";
import type { FenceAreas } from "./fence.ts";
import type { LandState } from "./land-detector.ts";
import { SIGNALS, type SignalValue } from "../../signals/table.ts";
import type { Parameters } from "./parameters.ts";
import type { Ports } from "./ports.ts";
import type { Vehicle } from "./vehicle.ts";

const NAV_STATES = SIGNALS.navState.values;
const REQUESTS = SIGNALS.requestMode.values;

// Memory cells
const ARMED = 0;
const ARMED_US = 1;
const WANTED = 2;
const NAV_STATE = 3;
const ARM_PENDING = 4;
const ARM_REQUESTS = 5;
const MODE_ASKED = 6;
const MODE_REQUESTS = 7;
const FLEW = 8;
const LANDED_SINCE_US = 9;
const HAS_HOME = 10;
const NAV_STATE_US = 11;
const CELLS = 12;
const NEVER = -1;

/** The part of a navigator that the commander reads. */
interface Navigation {
  readonly mission: { readonly feasible: boolean; readonly finished: boolean; readonly finishedUs: number };
  readonly takeoff: { readonly finished: boolean; readonly finishedUs: number };
  /** A return requested by a mission item; cleared when it is executed. */
  readonly orders: { returnWanted: boolean };
}

interface CommanderSurroundings {
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
export class Commander implements Saveable {
  readonly failsafe: Failsafe;
  private readonly around: CommanderSurroundings;
  private readonly m = new Float64Array(CELLS);
  private disarmLandUs = 2e6;
  private disarmPreflightUs = 11e6;
  private missionAfterTakeoff = false;
  private batteryToArm = -1;

  constructor(around: CommanderSurroundings) {
    this.around = around;
    this.failsafe = new Failsafe(around.vehicle, around.homeNed, around.fence);
    this.m[WANTED] = this.m[NAV_STATE] = around.initialMode;
    this.m[LANDED_SINCE_US] = NEVER;
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
    return this.m[ARMED] === 1;
  }

  get navState(): number {
    return this.m[NAV_STATE];
  }

  update(clock: Clock, ports: Ports): void {
    const { m, failsafe } = this;
    if (m[HAS_HOME] === 0) this.setHome();
    failsafe.observe(clock, this.armed, ports.batteryRemaining);
    this.applyArmRequest(clock, ports);
    const requested = this.readModeRequest(ports);
    this.changeModeWhenFinished();
    failsafe.decide(clock, this.armed, m[ARMED_US], m[WANTED], requested);
    if (failsafe.action === ACTION_DISARM) this.disarm();
    this.disarmOnGround(clock);
    const state = failsafe.modeFor(m[WANTED]);
    if (state !== m[NAV_STATE]) m[NAV_STATE_US] = clock.us;
    m[NAV_STATE] = state;
  }

  save(writer: SnapshotWriter): void {
    this.failsafe.save(writer);
    writer.numbers(this.m);
    writer.numbers(this.around.homeNed);
    writer.numbers(this.around.homeYaw);
  }

  load(reader: SnapshotReader): void {
    this.failsafe.load(reader);
    reader.numbersInto(this.m);
    reader.numbersInto(this.around.homeNed);
    reader.numbersInto(this.around.homeYaw);
  }

  private setHome(): void {
    const { homeNed, homeYaw, vehicle } = this.around;
    homeNed.set(vehicle.posNed);
    homeYaw[0] = vehicle.headingRad;
    this.m[HAS_HOME] = 1;
  }

  /**
   * A request to arm takes effect as soon as the vehicle passes its checks. A request to disarm is denied in the air, as
   * PX4 denies it, and not remembered.
   */
  private applyArmRequest(clock: Clock, ports: Ports): void {
    const m = this.m;
    const asked = ports.requestArmed[0]!;
    const requests = Math.abs(asked);
    const isNew = requests !== m[ARM_REQUESTS];
    if (isNew) m[ARM_PENDING] = asked > 0 ? 1 : 0;
    m[ARM_REQUESTS] = requests;
    if (isNew && asked <= 0 && this.armed && this.around.land.maybeLanded) this.disarm();
    if (m[ARM_PENDING] === 0 || this.armed || !this.isFit(ports)) return;
    m[ARM_PENDING] = 0;
    m[ARMED] = 1;
    m[ARMED_US] = clock.us;
    m[FLEW] = 0;
    m[LANDED_SINCE_US] = NEVER;
    this.failsafe.restart();
    this.setHome();
  }

  private isFit(ports: Ports): boolean {
    const { failsafe } = this;
    if (failsafe.attitudeFailed || failsafe.terminated) return false;
    if (this.batteryToArm < 0) return !failsafe.isBatteryCritical;
    const remaining = ports.batteryRemaining;
    for (let i = 0; i < remaining.length; i += 1) if (remaining[i]! < this.batteryToArm) return false;
    return true;
  }

  private readModeRequest(ports: Ports): boolean {
    const m = this.m;
    const mode = ports.requestMode[0]!;
    // Requests to arm or disarm do not request a mode.
    const requests = ports.requestCount[0]! - m[ARM_REQUESTS];
    const fresh = requests !== m[MODE_REQUESTS] || mode !== m[MODE_ASKED];
    m[MODE_REQUESTS] = requests;
    m[MODE_ASKED] = mode;
    const wanted = navStateOf(mode as SignalValue<"requestMode">);
    if (!fresh || wanted === NEVER) return false;
    // A mission that cannot be flown is refused; the mode does not change.
    if (wanted === NAV_STATES.mission && !this.around.navigator.mission.feasible) return false;
    m[WANTED] = wanted;
    return true;
  }

  /**
   * Changes the mode after a mission that ends in the air, after a take-off, or if a mission item requests a return.
   */
  private changeModeWhenFinished(): void {
    const { m } = this;
    const { navigator, land } = this.around;
    if (navigator.orders.returnWanted) {
      navigator.orders.returnWanted = false;
      m[WANTED] = NAV_STATES.return;
    }
    if (!this.armed || land.landed || m[NAV_STATE] !== m[WANTED]) return;
    // Ignore a take-off or mission that finished before this mode was entered.
    const { mission, takeoff } = navigator;
    const since = m[NAV_STATE_US];
    if (m[NAV_STATE] === NAV_STATES["take-off"] && takeoff.finished && takeoff.finishedUs >= since) {
      m[WANTED] = this.missionAfterTakeoff && mission.feasible ? NAV_STATES.mission : NAV_STATES.hold;
    } else if (m[NAV_STATE] === NAV_STATES.mission && mission.finished && mission.finishedUs >= since) {
      m[WANTED] = NAV_STATES.hold;
    }
  }

  /**
   * As in PX4, the time on the ground counts from arming until the vehicle is seen in the air outside a mission. So a
   * vehicle that lands at the end of a mission disarms at once, and one that lands in another mode after
   * COM_DISARM_LAND.
   */
  private disarmOnGround(clock: Clock): void {
    const { m } = this;
    if (!this.armed) return;
    const landed = this.around.land.landed;
    if (!landed) m[FLEW] = 1;
    if (m[FLEW] === 0) {
      if (this.disarmPreflightUs === Infinity) return;
      if (m[LANDED_SINCE_US] === NEVER) m[LANDED_SINCE_US] = clock.us;
      if (clock.us >= m[LANDED_SINCE_US] + this.disarmPreflightUs) this.disarm();
      return;
    }
    const inMission = m[NAV_STATE] === NAV_STATES.mission && !this.around.navigator.mission.finished;
    if (inMission || this.disarmLandUs === Infinity) return;
    if (!landed) m[LANDED_SINCE_US] = NEVER;
    else if (m[LANDED_SINCE_US] === NEVER) m[LANDED_SINCE_US] = clock.us;
    if (landed && clock.us >= m[LANDED_SINCE_US] + this.disarmLandUs) this.disarm();
  }

  private disarm(): void {
    const m = this.m;
    m[ARMED] = 0;
    m[ARM_PENDING] = 0;
    // Disarming ends a failsafe, but its mode remains.
    m[WANTED] = m[NAV_STATE];
    this.failsafe.restart();
  }
}

/** The mode that a request selects; `NEVER` if none is requested. */
function navStateOf(request: SignalValue<"requestMode">): number {
  switch (request) {
    case REQUESTS.none:
      return NEVER;
    case REQUESTS.mission:
      return NAV_STATES.mission;
    case REQUESTS.rtl:
      return NAV_STATES.return;
    case REQUESTS.hold:
      return NAV_STATES.hold;
    case REQUESTS.land:
      return NAV_STATES.land;
    case REQUESTS.takeoff:
      return NAV_STATES["take-off"];
    default:
      request satisfies never;
      return NEVER;
  }
}
