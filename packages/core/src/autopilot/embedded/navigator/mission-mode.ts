/**
 * Mission mode: flies the items one after another.
 *
 * An item may need preparation, such as a climb at the start or a flight to the landing position. Items without a
 * position act immediately and take one navigator tick, during which the setpoint does not change. The previous
 * waypoint of the triplet changes only when the current one does.
 */
import type { Clock } from "../../../time/index.ts";
import { PartWithMemory } from "../../../snapshot/index.ts";
import {
  DO_CHANGE_SPEED,
  NAV_LAND,
  NAV_LOITER_TO_ALT,
  NAV_RETURN_TO_LAUNCH,
  NAV_TAKEOFF,
  NAV_WAYPOINT,
} from "../../mission.ts";
import { TINY } from "../constants.ts";
import { IDLE, NavItem, type Leg } from "./leg.ts";
import type { Orders } from "./orders.ts";
import { NONE, type MissionPlan } from "./plan.ts";
import { copyInto, PositionSetpoint, TYPE_LOITER, TYPE_POSITION } from "./triplet.ts";

const WORK_NONE = 0;
const WORK_CLIMB = 1;
const WORK_MOVE_TO_LAND = 2;

export class MissionMode extends PartWithMemory {
  private readonly leg: Leg;
  private readonly plan: MissionPlan;
  private readonly orders: Orders;
  private readonly m = {
    current: 0,
    isFlying: false,
    work: WORK_NONE,
    isItemValid: false,
    climbD: NaN,
    wasActivated: false,
    wasDisarmed: false,
    isFinished: false,
    reached: NONE,
    finishedUs: 0,
  };
  protected readonly memory = this.m;
  private readonly before = new PositionSetpoint();
  private readonly next = new NavItem();

  constructor(leg: Leg, plan: MissionPlan, orders: Orders) {
    super();
    this.leg = leg;
    this.plan = plan;
    this.orders = orders;
    this.m.isItemValid = plan.count > 0;
  }

  get current(): number {
    return this.m.current;
  }

  get reached(): number {
    return this.m.reached;
  }

  get finished(): boolean {
    return this.m.isFinished;
  }

  /** Time at which the mission last finished. */
  get finishedUs(): number {
    return this.m.finishedUs;
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
    const atEnd = m.current + 1 === plan.count;
    if (m.wasDisarmed && m.wasActivated && plan.count > 0 && atEnd) {
      m.current = 0;
      m.isItemValid = true;
      plan.resetJumps();
      this.leg.cruise.speedMps = -1;
    }
    m.wasActivated = true;
    m.wasDisarmed = false;
    m.isFlying = m.isItemValid && this.feasible;
    m.work = WORK_NONE;
    m.reached = NONE;
    m.isFinished = false;
    this.planClimb();
    this.setItems(clock);
    this.leg.cruise.speedMps = -1;
  }

  update(clock: Clock): void {
    const { m, leg } = this;
    if (!m.isFlying || !leg.isReached(clock)) return;
    if (m.work !== WORK_CLIMB) {
      m.reached = m.current;
      leg.resetReached();
    }
    if (!leg.item.autoContinue) return;
    this.advance();
    this.setItems(clock);
  }

  deactivate(): void {
    this.m.work = WORK_NONE;
    this.m.isFlying = false;
    this.m.reached = NONE;
  }

  updateInactive(): void {
    if (!this.leg.armed) this.m.wasDisarmed = true;
  }

  /** Plans a climb before the flight to the first position, if it is above the vehicle by more than NAV_MC_ALT_RAD. */
  private planClimb(): void {
    const { m, plan, leg } = this;
    const first = plan.nextPosition(m.current);
    if (first === NONE) return;
    m.climbD = NaN;
    plan.positionInto(this.next.posNed, first);
    const above = leg.vehicle.posNed[2] - this.next.posNed[2];
    if (above > leg.altRadiusM) m.climbD = this.next.posNed[2];
  }

  private advance(): void {
    const { m, plan } = this;
    // Do not advance after a preparation, because the item that it prepares follows.
    if (m.work !== WORK_NONE) return;
    const index = m.current + 1 < plan.count ? plan.resolve(m.current + 1, true) : NONE;
    m.isItemValid = index !== NONE;
    if (index !== NONE) m.current = index;
    else if (m.current + 1 === plan.count) plan.resetJumps();
  }

  private setItems(clock: Clock): void {
    if (this.m.isItemValid && this.m.isFlying) this.setItem(clock);
    else this.end(clock);
  }

  private setItem(clock: Clock): void {
    const { m, leg, plan } = this;
    const { triplet, item } = leg;
    item.fromPlan(plan, m.current);
    const following = plan.nextPosition(m.current + 1);
    let hasNext = following !== NONE;
    if (hasNext) this.next.fromPlan(plan, following);
    copyInto(this.before, triplet.current);

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
    if (m.work !== WORK_MOVE_TO_LAND && !triplet.current.equals(this.before)) copyInto(triplet.previous, this.before);
    this.executeAction();
    m.work = work;
    leg.resetReached();
    m.isFinished = false;
  }

  /**
   * Replaces the item by a planned climb, and returns whether it did. A take-off that needs no climb becomes a
   * waypoint.
   */
  private startClimb(): boolean {
    const { m, leg } = this;
    const item = leg.item;
    if (!Number.isNaN(m.climbD) && m.work === WORK_NONE) {
      copyInto(this.next, item);
      this.next.command = NAV_WAYPOINT;
      item.command = leg.land.landed ? NAV_TAKEOFF : NAV_LOITER_TO_ALT;
      item.posNed.set(leg.vehicle.posNed);
      item.posNed[2] = m.climbD;
      item.yawRad = NaN;
      item.autoContinue = true;
      item.holdS = 0;
      m.climbD = NaN;
      return true;
    }
    if (item.command === NAV_TAKEOFF) {
      item.command = NAV_WAYPOINT;
      item.yawRad = NaN;
    }
    return false;
  }

  /**
   * Replaces a landing by a flight to its position at the current altitude if that is needed, and returns whether it
   * did.
   */
  private startMoveToLand(): boolean {
    const { m, leg } = this;
    const item = leg.item;
    if (item.command !== NAV_LAND) return false;
    item.yawRad = NaN;
    if (leg.land.landed || m.work !== WORK_NONE || !(leg.distanceTo(item.posNed) > leg.radiusM)) return false;
    const current = leg.triplet.current;
    copyInto(this.next, item);
    const holds = current.valid && current.type === TYPE_POSITION;
    item.posNed[2] = holds ? current.posNed[2] : leg.vehicle.posNed[2];
    item.command = NAV_WAYPOINT;
    item.autoContinue = true;
    item.holdS = 0;
    item.radiusM = leg.radiusM;
    leg.triplet.previous.valid = false;
    return true;
  }

  /** Executes an item without a position, such as a change of speed. */
  private executeAction(): void {
    const { plan, m } = this;
    const i = m.current;
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
    const { current } = leg.triplet;
    if (leg.land.landed) leg.item.command = IDLE;
    else if (current.valid && (current.type === TYPE_LOITER || current.type === TYPE_POSITION)) leg.loiterAtSetpoint();
    else leg.loiterHere();
    leg.setTripletToItem(clock);
    m.isFinished = true;
    m.finishedUs = clock.us;
    m.isFlying = false;
  }
}
