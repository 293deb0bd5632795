/**
 * Return mode: climbs, flies to home or a nearer rally point, and lands there.
 *
 * The first navigator tick only chooses the destination and the altitude, with an empty triplet; the return begins at
 * the second tick. Close to the destination, the vehicle climbs only into a cone above it; if the vehicle is already
 * higher, it keeps its altitude.
 */
import { tan } from "../../../math/index.ts";
import type { Clock } from "../../../time/index.ts";
import { PartWithMemory } from "../../../snapshot/index.ts";
import type { GeoPosition } from "../../mission.ts";
import { NAV_LAND, NAV_LOITER_TIME, NAV_LOITER_TO_ALT, NAV_LOITER_UNLIM, NAV_WAYPOINT } from "../../mission.ts";
import type { LocalProjection } from "../../projection.ts";
import { DEG, TINY } from "../constants.ts";
import type { Parameters } from "../parameters.ts";
import { IDLE, type Leg } from "./leg.ts";
import { TYPE_LAND } from "./triplet.ts";

/**
 * A rally point is used only if it is farther from home than the minimum distance, and nearer to the vehicle than home
 * by more than the margin (m).
 */
const MIN_RALLY_DISTANCE = 10;
const RALLY_MARGIN = 2;

const STATE_DONE = 0;
const STATE_DECIDED = 1;
const STATE_CLIMB = 2;
const STATE_MOVE = 3;
const STATE_DESCEND = 4;
const STATE_WAIT = 5;
const STATE_APPROACH = 6;
const STATE_LAND = 7;

const settingsOf = (p: Parameters) => ({
  returnAltM: p.get("RTL_RETURN_ALT"),
  descendAltM: p.get("RTL_DESCEND_ALT"),
  delayS: p.get("RTL_LAND_DELAY"),
  minDistM: p.get("RTL_MIN_DIST"),
  coneDeg: p.get("RTL_CONE_ANG"),
});

export class ReturnMode extends PartWithMemory {
  private readonly leg: Leg;
  private readonly m = { state: STATE_DONE, returnD: 0 };
  private readonly dest = new Float64Array(3);
  protected readonly memory = [this.m, this.dest];
  /** Rally points: north, east and height over home of each. */
  private readonly rally: Float64Array;
  private p!: ReturnType<typeof settingsOf>;

  constructor(leg: Leg, rally: readonly GeoPosition[], projection: LocalProjection) {
    super();
    this.leg = leg;
    this.rally = new Float64Array(3 * rally.length);
    rally.forEach((point, i) => {
      const ned = this.rally.subarray(3 * i, 3 * i + 3);
      projection.toNedInto(ned, point);
      ned[2] = point.altM;
    });
  }

  configure(parameters: Parameters): void {
    this.p = settingsOf(parameters);
  }

  activate(): void {
    this.chooseDestination();
    this.m.returnD = this.computeReturnD();
    this.m.state = STATE_DECIDED;
  }

  update(clock: Clock): void {
    const { m, leg } = this;
    if (m.state === STATE_DECIDED) {
      const below = leg.vehicle.posNed[2] > m.returnD;
      m.state = leg.land.landed ? STATE_DONE : below ? STATE_CLIMB : STATE_MOVE;
      leg.cruise.speedMps = -1;
      this.setItem(clock);
      return;
    }
    if (m.state === STATE_DONE || !leg.isReached(clock)) return;
    m.state = this.stateAfter(m.state);
    this.setItem(clock);
  }

  private stateAfter(state: number): number {
    switch (state) {
      case STATE_CLIMB:
        return STATE_MOVE;
      case STATE_MOVE:
        return Math.abs(this.p.delayS) > TINY ? STATE_DESCEND : STATE_LAND;
      case STATE_DESCEND:
        return STATE_WAIT;
      case STATE_WAIT:
        return STATE_APPROACH;
      case STATE_APPROACH:
        return STATE_LAND;
      default:
        return STATE_DONE;
    }
  }

  private setItem(clock: Clock): void {
    const { m, leg, dest } = this;
    const { item, triplet } = leg;
    const descendD = Math.max(dest[2] - this.p.descendAltM, m.returnD);
    leg.startItem(IDLE, true);
    item.posNed.set(dest);
    item.yawRad = leg.homeYaw[0];
    switch (m.state) {
      case STATE_CLIMB:
        item.command = NAV_LOITER_TO_ALT;
        item.posNed.set(leg.vehicle.posNed);
        item.posNed[2] = m.returnD;
        item.yawRad = leg.vehicle.headingRad;
        break;
      case STATE_MOVE:
        item.command = NAV_WAYPOINT;
        item.posNed[2] = m.returnD;
        if (!(leg.distanceTo(dest) < this.p.minDistM)) item.yawRad = NaN;
        break;
      case STATE_DESCEND:
        item.command = NAV_LOITER_TO_ALT;
        item.posNed[2] = descendD;
        triplet.next.valid = true;
        triplet.next.posNed.set(dest);
        triplet.next.type = TYPE_LAND;
        triplet.previous.valid = false;
        break;
      case STATE_WAIT:
        item.command = this.p.delayS > -TINY ? NAV_LOITER_TIME : NAV_LOITER_UNLIM;
        item.posNed[2] = descendD;
        item.yawRad = NaN;
        item.holdS = Math.max(this.p.delayS, 0);
        item.autoContinue = this.p.delayS > -TINY;
        break;
      case STATE_APPROACH:
        item.command = NAV_WAYPOINT;
        item.posNed[2] = descendD;
        triplet.previous.valid = false;
        break;
      case STATE_LAND:
        item.command = NAV_LAND;
        break;
    }
    leg.resetReached();
    leg.itemToSetpoint(clock, item, triplet.current);
  }

  private chooseDestination(): void {
    const { leg, dest, rally } = this;
    const home = leg.homeNed;
    dest.set(home);
    let nearest = leg.distanceTo(home);
    for (let at = 0; at < rally.length; at += 3) {
      const hn = rally[at] - home[0];
      const he = rally[at + 1] - home[1];
      if (!(hn * hn + he * he > MIN_RALLY_DISTANCE * MIN_RALLY_DISTANCE)) continue;
      const distance = leg.distanceTo(rally.subarray(at, at + 2));
      if (!(distance + RALLY_MARGIN < nearest)) continue;
      nearest = distance;
      dest[0] = rally[at];
      dest[1] = rally[at + 1];
      dest[2] = home[2] - rally[at + 2];
    }
  }

  /** Returns the return altitude as z in the local frame. */
  private computeReturnD(): number {
    const { leg, dest } = this;
    const now = leg.vehicle.posNed[2];
    const top = dest[2] - this.p.returnAltM;
    if (this.p.coneDeg === 0) return Math.min(now, top);
    const distance = leg.distanceTo(dest);
    let height = this.p.returnAltM;
    if (distance <= leg.radiusM) {
      height = 2 * distance;
    } else {
      if (distance <= this.p.minDistM) {
        const angle = Math.min(Math.max(this.p.coneDeg, 1), 89) * DEG;
        height = Math.min(distance / tan(angle), height);
      }
      height = Math.max(height, 2 * leg.radiusM);
    }
    // Never choose an altitude below the vehicle, even if the vehicle is above RTL_RETURN_ALT.
    const down = dest[2] - height;
    return down > now ? now : Math.max(down, top);
  }
}
