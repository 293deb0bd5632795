/**
 * Selects the leg. Normally it leads from the triplet's previous to its current waypoint. If the vehicle has passed the
 * target, the leg leads straight to the target. If the previous waypoint is still ahead, it leads to that waypoint. If
 * the vehicle is far off the track, it leads back to the track.
 *
 * A new triplet takes effect only when its target moves or its validity changes.
 */
import { PartWithMemory } from "../../../snapshot/index.ts";
import { TYPE_LAND, TYPE_LOITER, type Triplet } from "../navigator/triplet.ts";
import type { Vehicle } from "../vehicle.ts";
import type { Path } from "./path.ts";

/** A target that moved by less than this is treated as unchanged (m). */
const MIN_TARGET_MOVE = 0.001;
/** Legs shorter than this have no direction (m). */
const NO_DIRECTION = 1e-5;

/** Position of the vehicle relative to the leg. */
const ON_LEG = 0;
const TARGET_BEHIND = 1;
const PREVIOUS_AHEAD = 2;
const OFF_TRACK = 3;

class LegMemory {
  state = ON_LEG;
  hadPrevious = false;
  hadNext = false;
  radiusM = 0;
}

export class LegTracker extends PartWithMemory {
  private readonly vehicle: Vehicle;
  private readonly path: Path;
  private readonly positions = new Float64Array(12);
  private readonly prev = this.positions.subarray(0, 3);
  private readonly target = this.positions.subarray(3, 6);
  private readonly next = this.positions.subarray(6, 9);
  private readonly closest = this.positions.subarray(9, 12);
  private readonly m = new LegMemory();
  protected readonly memory = [this.positions, this.m];

  constructor(vehicle: Vehicle, path: Path) {
    super();
    this.vehicle = vehicle;
    this.path = path;
  }

  /** Acceptance radius of the target. */
  get radiusM(): number {
    return this.m.radiusM;
  }

  reset(): void {
    this.positions.fill(0);
    Object.assign(this.m, new LegMemory());
  }

  /** Makes the vehicle hold its position while there is no valid triplet. */
  stayHere(radiusM: number): void {
    this.prev.set(this.vehicle.posNed);
    this.target.set(this.vehicle.posNed);
    this.next.set(this.vehicle.posNed);
    this.m.radiusM = radiusM;
    this.chooseLeg();
  }

  follow(triplet: Triplet): void {
    const m = this.m;
    const { previous, current, next } = triplet;
    const changed = this.hasMoved(current.posNed) || m.hadPrevious !== previous.valid || m.hadNext !== next.valid;
    if (changed) {
      this.target.set(current.posNed);
      this.prev.set(previous.valid ? previous.posNed : current.posNed);
      this.next.set(current.type !== TYPE_LOITER && next.valid ? next.posNed : current.posNed);
      m.radiusM = current.radiusM;
      m.hadPrevious = previous.valid;
      m.hadNext = next.valid;
    }
    const before = m.state;
    m.state = this.stateOnLeg(current.type === TYPE_LAND);
    if (changed || m.state !== before || m.state === OFF_TRACK) this.chooseLeg();
  }

  private hasMoved(posNed: Float64Array): boolean {
    for (let i = 0; i < 3; i += 1) if (!(Math.abs(this.target[i] - posNed[i]) < MIN_TARGET_MOVE)) return true;
    return false;
  }

  private stateOnLeg(landing: boolean): number {
    const p = this.vehicle.posNed;
    const { prev: a, target: b, closest: c } = this;
    let un = b[0] - a[0];
    let ue = b[1] - a[1];
    let ud = b[2] - a[2];
    const length = Math.sqrt(un * un + ue * ue + ud * ud);
    if (!(length > NO_DIRECTION)) {
      c.set(a);
      return ON_LEG;
    }
    un /= length;
    ue /= length;
    ud /= length;
    const pn = p[0] - a[0];
    const pe = p[1] - a[1];
    const pd = p[2] - a[2];
    const along = pn * un + pe * ue + pd * ud;
    c[0] = a[0] + un * along;
    c[1] = a[1] + ue * along;
    c[2] = a[2] + ud * along;
    if ((b[0] - p[0]) * un + (b[1] - p[1]) * ue + (b[2] - p[2]) * ud < 0) return TARGET_BEHIND;
    const radius2 = this.m.radiusM * this.m.radiusM;
    if (along < 0 && pn * pn + pe * pe + pd * pd > radius2) return PREVIOUS_AHEAD;
    if (landing) return ON_LEG;
    const n = p[0] - c[0];
    const e = p[1] - c[1];
    const d = p[2] - c[2];
    return n * n + e * e + d * d > radius2 ? OFF_TRACK : ON_LEG;
  }

  private chooseLeg(): void {
    const { path, vehicle } = this;
    switch (this.m.state) {
      case TARGET_BEHIND:
        path.target.set(this.target);
        path.prev.set(vehicle.posNed);
        path.next.set(this.next);
        return;
      case PREVIOUS_AHEAD:
        path.next.set(this.target);
        path.target.set(this.prev);
        path.prev.set(vehicle.posNed);
        return;
      case OFF_TRACK:
        path.next.set(this.target);
        path.target.set(this.closest);
        path.prev.set(vehicle.posNed);
        return;
      default:
        path.target.set(this.target);
        path.prev.set(this.prev);
        path.next.set(this.next);
    }
  }
}
