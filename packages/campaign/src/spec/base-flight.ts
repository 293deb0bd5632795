/**
 * The base flight of a campaign as one description that names no other file, so that it can be sent to any worker.
 *
 * Defaults are not filled in, because a default may depend on a varied key. References to files (mission, vehicle,
 * parameters) are replaced by the contents of the files.
 */
import { type AssignmentBase, isPath, isPlainObject, type PlainObject } from "@escapement/core";

/** Keys that do not affect the flight. */
const KEYS_WITHOUT_EFFECT = ["outputs", "about", "extends", "replace", "requirements", "alsoRequire"];

export function selfContained({ spec, filled }: AssignmentBase): PlainObject {
  const { vehicle, mission, autopilot, ...rest } = spec;
  const { vehicle: fullVehicle, mission: fullMission, autopilot: fullAutopilot } = filled ?? {};
  const flown = Object.fromEntries(Object.entries(rest).filter(([key]) => !KEYS_WITHOUT_EFFECT.includes(key)));
  return {
    ...flown,
    ...entryOf("vehicle", isFileVehicle(vehicle) ? fullVehicle : vehicle),
    ...entryOf("mission", isPlainObject(mission) && mission["file"] !== undefined ? fullMission : mission),
    ...entryOf("autopilot", withParameters(autopilot, fullAutopilot)),
  };
}

function entryOf(key: string, value: unknown): PlainObject {
  return value === undefined ? {} : { [key]: value };
}

function isFileVehicle(vehicle: unknown): boolean {
  const base = isPlainObject(vehicle) ? vehicle["extends"] : vehicle;
  return typeof base === "string" && isPath(base);
}

/** Replaces a parameter file by the parameters of the resolved flight. */
function withParameters(autopilot: unknown, full: unknown): unknown {
  if (!isPlainObject(autopilot) || autopilot["parametersFile"] === undefined) return autopilot;
  const { parametersFile: _file, ...rest } = autopilot;
  return { ...rest, parameters: isPlainObject(full) ? full["parameters"] : {} };
}
