/**
 * Mission mode: flies the items one after another.
 *
 * An item may need preparation, such as a climb at the start or a flight to the landing position. Items without a
 * position act immediately and take one navigator tick, during which the setpoint does not change. The previous
 * waypoint of the triplet changes only when the current one does.
 */
import type { Clock } from "../../../time/index.ts";
import type { Saveable, SnapshotReader, SnapshotWriter } from "../../../snapshot/index.ts";
import {
  DO_CHANGE_SPEED,
  NAV_LAND,
  NAV_LOITER_TO_ALT,
  NAV_RETURN_TO_LAUNCH,
  NAV_TAKEOFF,
  NAV_WAYPOINT,
} from "../../mission.ts";
import { loadMemory, saveMemory } from "../memory.ts";
import { IDLE, NavItem, type Leg } from "./leg.ts";
import type { Orders } from "./orders.ts";
import { NONE, type MissionPlan } from "./plan.ts";
import { PositionSetpoint, TYPE_LOITER, TYPE_POSITION } from "./triplet.ts";

/** PX4's float32 epsilon. */
const TINY = 1.1920928955078125e-7;

const WORK_NONE = 0;
const WORK_CLIMB = 1;
const WORK_MOVE_TO_LAND = 2;

// Memory cells
const CURRENT = 0;
const FLYING = 1;
const WORK = 2;
const ITEM_VALID = 3;
const CLIMB_D = 4;
const ACTIVATED = 5;
const DISARMED_MEANWHILE = 6;
const FINISHED = 7;
const REACHED = 8;
const FINISHED_US = 9;
const CELLS = 10;

export class MissionMode implements Saveable {
  private readonly leg: Leg;
  private readonly plan: MissionPlan;
  private readonly orders: Orders;
  private readonly m = new Float64Array(CELLS);
  private readonly before = new PositionSetpoint();
  private readonly next = new NavItem();

  constructor(leg: Leg, plan: MissionPlan, orders: Orders) {
    this.leg = leg;
    this.plan = plan;
    this.orders = orders;
    this.m[ITEM_VALID] = plan.count > 0 ? 1 : 0;
    this.m[CLIMB_D] = NaN;
    this.m[REACHED] = NONE;
  }

  get current(): number {
    return this.m[CURRENT];
  }

  get reached(): number {
    return this.m[REACHED];
  }

  get finished(): boolean {
    return this.m[FINISHED] === 1;
  }

  /** Time at which the mission last finished. */
  get finishedUs(): number {
    return this.m[FINISHED_US];
  }

  /**
   * Whether the mission can be flown from here: a take-off must lead upwards, and a vehicle on the ground cannot start
   * with a landing.
   */
  get feasible(): boolean {
    const { plan, leg } = this;
    if (plan.count === 0) return false;
    if (plan.command[0] === NAV_LAND && leg.land.landed) return false;
    for (let i = 0; i < plan.count; i += 1) {
      if (plan.command[i] !== NAV_TAKEOFF) continue;
      plan.positionInto(this.next.posNed, i);
      return leg.homeNed[2] - this.next.posNed[2] > TINY;
    }
    return true;
  }

  activate(clock: Clock): void {
    const { m, plan } = this;
    const atEnd = m[CURRENT] + 1 === plan.count;
    if (m[DISARMED_MEANWHILE] === 1 && m[ACTIVATED] === 1 && plan.count > 0 && atEnd) {
      m[CURRENT] = 0;
      m[ITEM_VALID] = 1;
      plan.forgetJumps();
      this.leg.cruiseMps = -1;
    }
    m[ACTIVATED] = 1;
    m[DISARMED_MEANWHILE] = 0;
    m[FLYING] = m[ITEM_VALID] === 1 && this.feasible ? 1 : 0;
    m[WORK] = WORK_NONE;
    m[REACHED] = NONE;
    m[FINISHED] = 0;
    this.findClimb();
    this.setItems(clock);
    this.leg.cruiseMps = -1;
  }

  active(clock: Clock): void {
    const { m, leg } = this;
    if (m[FLYING] === 0 || !leg.isReached(clock)) return;
    if (m[WORK] !== WORK_CLIMB) {
      m[REACHED] = m[CURRENT];
      leg.resetReached();
    }
    if (!leg.item.autoContinue) return;
    this.advance();
    this.setItems(clock);
  }

  deactivate(): void {
    this.m[WORK] = WORK_NONE;
    this.m[FLYING] = 0;
    this.m[REACHED] = NONE;
  }

  inactive(): void {
    if (!this.leg.armed) this.m[DISARMED_MEANWHILE] = 1;
  }

  save(writer: SnapshotWriter): void {
    saveMemory(writer, this.m);
  }

  load(reader: SnapshotReader): void {
    loadMemory(reader, this.m);
  }

  /** If the first position is well above the vehicle, it climbs before it flies there. */
  private findClimb(): void {
    const { m, plan, leg } = this;
    const first = plan.nextPosition(m[CURRENT]);
    if (first === NONE) return;
    m[CLIMB_D] = NaN;
    plan.positionInto(this.next.posNed, first);
    const above = leg.vehicle.posNed[2] - this.next.posNed[2];
    if (above > leg.altRadiusM) m[CLIMB_D] = this.next.posNed[2];
  }

  private advance(): void {
    const { m, plan } = this;
    // Do not advance after a preparation: its item follows.
    if (m[WORK] !== WORK_NONE) return;
    const index = m[CURRENT] + 1 < plan.count ? plan.resolve(m[CURRENT] + 1, true) : NONE;
    m[ITEM_VALID] = index === NONE ? 0 : 1;
    if (index !== NONE) m[CURRENT] = index;
    else if (m[CURRENT] + 1 === plan.count) plan.forgetJumps();
  }

  private setItems(clock: Clock): void {
    if (this.m[ITEM_VALID] === 1 && this.m[FLYING] === 1) this.setItem(clock);
    else this.end(clock);
  }

  private setItem(clock: Clock): void {
    const { m, leg, plan } = this;
    const { triplet, item } = leg;
    item.fromPlan(plan, m[CURRENT]);
    const following = plan.nextPosition(m[CURRENT] + 1);
    let hasNext = following !== NONE;
    if (hasNext) this.next.fromPlan(plan, following);
    this.before.copy(triplet.current);

    let work = WORK_NONE;
    if (item.hasPosition) {
      if (this.startClimb()) {
        work = WORK_CLIMB;
        hasNext = true;
      } else if (this.startMoveToLand()) {
        work = WORK_MOVE_TO_LAND;
        hasNext = true;
      }
      leg.itemToSetpoint(clock, item, triplet.current);
      // A vehicle that stops at the waypoint gets no next waypoint, so that it brakes.
      if (item.autoContinue && !(item.stayS > TINY) && hasNext) leg.itemToSetpoint(clock, this.next, triplet.next);
      else triplet.next.valid = false;
    }
    if (m[WORK] !== WORK_MOVE_TO_LAND && !triplet.current.equals(this.before)) triplet.previous.copy(this.before);
    this.act();
    m[WORK] = work;
    leg.resetReached();
    m[FINISHED] = 0;
  }

  /** Whether the vehicle must climb first. A take-off that needs no climb becomes a waypoint. */
  private startClimb(): boolean {
    const { m, leg } = this;
    const item = leg.item;
    if (!Number.isNaN(m[CLIMB_D]) && m[WORK] === WORK_NONE) {
      this.next.copy(item);
      this.next.command = NAV_WAYPOINT;
      item.command = leg.land.landed ? NAV_TAKEOFF : NAV_LOITER_TO_ALT;
      item.posNed.set(leg.vehicle.posNed);
      item.posNed[2] = m[CLIMB_D];
      item.yawRad = NaN;
      item.autoContinue = true;
      item.holdS = 0;
      m[CLIMB_D] = NaN;
      return true;
    }
    if (item.command === NAV_TAKEOFF) {
      item.command = NAV_WAYPOINT;
      item.yawRad = NaN;
    }
    return false;
  }

  /** Whether the vehicle must fly to the landing position first, at its current altitude. */
  private startMoveToLand(): boolean {
    const { m, leg } = this;
    const item = leg.item;
    if (item.command !== NAV_LAND) return false;
    item.yawRad = NaN;
    if (leg.land.landed || m[WORK] !== WORK_NONE || !(leg.distanceTo(item.posNed) > leg.radiusM)) return false;
    const current = leg.triplet.current;
    this.next.copy(item);
    const holds = current.valid && current.type === TYPE_POSITION;
    item.posNed[2] = holds ? current.posNed[2] : leg.vehicle.posNed[2];
    item.command = NAV_WAYPOINT;
    item.autoContinue = true;
    item.holdS = 0;
    item.radiusM = leg.radiusM;
    leg.triplet.previous.valid = false;
    return true;
  }

  /** Executes items that are orders rather than positions. */
  private act(): void {
    const { plan, m } = this;
    const i = m[CURRENT];
    switch (this.leg.item.command) {
      case DO_CHANGE_SPEED:
        this.orders.changeSpeed(plan.p1[i], plan.p2[i]);
        break;
      case NAV_RETURN_TO_LAUNCH:
        this.orders.returnWanted = true;
        break;
    }
  }

  private end(clock: Clock): void {
    const { leg, m } = this;
    const { triplet, item } = leg;
    const current = triplet.current;
    if (leg.land.landed) item.command = IDLE;
    else if (current.valid && (current.type === TYPE_LOITER || current.type === TYPE_POSITION)) leg.loiterAtSetpoint();
    else leg.loiterHere();
    triplet.previous.valid = false;
    leg.itemToSetpoint(clock, item, current);
    triplet.next.valid = false;
    m[FINISHED] = 1;
    m[FINISHED_US] = clock.us;
    m[FLYING] = 0;
  }
}
