/**
 * The state that all navigator modes share: the current item, whether it has been reached, and the setpoint triplet.
 */
import type { Clock } from "../../../time/index.ts";
import { PartWithMemory } from "../../../snapshot/index.ts";
import {
  NAV_DELAY,
  NAV_LAND,
  NAV_LOITER_TIME,
  NAV_LOITER_TO_ALT,
  NAV_LOITER_UNLIM,
  NAV_TAKEOFF,
  NAV_WAYPOINT,
} from "../../mission.ts";
import { DEG, TINY } from "../constants.ts";
import { wrapPi } from "../heading.ts";
import type { LandState } from "../land-detector.ts";
import type { Parameters } from "../parameters.ts";
import { brakingDistance } from "../trajectory/speed.ts";
import type { Vehicle } from "../vehicle.ts";
import type { MissionPlan } from "./plan.ts";
import { TYPE_LAND, TYPE_LOITER, TYPE_POSITION, TYPE_TAKEOFF, Triplet, type PositionSetpoint } from "./triplet.ts";

/** Command of an item that does nothing. */
export const IDLE = 0;
/** Reaction time before braking, used to predict the stop point (s). */
const BRAKE_DELAY_S = 0.6;

/** An item during flight: position and altitude are already in the local frame. */
export class NavItem {
  command = IDLE;
  readonly posNed = new Float64Array(3);
  yawRad = 0;
  /** 0 for the default acceptance radius. */
  radiusM = 0;
  holdS = 0;
  autoContinue = false;
  loiterRadiusM = 0;

  get hasPosition(): boolean {
    switch (this.command) {
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

  /** Time to stay at the item; 0 for commands without a stay. */
  get stayS(): number {
    switch (this.command) {
      case NAV_WAYPOINT:
      case NAV_LOITER_TIME:
      case NAV_DELAY:
        return Math.max(this.holdS, 0);
      default:
        return 0;
    }
  }

  fromPlan(plan: MissionPlan, i: number): void {
    this.command = plan.command[i];
    plan.positionInto(this.posNed, i);
    this.yawRad = plan.yawRad[i];
    this.radiusM = plan.radiusM[i];
    this.holdS = plan.holdS[i];
    this.autoContinue = plan.autoContinue[i] === 1;
    this.loiterRadiusM = plan.loiterRadiusM[i];
  }
}

export class Leg extends PartWithMemory {
  readonly vehicle: Vehicle;
  readonly homeNed: Float64Array;
  /** Yaw at home, one cell. */
  readonly homeYaw: Float64Array;
  readonly land: LandState;
  readonly triplet = new Triplet();
  readonly item = new NavItem();
  private readonly reached = { isAtPosition: false, isAtYaw: false, sinceUs: 0 };
  /** The cruise speed; −1 for the default. */
  readonly cruise = { speedMps: -1 };
  protected readonly memory = [this.triplet, this.item, this.reached, this.cruise];
  /** Whether the commander is armed at this tick. */
  armed = false;
  radiusM = 2;
  altRadiusM = 0.8;
  loiterRadiusM = 80;
  private yawToleranceRad = 0.2;
  private yawTimeoutS = -1;
  private accHor = 3;

  constructor(vehicle: Vehicle, homeNed: Float64Array, homeYaw: Float64Array, land: LandState) {
    super();
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

  resetTriplet(clock: Clock): void {
    this.triplet.reset(this.radiusM, this.cruise.speedMps, clock.us);
  }

  resetReached(): void {
    this.reached.isAtPosition = this.reached.isAtYaw = false;
    this.reached.sinceUs = 0;
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
    sp.cruiseMps = this.cruise.speedMps;
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
        // First fly to the position at the current altitude, then climb or descend.
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

  /** Makes the item the only setpoint of the triplet. */
  setTripletToItem(clock: Clock): void {
    const { previous, current, next } = this.triplet;
    this.itemToSetpoint(clock, this.item, current);
    previous.valid = next.valid = false;
  }

  /** Starts a new item with default radii, without a yaw and without a time to stay. Its position does not change. */
  startItem(command: number, autoContinue: boolean): void {
    const { item } = this;
    item.command = command;
    item.radiusM = this.radiusM;
    item.loiterRadiusM = this.loiterRadiusM;
    item.yawRad = NaN;
    item.holdS = 0;
    item.autoContinue = autoContinue;
  }

  /** Turns the item into an endless loiter at the setpoint. */
  loiterAtSetpoint(): void {
    const { item } = this;
    const current = this.triplet.current;
    this.startItem(NAV_LOITER_UNLIM, false);
    item.posNed.set(current.posNed);
    item.yawRad = current.yawRad;
    item.loiterRadiusM = current.loiterRadiusM;
  }

  /** Turns the item into an endless loiter at the position of the vehicle. */
  loiterHere(): void {
    this.startItem(NAV_LOITER_UNLIM, false);
    this.item.posNed.set(this.vehicle.posNed);
  }

  /** Turns the item into an endless loiter at the predicted stop point. */
  loiterAtStop(): void {
    this.loiterHere();
    this.stopPointInto(this.item.posNed);
  }

  /** Returns whether the item is finished, and updates the flags that record which of its conditions are met. */
  isReached(clock: Clock): boolean {
    const { reached, item } = this;
    switch (item.command) {
      case NAV_LAND:
        return this.land.landed;
      case IDLE:
      case NAV_LOITER_UNLIM:
        return false;
      case NAV_DELAY:
        reached.isAtPosition = reached.isAtYaw = true;
        if (reached.sinceUs === 0) reached.sinceUs = clock.us;
        break;
      case NAV_WAYPOINT:
      case NAV_LOITER_TIME:
      case NAV_TAKEOFF:
      case NAV_LOITER_TO_ALT:
        break;
      default:
        // All other commands are actions, which are finished immediately.
        return true;
    }
    if (!this.land.landed && !reached.isAtPosition && this.isAtItem()) {
      reached.isAtPosition = true;
      reached.sinceUs = clock.us;
    }
    if (reached.isAtPosition && !reached.isAtYaw && this.isYawReached()) reached.isAtYaw = true;
    if (!reached.isAtPosition || !reached.isAtYaw) return false;
    const stay = item.stayS;
    return stay < TINY || clock.us >= Math.trunc(stay * 1e6) + reached.sinceUs;
  }

  /** Returns the item's own loiter radius, or the default if it has none. */
  private loiterRadiusOf(item: NavItem): number {
    const radiusM = Math.abs(item.loiterRadiusM);
    return radiusM > TINY ? radiusM : this.loiterRadiusM;
  }

  private isAtItem(): boolean {
    const { item } = this;
    const z = this.vehicle.posNed[2];
    const distanceM = this.distanceTo(item.posNed);
    switch (item.command) {
      case NAV_TAKEOFF: {
        // Check only the altitude. If the whole climb is within the acceptance radius, use half the height of the
        // climb as the radius, so that the vehicle must leave the ground.
        const height = this.homeNed[2] - item.posNed[2];
        const radius = height > 0 && height < this.altRadiusM ? height / 2 : this.altRadiusM;
        return -z > -item.posNed[2] - radius;
      }
      case NAV_LOITER_TO_ALT: {
        const current = this.triplet.current;
        const radius = this.radiusM + this.loiterRadiusOf(item);
        if (Math.abs(current.posNed[2] - item.posNed[2]) >= TINY) {
          if (distanceM <= radius && Math.abs(current.posNed[2] - z) <= this.altRadiusM) {
            current.posNed[2] = item.posNed[2];
            current.type = TYPE_LOITER;
          }
          return false;
        }
        return distanceM <= radius && Math.abs(item.posNed[2] - z) <= this.altRadiusM;
      }
      default: {
        const radius = item.radiusM > TINY ? item.radiusM : this.radiusM;
        return distanceM <= radius && Math.abs(item.posNed[2] - z) <= this.altRadiusM;
      }
    }
  }

  private isYawReached(): boolean {
    const yaw = this.item.yawRad;
    if (Number.isNaN(yaw) || this.yawTimeoutS >= TINY) return true;
    return Math.abs(wrapPi(yaw - this.vehicle.headingRad)) < this.yawToleranceRad;
  }
}
