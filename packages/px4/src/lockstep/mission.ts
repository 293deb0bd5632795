/**
 * Loads missions into the library.
 *
 * The library loads missions only from a text file in QGC's WPL format. Its reader supports few commands, cannot read
 * NaN and loses hold times. So we first load a file of plain waypoints, and then replace each stored item by the exact
 * item, as a MAVLink upload would store it. The plain waypoints serve to verify the layout of a stored item. If the
 * library gives no access to its store, the mission is converted to plain items, or a typed error is thrown.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { missionCommand } from "@escapement/core";
import * as math from "@escapement/core/math";
import type { Mission, MissionItem } from "@escapement/core";
import type { LockstepAbi } from "./abi.ts";
import { lockstepErrors } from "./errors.ts";
import type { LockstepRuntime } from "./runtime.ts";

/**
 * `exact`: items as a MAVLink upload stores them. `reader`: items as the library's own reader stores them, to reproduce
 * the reference flights.
 */
export type MissionRoute = "exact" | "reader";

const WAYPOINT = 16;
const LOITER_UNLIM = 17;
const LOITER_TIME = 19;
const RETURN = 20;
const LAND = 21;
const TAKEOFF = 22;
const LOITER_TO_ALT = 31;
const DO_JUMP = 177;
const FRAME_AMSL = 0;
const FRAME_RELATIVE = 3;
const FRAME_MISSION = 2;

/**
 * PX4's stored mission item: two doubles, seven floats, four 16-bit numbers, flags (the lowest four bits hold the frame
 * number), two bytes of padding.
 */
const ITEM_BYTES = 56;
const AT = {
  lat: 0,
  lon: 8,
  params: 16,
  altitude: 40,
  command: 44,
  jumpIndex: 46,
  jumpRepeat: 48,
  landPrecision: 50,
  flags: 52,
};
const FLAG = { loiterExitXtrack: 1 << 7, forceHeading: 1 << 8, relative: 1 << 9, autoContinue: 1 << 10 };
/** Values of the plain waypoints by which the layout check recognises the fields in the store. */
const PROBE_ALT_M = 17.25;
const PROBE_HOLD_S = 3.5;
const PROBE_RADIUS_M = 2.75;

/** Loads the mission into the library. Call it right after a step, so that PX4's clock is not 0. */
export function loadMission(runtime: LockstepRuntime, abi: LockstepAbi, mission: Mission, route: MissionRoute): void {
  const { items } = mission;
  for (const [index, item] of items.entries()) assertKnown(item, index);
  if (route === "exact" && abi.readStored !== undefined && abi.writeStored !== undefined) {
    loadText(runtime, wplText(items.map(probeItem)));
    replaceStored(runtime, abi, items);
  } else loadText(runtime, wplText(plainItems(items, route)));
}

function loadText(runtime: LockstepRuntime, text: string): void {
  const folder = mkdtempSync(join(tmpdir(), "escapement-mission-"));
  try {
    const path = join(folder, "mission.waypoints");
    writeFileSync(path, text);
    runtime.loadMission(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Writes index, frame, command and numbers in the column order of the format. The numbers must not be NaN, which the
 * library's reader cannot read.
 */
function wplText(items: readonly MissionItem[]): string {
  const lines = items.map((item, index) => {
    const frame = item.frame === "relative" ? FRAME_RELATIVE : item.frame === "amsl" ? FRAME_AMSL : FRAME_MISSION;
    const numbers = [item.p1, item.p2, item.p3, item.p4, item.latDeg, item.lonDeg, item.altM];
    const current = index === 0 ? 1 : 0;
    return [index, current, frame, item.command, ...numbers, item.autoContinue ? 1 : 0].join("\t");
  });
  return `QGC WPL 110\n${lines.join("\n")}\n`;
}

function assertKnown(item: MissionItem, index: number): void {
  const command = missionCommand(item.command);
  if (command !== undefined && command.duty !== "refuse") return;
  throw lockstepErrors.mission({
    what: `mission item ${index} has command ${item.command}${command === undefined ? "" : ` (${command.name})`}, which PX4 does not fly with a multicopter`,
    fix: command?.instead ?? "remove the item",
  });
}

/** Makes a plain waypoint with numbers by which its fields are recognised in the store. */
function probeItem(_item: MissionItem, index: number): MissionItem {
  return {
    command: WAYPOINT,
    frame: "relative",
    p1: PROBE_HOLD_S,
    p2: PROBE_RADIUS_M,
    p3: 0,
    p4: 0,
    latDeg: 1 + index,
    lonDeg: 2 + index,
    altM: PROBE_ALT_M,
    autoContinue: true,
  };
}

function replaceStored(runtime: LockstepRuntime, abi: LockstepAbi, items: readonly MissionItem[]): void {
  const mission = runtime.subscriber("mission");
  mission.read();
  const store = mission.message.u8(mission.message.at.mission_dataman_id);
  const bytes = new Uint8Array(ITEM_BYTES);
  const view = new DataView(bytes.buffer);
  items.forEach((item, index) => {
    bytes.fill(0);
    const wasRead = abi.readStored!(store, index, bytes, ITEM_BYTES);
    if (!wasRead || !isProbe(view, index)) {
      throw lockstepErrors.mission({
        what: `this library stores mission items in an unexpected format (item ${index})`,
        fix: 'choose missionItems = "reader" for a mission without delays, jumps and free headings',
      });
    }
    writeItem(view, item);
    if (!abi.writeStored!(store, index, bytes, ITEM_BYTES)) {
      throw lockstepErrors.mission({ what: `mission item ${index} could not be stored`, fix: "use fewer items" });
    }
  });
}

function isProbe(view: DataView, index: number): boolean {
  return (
    view.getFloat64(AT.lat, true) === 1 + index &&
    view.getFloat64(AT.lon, true) === 2 + index &&
    view.getFloat32(AT.params, true) === PROBE_HOLD_S &&
    view.getFloat32(AT.params + 4, true) === PROBE_RADIUS_M &&
    view.getFloat32(AT.altitude, true) === PROBE_ALT_M &&
    view.getUint16(AT.command, true) === WAYPOINT &&
    view.getUint16(AT.flags, true) === (FLAG.relative | FLAG.autoContinue)
  );
}

/** Writes the item as PX4 stores an item received over MAVLink. */
export function writeItem(view: DataView, item: MissionItem): void {
  for (let i = 0; i < ITEM_BYTES; i += 1) view.setUint8(i, 0);
  const hasPosition = missionCommand(item.command)?.position === true && item.frame !== "mission";
  const param = (i: number, value: number) => view.setFloat32(AT.params + 4 * i, value, true);
  const yaw = wrapTwoPi((item.p4 * Math.PI) / 180);
  let flags = item.autoContinue ? FLAG.autoContinue : 0;
  view.setUint16(AT.command, item.command, true);
  if (!hasPosition) {
    [item.p1, item.p2, item.p3, item.p4, item.latDeg, item.lonDeg, item.altM].forEach((value, i) => param(i, value));
    if (item.command === DO_JUMP) {
      view.setInt16(AT.jumpIndex, item.p1, true);
      view.setUint16(AT.jumpRepeat, item.p2, true);
    }
    view.setUint16(AT.flags, flags | FRAME_MISSION, true);
    return;
  }
  view.setFloat64(AT.lat, item.latDeg, true);
  view.setFloat64(AT.lon, item.lonDeg, true);
  view.setFloat32(AT.altitude, item.altM, true);
  const isRelative = item.frame === "relative";
  if (isRelative) flags |= FLAG.relative;
  flags |= isRelative ? FRAME_RELATIVE : FRAME_AMSL;
  switch (item.command) {
    case WAYPOINT:
      param(0, item.p1);
      param(1, item.p2);
      param(3, yaw);
      break;
    case LOITER_UNLIM:
      param(2, item.p3);
      param(3, yaw);
      break;
    case LOITER_TIME:
      param(0, item.p1);
      param(2, item.p3);
      param(3, yaw);
      if (item.p2 > 0) flags |= FLAG.forceHeading;
      if (item.p4 > 0) flags |= FLAG.loiterExitXtrack;
      break;
    case LOITER_TO_ALT:
      param(2, item.p2);
      if (item.p1 > 0) flags |= FLAG.forceHeading;
      if (item.p4 > 0) flags |= FLAG.loiterExitXtrack;
      break;
    case LAND:
      param(3, yaw);
      view.setUint16(AT.landPrecision, Number.isFinite(item.p2) ? item.p2 : 0, true);
      break;
    default:
      param(3, yaw);
  }
  view.setUint16(AT.flags, flags, true);
}

/**
 * Converts items to commands that the library's own reader supports: 16, 17, 20, 21, 22. Timed loiters become waypoints
 * with a hold time.
 */
function plainItems(items: readonly MissionItem[], route: MissionRoute): MissionItem[] {
  return items.map((item, index) => {
    const plain = item.command === LOITER_TIME ? { ...item, command: WAYPOINT, p2: 0 } : item;
    if (![WAYPOINT, LOITER_UNLIM, RETURN, LAND, TAKEOFF].includes(plain.command)) {
      throw lockstepErrors.mission({
        what: `mission item ${index} has command ${item.command}, which the library's own mission reader does not support`,
        fix:
          route === "reader"
            ? 'choose missionItems = "exact"'
            : "use a library that exports dm_lockstep_read and dm_lockstep_write",
      });
    }
    const previous = items[index - 1];
    const yawDeg = Number.isFinite(plain.p4) ? plain.p4 : previous === undefined ? 0 : bearingDeg(previous, plain);
    const finite = (value: number) => (Number.isFinite(value) ? value : 0);
    return { ...plain, p1: finite(plain.p1), p2: finite(plain.p2), p3: 0, p4: yawDeg };
  });
}

/** Returns the heading of the leg, because the library's reader needs a number and cannot leave the heading free. */
function bearingDeg(from: MissionItem, to: MissionItem): number {
  const north = to.latDeg - from.latDeg;
  const east = (to.lonDeg - from.lonDeg) * math.cos((from.latDeg * Math.PI) / 180);
  return north === 0 && east === 0 ? 0 : (math.atan2(east, north) * 180) / Math.PI;
}

function wrapTwoPi(angle: number): number {
  const wrapped = angle % (2 * Math.PI);
  return wrapped < 0 ? wrapped + 2 * Math.PI : wrapped;
}
