/**
 * Checks a mission and reports everything that is wrong with it.
 *
 * Readers of files add file and line to each diagnostic; the same rules check missions made in code. A diagnostic is an
 * error of the catalogue below; skipped and doubtful items are only warnings, because a mission with camera commands
 * can still be flown. Mission mode checks what depends on the vehicle, such as a take-off that must lead upwards from
 * home.
 */
import { defineErrors, type SimErrorParts } from "../errors/index.ts";
import * as commands from "./mission.ts";
import { missionCommand, type Mission, type MissionItem } from "./mission.ts";

export const missionErrors = defineErrors("MISSION", {
  unknownCommand: {
    number: 1,
    title: "a mission item has an unknown command",
    explain:
      "Mission items carry MAVLink command numbers. This one is neither a navigation command that a multicopter flies nor an action that could be skipped.",
  },
  unsupportedCommand: {
    number: 2,
    title: "a mission item cannot be flown by a multicopter",
    explain: "The command is meant for other vehicles, or PX4 itself rejects it as a mission item.",
  },
  badPosition: {
    number: 3,
    title: "a mission item has no usable position",
    explain:
      "An item that is flown to needs a latitude within ±90°, a longitude within ±180° and a finite altitude, in a frame with positions.",
  },
  badParameter: {
    number: 4,
    title: "a parameter of a mission item is invalid",
    explain: "Times and radii are finite and not negative, or NaN if they are not given. Yaw is in degrees.",
  },
  badJump: {
    number: 5,
    title: "the target of a jump does not exist",
    explain: "DO_JUMP needs the index of another item of the mission and a whole number of repeats.",
  },
  empty: {
    number: 6,
    title: "a mission has no items",
    explain: "There is nothing to fly. To fly without a mission, leave out `mission`.",
  },
  skipped: {
    number: 7,
    title: "a mission item will be skipped",
    explain: "Cameras, gimbals and the like are not simulated: the item is skipped.",
  },
  badFence: {
    number: 8,
    title: "a fence or rally point of a mission is invalid",
    explain:
      "A circle needs a centre and a positive radius, a polygon at least three corners, a rally point a position.",
  },
  badHome: {
    number: 9,
    title: "the planned home of a mission is not a position",
    explain: "Home needs latitude within ±90°, longitude within ±180° and a finite altitude above mean sea level.",
  },
  doubtful: {
    number: 10,
    title: "a climb or descent speed sets the ground speed",
    explain:
      "PX4 takes every speed of DO_CHANGE_SPEED as a ground speed, and so does the embedded autopilot. An item that names a climb or descent speed changes the ground speed instead.",
  },
});

type MissionErrorName = keyof typeof missionErrors;

/** The part of the mission that a diagnostic refers to: an item, or one of the other parts. */
export interface MissionPlace {
  readonly part: "items" | "home" | "circles" | "polygons" | "rally";
  readonly index: number;
}

interface MissionDiagnostic extends Pick<SimErrorParts, "what" | "fix"> {
  readonly name: MissionErrorName;
  readonly place: MissionPlace;
  /** False for a warning: the mission can still be flown. */
  readonly fatal: boolean;
}

/** Errors that are only warnings: the mission can still be flown. */
const WARNINGS: readonly MissionErrorName[] = ["skipped", "doubtful"];

type Report = (name: MissionErrorName, what: string, fix: string) => void;

/** Checks a mission and returns all diagnostics, in the order of its items. */
export function checkMission(mission: Mission): MissionDiagnostic[] {
  const diagnostics: MissionDiagnostic[] = [];
  const at =
    (part: MissionPlace["part"], index: number): Report =>
    (name, what, fix) =>
      diagnostics.push({ name, what, fix, place: { part, index }, fatal: !WARNINGS.includes(name) });
  if (mission.items.length === 0) {
    at("items", 0)("empty", "the mission has no items", "add at least a take-off and a landing");
  }
  mission.items.forEach((item, index) => checkItem(item, index, mission.items.length, at("items", index)));
  if (mission.home !== undefined && !isPosition(mission.home)) {
    at("home", 0)(
      "badHome",
      `home at ${positionText(mission.home)} is not a position`,
      "use a latitude, a longitude and an altitude above mean sea level",
    );
  }
  mission.fence?.circles.forEach((circle, index) => {
    if (isPoint(circle.center) && Number.isFinite(circle.radiusM) && circle.radiusM > 0) return;
    at("circles", index)(
      "badFence",
      `fence circle ${index} at ${circle.center.latDeg}°, ${circle.center.lonDeg}° with radius ${circle.radiusM} m is not a circle`,
      "use a centre in degrees and a positive radius in metres",
    );
  });
  mission.fence?.polygons.forEach((polygon, index) => {
    const report = at("polygons", index);
    if (polygon.points.length < 3) {
      report("badFence", `fence polygon ${index} has ${polygon.points.length} corners`, "use three or more corners");
    } else if (!polygon.points.every(isPoint)) {
      report(
        "badFence",
        `fence polygon ${index} has a corner that is not a position`,
        "use a latitude within ±90° and a longitude within ±180°",
      );
    }
  });
  mission.rally?.forEach((point, index) => {
    if (isPosition(point)) return;
    at("rally", index)(
      "badFence",
      `rally point ${index} at ${positionText(point)} is not a position`,
      "use a latitude, a longitude and an altitude",
    );
  });
  return diagnostics;
}

function checkItem(item: MissionItem, index: number, count: number, report: Report): void {
  const command = missionCommand(item.command);
  if (command === undefined) {
    report("unknownCommand", `item ${index} has the unknown command ${item.command}`, knownCommands());
    return;
  }
  const name = `item ${index}, ${command.name} (${command.id}),`;
  if (command.duty === "refuse") {
    report("unsupportedCommand", `${name} cannot be flown`, command.instead ?? "leave it out");
    return;
  }
  if (command.duty === "skip") {
    report("skipped", `${name} is not simulated and will be skipped`, "leave it out to avoid this warning");
    return;
  }
  if (command.position === true) checkPosition(item, name, report);
  switch (item.command) {
    case commands.NAV_WAYPOINT:
      checkAmount(item.p1, `${name} hold time p1`, "s", report);
      checkAmount(item.p2, `${name} acceptance radius p2`, "m", report);
      checkYaw(item.p4, name, report);
      break;
    case commands.NAV_LOITER_TIME:
      checkAmount(item.p1, `${name} time p1`, "s", report);
      break;
    case commands.NAV_LOITER_UNLIM:
    case commands.NAV_LAND:
      checkYaw(item.p4, name, report);
      break;
    case commands.NAV_TAKEOFF:
      checkYaw(item.p4, name, report);
      if (item.frame === "relative" && item.altM <= 0) {
        report("badPosition", `${name} climbs to ${item.altM} m above home`, "take off to a height above zero");
      }
      break;
    case commands.NAV_DELAY:
      checkDelay(item, name, report);
      break;
    case commands.DO_JUMP:
      checkJump(item, name, index, count, report);
      break;
    case commands.DO_CHANGE_SPEED:
      checkSpeed(item, name, report);
      break;
  }
}

function checkPosition(item: MissionItem, name: string, report: Report): void {
  if (item.frame === "mission") {
    report("badPosition", `${name} is in a frame without positions`, "use frame 3 (relative to home) or 0 (AMSL)");
  } else if (!isPosition(item)) {
    report(
      "badPosition",
      `${name} at ${positionText(item)} is not a position`,
      "use a latitude within ±90°, a longitude within ±180° and a finite altitude",
    );
  }
}

function checkAmount(value: number, name: string, unit: string, report: Report): void {
  if (Number.isNaN(value) || (value >= 0 && value < Infinity)) return;
  report("badParameter", `${name} is ${value} ${unit}`, "use zero or more, or nan if there is no value");
}

function checkYaw(yawDeg: number, name: string, report: Report): void {
  if (Number.isNaN(yawDeg) || Math.abs(yawDeg) <= 360) return;
  report("badParameter", `${name} yaw p4 is ${yawDeg}°`, "use degrees within ±360, or nan to let the mode decide");
}

function checkDelay(item: MissionItem, name: string, report: Report): void {
  if (item.p1 === -1) {
    report("badParameter", `${name} waits for a time of day`, "use seconds in p1: flights have no time of day");
  } else if (!(item.p1 >= 0 && item.p1 < Infinity)) {
    report("badParameter", `${name} delay p1 is ${item.p1} s`, "use zero or more seconds");
  }
}

function checkJump(item: MissionItem, name: string, index: number, count: number, report: Report): void {
  if (!Number.isInteger(item.p1) || item.p1 < 0 || item.p1 >= count || item.p1 === index) {
    report("badJump", `${name} jumps to item ${item.p1}`, `use the index of another item, from 0 to ${count - 1}`);
  }
  if (!Number.isInteger(item.p2) || item.p2 < 0 || item.p2 > 65535) {
    report("badJump", `${name} has ${item.p2} repetitions`, "use a whole number from 0 to 65535");
  }
}

/** MAVLink's vertical speed types. */
const CLIMB_SPEEDS: Readonly<Record<number, string>> = { 2: "climb", 3: "descent" };

function checkSpeed(item: MissionItem, name: string, report: Report): void {
  if (![0, 1, 2, 3].includes(item.p1)) {
    report("badParameter", `${name} has the unknown speed type p1 = ${item.p1}`, "use 1, which means ground speed");
  }
  const kind = CLIMB_SPEEDS[item.p1];
  if (kind !== undefined) {
    report(
      "doubtful",
      `${name} names a ${kind} speed but sets the ground speed`,
      "use p1 = 1 for the ground speed, or leave the item out",
    );
  }
  // In MAVLink −1 means no change; in PX4 it means the default, like −2.
  if (item.p2 === -1 || item.p2 === -2 || (item.p2 > 0 && item.p2 < Infinity)) return;
  report("badParameter", `${name} has a speed of ${item.p2} m/s`, "use a positive speed, or −1 or −2 for the default");
}

function isPoint(point: commands.GeoPoint): boolean {
  return Math.abs(point.latDeg) <= 90 && Math.abs(point.lonDeg) <= 180;
}

function isPosition(position: commands.GeoPosition): boolean {
  return isPoint(position) && Number.isFinite(position.altM);
}

function positionText(position: commands.GeoPosition): string {
  return `${position.latDeg}°, ${position.lonDeg}°, ${position.altM} m`;
}

function knownCommands(): string {
  const flown = commands.MISSION_COMMANDS.filter((command) => command.duty === "fly");
  return `use one of: ${flown.map((command) => `${command.id} ${command.name}`).join(", ")}`;
}
