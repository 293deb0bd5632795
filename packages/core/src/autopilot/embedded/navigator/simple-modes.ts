/**
 * Hold, Land and Take-off: the modes with a single item.
 */
import type { Clock } from "../../../time/index.ts";
import type { Saveable, SnapshotReader, SnapshotWriter } from "../../../snapshot/index.ts";
import { NAV_LAND, NAV_TAKEOFF } from "../../mission.ts";
import type { Parameters } from "../parameters.ts";
import { IDLE, type Leg } from "./leg.ts";
import { TYPE_LOITER } from "./triplet.ts";

/** Brakes and stays at the stop point; an established loiter continues. */
export class HoldMode {
  private readonly leg: Leg;

  constructor(leg: Leg) {
    this.leg = leg;
  }

  activate(clock: Clock): void {
    const { leg } = this;
    const { triplet, item } = leg;
    const current = triplet.current;
    if (leg.land.landed) {
      item.command = IDLE;
    } else {
      const loiters = current.valid && current.type === TYPE_LOITER;
      if (loiters && leg.distanceTo(current.posNed) <= leg.radiusM + current.loiterRadiusM) leg.loiterAtSetpoint();
      else leg.loiterAtStop();
    }
    triplet.previous.valid = false;
    leg.itemToSetpoint(clock, item, current);
    triplet.next.valid = false;
    leg.cruiseMps = -1;
  }
}

/** Lands at the stop point. */
export class LandMode {
  private readonly leg: Leg;

  constructor(leg: Leg) {
    this.leg = leg;
  }

  activate(clock: Clock): void {
    const { leg } = this;
    const { triplet, item } = leg;
    item.command = NAV_LAND;
    item.posNed.set(leg.homeNed);
    leg.stopPointInto(item.posNed);
    item.yawRad = NaN;
    item.radiusM = leg.radiusM;
    item.loiterRadiusM = leg.loiterRadiusM;
    item.holdS = 0;
    item.autoContinue = true;
    leg.resetReached();
    leg.itemToSetpoint(clock, item, triplet.current);
    triplet.previous.valid = false;
    triplet.next.valid = false;
    leg.cruiseMps = -1;
  }
}

/** Climbs by MIS_TAKEOFF_ALT above its position, then loiters there. */
export class TakeoffMode implements Saveable {
  private readonly leg: Leg;
  /** Whether it has finished, and when. */
  private readonly m = new Float64Array(2);
  private heightM = 2.5;

  constructor(leg: Leg) {
    this.leg = leg;
  }

  configure(p: Parameters): void {
    this.heightM = p.get("MIS_TAKEOFF_ALT");
  }

  get finished(): boolean {
    return this.m[0] === 1;
  }

  /** Time at which the take-off last finished. */
  get finishedUs(): number {
    return this.m[1];
  }

  activate(clock: Clock): void {
    const { leg } = this;
    const { triplet, item } = leg;
    item.command = NAV_TAKEOFF;
    item.posNed.set(leg.vehicle.posNed);
    item.posNed[2] -= this.heightM;
    item.yawRad = NaN;
    item.radiusM = leg.radiusM;
    item.loiterRadiusM = leg.loiterRadiusM;
    item.holdS = 0;
    item.autoContinue = false;
    leg.resetReached();
    leg.itemToSetpoint(clock, item, triplet.current);
    triplet.previous.valid = false;
    triplet.next.valid = false;
    leg.cruiseMps = -1;
    this.m[0] = 0;
  }

  active(clock: Clock): void {
    const { leg } = this;
    if (this.finished || !leg.isReached(clock)) return;
    this.m[0] = 1;
    this.m[1] = clock.us;
    if (leg.land.landed) leg.item.command = IDLE;
    else leg.loiterAtSetpoint();
    leg.itemToSetpoint(clock, leg.item, leg.triplet.current);
  }

  save(writer: SnapshotWriter): void {
    writer.numbers(this.m);
  }

  load(reader: SnapshotReader): void {
    reader.numbersInto(this.m);
  }
}
