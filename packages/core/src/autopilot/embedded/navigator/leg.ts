/**
 * The state that all navigator modes share: the current item, whether it has been reached, and its triplet.
 */
import type { Clock } from "../../../time/index.ts";
import type { Saveable, SnapshotReader, SnapshotWriter } from "../../../snapshot/index.ts";
import {
  NAV_DELAY,
  NAV_LAND,
  NAV_LOITER_TIME,
  NAV_LOITER_TO_ALT,
  NAV_LOITER_UNLIM,
  NAV_TAKEOFF,
  NAV_WAYPOINT,
} from "../../mission.ts";
import { wrapPi } from "../heading.ts";
import type { LandState } from "../land-detector.ts";
import { loadMemory, saveMemory } from "../memory.ts";
import type { Parameters } from "../parameters.ts";
import { brakingDistance } from "../trajectory/speed.ts";
import type { Vehicle } from "../vehicle.ts";
import type { MissionPlan } from "./plan.ts";
import { TYPE_LAND, TYPE_LOITER, TYPE_POSITION, TYPE_TAKEOFF, Triplet, type PositionSetpoint } from "./triplet.ts";

const DEG = 0.017453292519943295;
/** PX4's float32 epsilon. */
const TINY = 1.1920928955078125e-7;
/** Command of an item that does nothing. */
export const IDLE = 0;
/** Reaction time before braking, used to predict the stop point (s). */
const BRAKE_DELAY_S = 0.6;

// Cells of an item
const COMMAND = 0;
const POS = 1;
const YAW = 4;
const RADIUS = 5;
const HOLD = 6;
const AUTO = 7;
const LOITER_RADIUS = 8;
const ITEM_CELLS = 9;

/** An item during flight: position and altitude are already in the local frame. */
export class NavItem implements Saveable {
  private readonly m = new Float64Array(ITEM_CELLS);
  readonly posNed = this.m.subarray(POS, POS + 3);

  get command(): number {
    return this.m[COMMAND];
  }

  set command(command: number) {
    this.m[COMMAND] = command;
  }

  get yawRad(): number {
    return this.m[YAW];
  }

  set yawRad(yawRad: number) {
    this.m[YAW] = yawRad;
  }

  /** 0 for the default acceptance radius. */
  get radiusM(): number {
    return this.m[RADIUS];
  }

  set radiusM(radiusM: number) {
    this.m[RADIUS] = radiusM;
  }

  get holdS(): number {
    return this.m[HOLD];
  }

  set holdS(holdS: number) {
    this.m[HOLD] = holdS;
  }

  get autoContinue(): boolean {
    return this.m[AUTO] === 1;
  }

  set autoContinue(autoContinue: boolean) {
    this.m[AUTO] = autoContinue ? 1 : 0;
  }

  get loiterRadiusM(): number {
    return this.m[LOITER_RADIUS];
  }

  set loiterRadiusM(loiterRadiusM: number) {
    this.m[LOITER_RADIUS] = loiterRadiusM;
  }

  get hasPosition(): boolean {
    switch (this.m[COMMAND]) {
      case NAV_WAYPOINT:
      case NAV_LOITER_UNLIM:
      case NAV_LOITER_TIME:
      case NAV_LAND:
      case NAV_TAKEOFF:
      case NAV_LOITER_TO_ALT:
        return true;
      default:
        return false;
    }
  }

  /** Time to stay at the item; only some commands have one. */
  get stayS(): number {
    switch (this.m[COMMAND]) {
      case NAV_WAYPOINT:
      case NAV_LOITER_TIME:
      case NAV_DELAY:
        return Math.max(this.m[HOLD], 0);
      default:
        return 0;
    }
  }

  copy(from: NavItem): void {
    this.m.set(from.m);
  }

  fromPlan(plan: MissionPlan, i: number): void {
    const m = this.m;
    m[COMMAND] = plan.command[i];
    plan.positionInto(this.posNed, i);
    m[YAW] = plan.yawRad[i];
    m[RADIUS] = plan.radiusM[i];
    m[HOLD] = plan.holdS[i];
    m[AUTO] = plan.autoContinue[i];
    m[LOITER_RADIUS] = plan.loiterRadiusM[i];
  }

  save(writer: SnapshotWriter): void {
    saveMemory(writer, this.m);
  }

  load(reader: SnapshotReader): void {
    loadMemory(reader, this.m);
  }
}

// Memory cells of the leg
const AT_POSITION = 0;
const AT_YAW = 1;
const SINCE_US = 2;
const CRUISE = 3;

export class Leg implements Saveable {
  readonly vehicle: Vehicle;
  readonly homeNed: Float64Array;
  /** Yaw at home, one cell. */
  readonly homeYaw: Float64Array;
  readonly land: LandState;
  readonly triplet = new Triplet();
  readonly item = new NavItem();
  private readonly m = Float64Array.of(0, 0, 0, -1);
  /** Whether the commander is armed at this tick. */
  armed = false;
  radiusM = 2;
  altRadiusM = 0.8;
  loiterRadiusM = 80;
  private yawToleranceRad = 0.2;
  private yawTimeoutS = -1;
  private accHor = 3;

  constructor(vehicle: Vehicle, homeNed: Float64Array, homeYaw: Float64Array, land: LandState) {
    this.vehicle = vehicle;
    this.homeNed = homeNed;
    this.homeYaw = homeYaw;
    this.land = land;
  }

  configure(p: Parameters): void {
    this.radiusM = p.get("NAV_ACC_RAD");
    this.altRadiusM = p.get("NAV_MC_ALT_RAD");
    this.loiterRadiusM = Math.abs(p.get("NAV_LOITER_RAD"));
    this.yawToleranceRad = p.get("MIS_YAW_ERR") * DEG;
    this.yawTimeoutS = p.get("MIS_YAW_TMT");
    this.accHor = p.get("MPC_ACC_HOR");
  }

  /** −1 for the default. */
  get cruiseMps(): number {
    return this.m[CRUISE];
  }

  set cruiseMps(cruiseMps: number) {
    this.m[CRUISE] = cruiseMps;
  }

  resetTriplet(clock: Clock): void {
    this.triplet.reset(this.radiusM, this.m[CRUISE], clock.us);
  }

  resetReached(): void {
    this.m[AT_POSITION] = this.m[AT_YAW] = this.m[SINCE_US] = 0;
  }

  distanceTo(posNed: Float64Array): number {
    const p = this.vehicle.posNed;
    const n = posNed[0] - p[0];
    const e = posNed[1] - p[1];
    return Math.sqrt(n * n + e * e);
  }

  /** Predicts the point at which the vehicle would stop if it braked now; does not change the altitude. */
  stopPointInto(posNed: Float64Array): void {
    const { posNed: p, velNed: v } = this.vehicle;
    const speed = Math.sqrt(v[0] * v[0] + v[1] * v[1]);
    const scale = speed > 0 ? brakingDistance(speed, this.accHor, BRAKE_DELAY_S) / speed : 0;
    posNed[0] = p[0] + v[0] * scale;
    posNed[1] = p[1] + v[1] * scale;
  }

  /** Fills a setpoint from an item. An item without a position does not change it. */
  itemToSetpoint(clock: Clock, item: NavItem, sp: PositionSetpoint): void {
    if (!item.hasPosition) return;
    sp.posNed.set(item.posNed);
    sp.yawRad = item.yawRad;
    sp.radiusM = item.radiusM > TINY ? item.radiusM : this.radiusM;
    sp.loiterRadiusM = this.loiterRadiusOf(item);
    sp.cruiseMps = this.m[CRUISE];
    switch (item.command) {
      case NAV_TAKEOFF:
        if (this.armed && !this.land.landed && !this.land.maybeLanded) {
          sp.type = TYPE_POSITION;
        } else {
          sp.type = TYPE_TAKEOFF;
          sp.yawRad = NaN;
        }
        break;
      case NAV_LAND:
        sp.type = TYPE_LAND;
        break;
      case NAV_LOITER_TO_ALT:
        // First fly to the position at the current altitude, then climb.
        sp.posNed[2] = this.vehicle.posNed[2];
        sp.type = TYPE_LOITER;
        break;
      case NAV_LOITER_TIME:
      case NAV_LOITER_UNLIM:
        sp.type = TYPE_LOITER;
        break;
      default:
        sp.type = TYPE_POSITION;
    }
    sp.valid = true;
    sp.stampUs = clock.us;
  }

  /** Turns the item into an endless loiter at the setpoint. */
  loiterAtSetpoint(): void {
    const { item } = this;
    const current = this.triplet.current;
    this.makeLoiter();
    item.posNed.set(current.posNed);
    item.yawRad = current.yawRad;
    item.loiterRadiusM = current.loiterRadiusM;
  }

  /** Turns the item into an endless loiter at the position of the vehicle. */
  loiterHere(): void {
    this.makeLoiter();
    this.item.posNed.set(this.vehicle.posNed);
  }

  /** Turns the item into an endless loiter at the predicted stop point. */
  loiterAtStop(): void {
    this.loiterHere();
    this.stopPointInto(this.item.posNed);
  }

  /** Whether the item is finished; updates the flags that decide it. */
  isReached(clock: Clock): boolean {
    const { m, item } = this;
    switch (item.command) {
      case NAV_LAND:
        return this.land.landed;
      case IDLE:
      case NAV_LOITER_UNLIM:
        return false;
      case NAV_DELAY:
        m[AT_POSITION] = m[AT_YAW] = 1;
        if (m[SINCE_US] === 0) m[SINCE_US] = clock.us;
        break;
      case NAV_WAYPOINT:
      case NAV_LOITER_TIME:
      case NAV_TAKEOFF:
      case NAV_LOITER_TO_ALT:
        break;
      default:
        // Actions take no time.
        return true;
    }
    if (!this.land.landed && m[AT_POSITION] === 0 && this.isThere()) {
      m[AT_POSITION] = 1;
      m[SINCE_US] = clock.us;
    }
    if (m[AT_POSITION] === 1 && m[AT_YAW] === 0 && this.facesRight()) m[AT_YAW] = 1;
    if (m[AT_POSITION] === 0 || m[AT_YAW] === 0) return false;
    const stay = item.stayS;
    return stay < TINY || clock.us >= Math.trunc(stay * 1e6) + m[SINCE_US];
  }

  save(writer: SnapshotWriter): void {
    this.triplet.save(writer);
    this.item.save(writer);
    writer.numbers(this.m);
  }

  load(reader: SnapshotReader): void {
    this.triplet.load(reader);
    this.item.load(reader);
    reader.numbersInto(this.m);
  }

  /** The item's own value, or the default if it has none. */
  private loiterRadiusOf(item: NavItem): number {
    const radiusM = Math.abs(item.loiterRadiusM);
    return radiusM > TINY ? radiusM : this.loiterRadiusM;
  }

  private makeLoiter(): void {
    const item = this.item;
    item.command = NAV_LOITER_UNLIM;
    item.radiusM = this.radiusM;
    item.loiterRadiusM = this.loiterRadiusM;
    item.yawRad = NaN;
    item.holdS = 0;
    item.autoContinue = false;
  }

  private isThere(): boolean {
    const { item } = this;
    const z = this.vehicle.posNed[2];
    const across = this.distanceTo(item.posNed);
    switch (item.command) {
      case NAV_TAKEOFF: {
        // If the whole climb is within the acceptance radius, use half its height. Only altitude counts.
        const height = this.homeNed[2] - item.posNed[2];
        const radius = height > 0 && height < this.altRadiusM ? height / 2 : this.altRadiusM;
        return -z > -item.posNed[2] - radius;
      }
      case NAV_LOITER_TO_ALT: {
        const current = this.triplet.current;
        const reach = this.radiusM + this.loiterRadiusOf(item);
        if (Math.abs(current.posNed[2] - item.posNed[2]) >= TINY) {
          if (across <= reach && Math.abs(current.posNed[2] - z) <= this.altRadiusM) {
            current.posNed[2] = item.posNed[2];
            current.type = TYPE_LOITER;
          }
          return false;
        }
        return across <= reach && Math.abs(item.posNed[2] - z) <= this.altRadiusM;
      }
      default: {
        const radius = item.radiusM > TINY ? item.radiusM : this.radiusM;
        return across <= radius && Math.abs(item.posNed[2] - z) <= this.altRadiusM;
      }
    }
  }

  private facesRight(): boolean {
    const yaw = this.item.yawRad;
    if (Number.isNaN(yaw) || this.yawTimeoutS >= TINY) return true;
    return Math.abs(wrapPi(yaw - this.vehicle.headingRad)) < this.yawToleranceRad;
  }
}
