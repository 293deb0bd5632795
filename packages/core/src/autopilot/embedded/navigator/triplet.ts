/**
 * The setpoint triplet: previous, current and next waypoint, which the navigator passes to the trajectory generator.
 * Positions are in the local frame; if yaw is NaN, the heading mode decides.
 */
import type { Saveable, SnapshotReader, SnapshotWriter } from "../../../snapshot/index.ts";
import { loadMemory, saveMemory } from "../memory.ts";

export const TYPE_POSITION = 0;
export const TYPE_LOITER = 2;
export const TYPE_TAKEOFF = 3;
export const TYPE_LAND = 4;
export const TYPE_IDLE = 5;

/** Differences below this count as zero: PX4's float32 epsilon. */
const SAME = 1.1920928955078125e-7;

const VALID = 0;
const TYPE = 1;
const POS = 2;
const YAW = 5;
const RADIUS = 6;
const CRUISE = 7;
const STAMP = 8;
const LOITER_RADIUS = 9;
const SIZE = 10;

export class PositionSetpoint implements Saveable {
  private readonly m = new Float64Array(SIZE);
  readonly posNed = this.m.subarray(POS, POS + 3);

  get valid(): boolean {
    return this.m[VALID] === 1;
  }

  set valid(valid: boolean) {
    this.m[VALID] = valid ? 1 : 0;
  }

  get type(): number {
    return this.m[TYPE];
  }

  set type(type: number) {
    this.m[TYPE] = type;
  }

  get yawRad(): number {
    return this.m[YAW];
  }

  set yawRad(yawRad: number) {
    this.m[YAW] = yawRad;
  }

  get radiusM(): number {
    return this.m[RADIUS];
  }

  set radiusM(radiusM: number) {
    this.m[RADIUS] = radiusM;
  }

  /** Distance at which the vehicle counts as on the loiter, in addition to the acceptance radius. */
  get loiterRadiusM(): number {
    return this.m[LOITER_RADIUS];
  }

  set loiterRadiusM(loiterRadiusM: number) {
    this.m[LOITER_RADIUS] = loiterRadiusM;
  }

  /** −1 for the default cruise speed. */
  get cruiseMps(): number {
    return this.m[CRUISE];
  }

  set cruiseMps(cruiseMps: number) {
    this.m[CRUISE] = cruiseMps;
  }

  get stampUs(): number {
    return this.m[STAMP];
  }

  set stampUs(stampUs: number) {
    this.m[STAMP] = stampUs;
  }

  copy(from: PositionSetpoint): void {
    this.m.set(from.m);
  }

  /** Makes the setpoint invalid, without a position. */
  reset(radiusM: number, cruiseMps: number, nowUs: number): void {
    const m = this.m;
    m[VALID] = 0;
    m[TYPE] = TYPE_IDLE;
    m[POS] = m[POS + 1] = NaN;
    m[POS + 2] = 0;
    m[YAW] = NaN;
    m[RADIUS] = radiusM;
    m[CRUISE] = cruiseMps;
    m[STAMP] = nowUs;
  }

  equals(other: PositionSetpoint): boolean {
    const a = this.m;
    const b = other.m;
    if (a[VALID] !== b[VALID] || a[TYPE] !== b[TYPE]) return false;
    for (let i = POS; i < POS + 3; i += 1) if (!(Math.abs(a[i] - b[i]) < SAME)) return false;
    const yawSame = Math.abs(a[YAW] - b[YAW]) < SAME || (Number.isNaN(a[YAW]) && Number.isNaN(b[YAW]));
    return yawSame && Math.abs(a[RADIUS] - b[RADIUS]) < SAME && Math.abs(a[CRUISE] - b[CRUISE]) < SAME;
  }

  save(writer: SnapshotWriter): void {
    saveMemory(writer, this.m);
  }

  load(reader: SnapshotReader): void {
    loadMemory(reader, this.m);
  }
}

export class Triplet implements Saveable {
  readonly previous = new PositionSetpoint();
  readonly current = new PositionSetpoint();
  readonly next = new PositionSetpoint();

  reset(radiusM: number, cruiseMps: number, nowUs: number): void {
    this.previous.reset(radiusM, cruiseMps, nowUs);
    this.current.reset(radiusM, cruiseMps, nowUs);
    this.next.reset(radiusM, cruiseMps, nowUs);
  }

  save(writer: SnapshotWriter): void {
    this.previous.save(writer);
    this.current.save(writer);
    this.next.save(writer);
  }

  load(reader: SnapshotReader): void {
    this.previous.load(reader);
    this.current.load(reader);
    this.next.load(reader);
  }
}
