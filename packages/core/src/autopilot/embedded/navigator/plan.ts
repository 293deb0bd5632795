/**
 * A mission prepared for flight: items in flat arrays, positions in the local frame, and counters for jumps.
 *
 * Altitudes relative to home remain relative until they are used, because home is known only when the vehicle arms.
 */
import { PartWithMemory } from "../../../snapshot/index.ts";
import { autopilotErrors } from "../../errors.ts";
import { checkMission } from "../../mission-check.ts";
import * as commands from "../../mission.ts";
import { missionCommand, type Mission, type MissionItem } from "../../mission.ts";
import type { LocalProjection } from "../../projection.ts";
import { DEG } from "../constants.ts";
import { wrapPi } from "../heading.ts";

/** A chain of more jumps than this is taken for an endless loop. */
const MAX_JUMPS = 10;

export const NONE = -1;

export class MissionPlan extends PartWithMemory {
  readonly count: number;
  readonly command: Int32Array;
  readonly hasPosition: Uint8Array;
  readonly autoContinue: Uint8Array;
  private readonly relative: Uint8Array;
  /** Three numbers per item: north, east, and either height above home or z in the local frame. */
  private readonly positions: Float64Array;
  readonly yawRad: Float64Array;
  readonly radiusM: Float64Array;
  readonly holdS: Float64Array;
  readonly loiterRadiusM: Float64Array;
  readonly p1: Float64Array;
  readonly p2: Float64Array;
  private readonly jumpsDone: Float64Array;
  protected readonly memory;
  private readonly homeNed: Float64Array;

  constructor(mission: Mission | undefined, projection: LocalProjection, homeNed: Float64Array) {
    super();
    const items = mission?.items ?? [];
    this.homeNed = homeNed;
    if (mission !== undefined) requireFlyable(mission);
    const n = items.length;
    this.count = n;
    this.command = Int32Array.from(items, (item) => item.command);
    this.hasPosition = Uint8Array.from(items, (item) => (missionCommand(item.command)?.position === true ? 1 : 0));
    this.autoContinue = Uint8Array.from(items, (item) => (item.autoContinue ? 1 : 0));
    this.relative = Uint8Array.from(items, (item) => (item.frame === "relative" ? 1 : 0));
    this.positions = new Float64Array(3 * n);
    items.forEach((item, i) => this.storePosition(item, i, projection));
    this.yawRad = Float64Array.from(items, yawOf);
    this.radiusM = Float64Array.from(items, radiusOf);
    this.holdS = Float64Array.from(items, holdOf);
    this.loiterRadiusM = Float64Array.from(items, loiterRadiusOf);
    this.p1 = Float64Array.from(items, (item) => item.p1);
    this.p2 = Float64Array.from(items, (item) => item.p2);
    this.memory = this.jumpsDone = new Float64Array(n);
  }

  /** Writes the position of item i in the local frame. */
  positionInto(ned: Float64Array, i: number): void {
    ned[0] = this.positions[3 * i];
    ned[1] = this.positions[3 * i + 1];
    ned[2] = this.relative[i] === 1 ? this.homeNed[2] - this.positions[3 * i + 2] : this.positions[3 * i + 2];
  }

  /**
   * Returns the first item at or after `index` that is not a jump, following jumps that have repetitions left; NONE
   * past the end. With `countJumps`, each of these jumps uses up one of its repetitions.
   */
  resolve(index: number, countJumps: boolean): number {
    let i = index;
    for (let jumps = 0; jumps <= MAX_JUMPS; jumps += 1) {
      if (i < 0 || i >= this.count) return NONE;
      if (this.command[i] !== commands.DO_JUMP) return i;
      if (this.jumpsDone[i] < this.p2[i]) {
        if (countJumps) this.jumpsDone[i] += 1;
        i = this.p1[i];
      } else {
        i += 1;
      }
    }
    return NONE;
  }

  /** Returns the next item at or after `index` that has a position to fly to; NONE if there is none. */
  nextPosition(index: number): number {
    let i = index;
    for (let tries = 0; tries <= this.count; tries += 1) {
      i = this.resolve(i, false);
      if (i === NONE || this.hasPosition[i] === 1) return i;
      i += 1;
    }
    return NONE;
  }

  resetJumps(): void {
    this.jumpsDone.fill(0);
  }

  private storePosition(item: MissionItem, i: number, projection: LocalProjection): void {
    if (this.hasPosition[i] === 0) return;
    const ned = this.positions.subarray(3 * i, 3 * i + 3);
    projection.toNedInto(ned, item);
    if (item.frame === "relative") ned[2] = item.altM;
  }
}

/** Throws if the mission has errors. The reader of the mission file has already reported the warnings. */
function requireFlyable(mission: Mission): void {
  const fatal = checkMission(mission).filter((diagnostic) => diagnostic.fatal);
  if (fatal.length > 0) {
    throw autopilotErrors.badMission({
      what: fatal.map((diagnostic) => diagnostic.what).join("; "),
      where: { key: `mission.items[${fatal[0]!.place.index}]` },
      fix: fatal[0]!.fix,
    });
  }
  const hasPosition = (item: MissionItem) => missionCommand(item.command)?.position === true;
  const firstPosition = mission.items.findIndex(hasPosition);
  const lateTakeoff = mission.items.findIndex((item, i) => item.command === commands.NAV_TAKEOFF && i > firstPosition);
  if (lateTakeoff >= 0) {
    throw autopilotErrors.badMission({
      what: `item ${lateTakeoff} takes off after item ${firstPosition} has already been flown to`,
      where: { key: `mission.items[${lateTakeoff}]` },
      fix: "put the take-off before every waypoint",
    });
  }
}

/** Returns the yaw of an item. A landing has none, because PX4 ignores the value in its item. */
function yawOf(item: MissionItem): number {
  switch (item.command) {
    case commands.NAV_WAYPOINT:
    case commands.NAV_LOITER_UNLIM:
    case commands.NAV_LOITER_TIME:
    case commands.NAV_TAKEOFF:
      return wrapPi(item.p4 * DEG);
    default:
      return NaN;
  }
}

/**
 * Returns the acceptance radius of an item. MAVLink defines none for take-off items, but PX4's lockstep library reads
 * their p2 as an acceptance radius, and so does this autopilot.
 */
function radiusOf(item: MissionItem): number {
  return item.command === commands.NAV_WAYPOINT || item.command === commands.NAV_TAKEOFF ? item.p2 : 0;
}

function holdOf(item: MissionItem): number {
  switch (item.command) {
    case commands.NAV_WAYPOINT:
    case commands.NAV_LOITER_TIME:
    case commands.NAV_DELAY:
      return item.p1 > 0 ? item.p1 : 0;
    default:
      return 0;
  }
}

function loiterRadiusOf(item: MissionItem): number {
  switch (item.command) {
    case commands.NAV_LOITER_UNLIM:
    case commands.NAV_LOITER_TIME:
      return item.p3;
    case commands.NAV_LOITER_TO_ALT:
      return item.p2;
    default:
      return 0;
  }
}
