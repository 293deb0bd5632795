/**
 * Hold, Land and Take-off: the modes with a single item.
 */
import type { Clock } from "../../../time/index.ts";
import { PartWithMemory } from "../../../snapshot/index.ts";
import { NAV_LAND, NAV_TAKEOFF } from "../../mission.ts";
import type { Parameters } from "../parameters.ts";
import { IDLE, type Leg } from "./leg.ts";
import type { Reposition } from "./reposition.ts";
import { TYPE_LOITER } from "./triplet.ts";

/**
 * Activates Hold: flies to the requested position; without one, brakes and stays at the stop point or continues a
 * loiter.
 */
export function activateHold(leg: Leg, clock: Clock, reposition: Reposition): void {
  if (!reposition.apply(clock)) holdHere(leg, clock);
  leg.cruise.speedMps = -1;
}

function holdHere(leg: Leg, clock: Clock): void {
  const { current } = leg.triplet;
  if (leg.land.landed) {
    leg.item.command = IDLE;
  } else {
    const loiters = current.valid && current.type === TYPE_LOITER;
    if (loiters && leg.distanceTo(current.posNed) <= leg.radiusM + current.loiterRadiusM) leg.loiterAtSetpoint();
    else leg.loiterAtStop();
  }
  leg.setTripletToItem(clock);
}

/** Activates Land, which lands at the stop point. */
export function activateLand(leg: Leg, clock: Clock): void {
  leg.startItem(NAV_LAND, true);
  leg.item.posNed.set(leg.homeNed);
  leg.stopPointInto(leg.item.posNed);
  leg.resetReached();
  leg.setTripletToItem(clock);
  leg.cruise.speedMps = -1;
}

/** Climbs by MIS_TAKEOFF_ALT from the current position, then loiters there. */
export class TakeoffMode extends PartWithMemory {
  private readonly leg: Leg;
  private readonly m = { isFinished: false, finishedUs: 0 };
  protected readonly memory = this.m;
  private heightM = 2.5;

  constructor(leg: Leg) {
    super();
    this.leg = leg;
  }

  configure(p: Parameters): void {
    this.heightM = p.get("MIS_TAKEOFF_ALT");
  }

  get finished(): boolean {
    return this.m.isFinished;
  }

  /** Time at which the take-off last finished. */
  get finishedUs(): number {
    return this.m.finishedUs;
  }

  activate(clock: Clock): void {
    const { leg } = this;
    leg.startItem(NAV_TAKEOFF, false);
    leg.item.posNed.set(leg.vehicle.posNed);
    leg.item.posNed[2] -= this.heightM;
    leg.resetReached();
    leg.setTripletToItem(clock);
    leg.cruise.speedMps = -1;
    this.m.isFinished = false;
  }

  update(clock: Clock): void {
    const { leg } = this;
    if (this.finished || !leg.isReached(clock)) return;
    this.m.isFinished = true;
    this.m.finishedUs = clock.us;
    if (leg.land.landed) leg.item.command = IDLE;
    else leg.loiterAtSetpoint();
    leg.itemToSetpoint(clock, leg.item, leg.triplet.current);
  }
}
