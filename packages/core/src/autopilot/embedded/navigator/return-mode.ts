/**
 * Return mode: climbs, flies to home or a nearer rally point, and lands there.
 *
 * The first navigator tick only decides on destination and altitude, with an empty triplet; flying starts at the
 * second. Close to the destination, the vehicle climbs only into a cone above it; if it is already higher, it keeps its
 * altitude.
 */
import { tan } from "../../../math/index.ts";
import type { Clock } from "../../../time/index.ts";
import type { Saveable, SnapshotReader, SnapshotWriter } from "../../../snapshot/index.ts";
import type { GeoPosition } from "../../mission.ts";
import { NAV_LAND, NAV_LOITER_TIME, NAV_LOITER_TO_ALT, NAV_LOITER_UNLIM, NAV_WAYPOINT } from "../../mission.ts";
import type { LocalProjection } from "../../projection.ts";
import type { Parameters } from "../parameters.ts";
import { IDLE, type Leg } from "./leg.ts";
import { TYPE_LAND } from "./triplet.ts";

const DEG = 0.017453292519943295;
/** PX4's float32 epsilon. */
const TINY = 1.1920928955078125e-7;
/** Rally points closer to home than this count as home; others must be nearer than home by the margin (m). */
const RALLY_APART = 10;
const RALLY_MARGIN = 2;

const STATE_DONE = 0;
const STATE_DECIDED = 1;
const STATE_CLIMB = 2;
const STATE_MOVE = 3;
const STATE_DESCEND = 4;
const STATE_WAIT = 5;
const STATE_APPROACH = 6;
const STATE_LAND = 7;

// Memory cells
const STATE = 0;
const RETURN_D = 1;
const DEST = 2;
const CELLS = 5;

export class ReturnMode implements Saveable {
  private readonly leg: Leg;
  private readonly m = new Float64Array(CELLS);
  private readonly dest = this.m.subarray(DEST, DEST + 3);
  /** Rally points: north, east and height over home of each. */
  private readonly rally: Float64Array;
  private returnAltM = 30;
  private descendAltM = 10;
  private delayS = 0;
  private minDistM = 10;
  private coneDeg = 45;

  constructor(leg: Leg, rally: readonly GeoPosition[], projection: LocalProjection) {
    this.leg = leg;
    this.rally = new Float64Array(3 * rally.length);
    rally.forEach((point, i) => {
      const ned = this.rally.subarray(3 * i, 3 * i + 3);
      projection.toNedInto(ned, point);
      ned[2] = point.altM;
    });
  }

  configure(p: Parameters): void {
    this.returnAltM = p.get("RTL_RETURN_ALT");
    this.descendAltM = p.get("RTL_DESCEND_ALT");
    this.delayS = p.get("RTL_LAND_DELAY");
    this.minDistM = p.get("RTL_MIN_DIST");
    this.coneDeg = p.get("RTL_CONE_ANG");
  }

  activate(): void {
    this.chooseDestination();
    this.m[RETURN_D] = this.returnDown();
    this.m[STATE] = STATE_DECIDED;
  }

  active(clock: Clock): void {
    const { m, leg } = this;
    if (m[STATE] === STATE_DECIDED) {
      const below = leg.vehicle.posNed[2] > m[RETURN_D];
      m[STATE] = leg.land.landed ? STATE_DONE : below ? STATE_CLIMB : STATE_MOVE;
      leg.cruiseMps = -1;
      this.setItem(clock);
      return;
    }
    if (m[STATE] === STATE_DONE || !leg.isReached(clock)) return;
    m[STATE] = this.stateAfter(m[STATE]);
    this.setItem(clock);
  }

  save(writer: SnapshotWriter): void {
    writer.numbers(this.m);
  }

  load(reader: SnapshotReader): void {
    reader.numbersInto(this.m);
  }

  private stateAfter(state: number): number {
    switch (state) {
      case STATE_CLIMB:
        return STATE_MOVE;
      case STATE_MOVE:
        return Math.abs(this.delayS) > TINY ? STATE_DESCEND : STATE_LAND;
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
    const descendD = Math.max(dest[2] - this.descendAltM, m[RETURN_D]);
    item.radiusM = leg.radiusM;
    item.loiterRadiusM = leg.loiterRadiusM;
    item.holdS = 0;
    item.autoContinue = true;
    item.posNed.set(dest);
    item.yawRad = leg.homeYaw[0];
    switch (m[STATE]) {
      case STATE_CLIMB:
        item.command = NAV_LOITER_TO_ALT;
        item.posNed.set(leg.vehicle.posNed);
        item.posNed[2] = m[RETURN_D];
        item.yawRad = leg.vehicle.headingRad;
        break;
      case STATE_MOVE:
        item.command = NAV_WAYPOINT;
        item.posNed[2] = m[RETURN_D];
        if (!(leg.distanceTo(dest) < this.minDistM)) item.yawRad = NaN;
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
        item.command = this.delayS > -TINY ? NAV_LOITER_TIME : NAV_LOITER_UNLIM;
        item.posNed[2] = descendD;
        item.yawRad = NaN;
        item.holdS = Math.max(this.delayS, 0);
        item.autoContinue = this.delayS > -TINY;
        break;
      case STATE_APPROACH:
        item.command = NAV_WAYPOINT;
        item.posNed[2] = descendD;
        triplet.previous.valid = false;
        break;
      case STATE_LAND:
        item.command = NAV_LAND;
        break;
      default:
        item.command = IDLE;
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
      if (!(hn * hn + he * he > RALLY_APART * RALLY_APART)) continue;
      const distance = leg.distanceTo(rally.subarray(at, at + 2));
      if (!(distance + RALLY_MARGIN < nearest)) continue;
      nearest = distance;
      dest[0] = rally[at];
      dest[1] = rally[at + 1];
      dest[2] = home[2] - rally[at + 2];
    }
  }

  /** Return altitude as z in the local frame. */
  private returnDown(): number {
    const { leg, dest } = this;
    const now = leg.vehicle.posNed[2];
    const top = dest[2] - this.returnAltM;
    if (this.coneDeg === 0) return Math.min(now, top);
    const distance = leg.distanceTo(dest);
    let height = this.returnAltM;
    if (distance <= leg.radiusM) {
      height = 2 * distance;
    } else {
      if (distance <= this.minDistM) {
        const angle = Math.min(Math.max(this.coneDeg, 1), 89) * DEG;
        height = Math.min(distance / tan(angle), height);
      }
      height = Math.max(height, 2 * leg.radiusM);
    }
    // Never below the vehicle, even if it is above the highest return altitude.
    const down = dest[2] - height;
    return down > now ? now : Math.max(down, top);
  }
}
