/**
 * Warnings about a flight that is valid but probably not intended. They need the assembled plant.
 *
 * None is an error, because a fall or a badly tuned autopilot may be intended.
 */
import { autopilotErrors } from "../../autopilot/index.ts";
import { SimError } from "../../errors/index.ts";
import { plantErrors } from "../../multirotor/errors.ts";
import type { Multirotor } from "../../multirotor/plant.ts";
import type { Trim } from "../../multirotor/trim.ts";
import { contactPoints, type Vehicle } from "../../multirotor/vehicle.ts";
import type { FlightDefinition } from "../definition/definition.ts";
import type { Diagnostics } from "../diagnostics.ts";

export function warnIfImplausible(definition: FlightDefinition, plant: Multirotor, diagnostics: Diagnostics): void {
  checkFeet(definition.vehicle, diagnostics);
  const hovering = hoverRotors(plant);
  if (hovering !== undefined) checkHoverThrust(definition, hovering, diagnostics);
  else warnIfTooHeavy(plant, diagnostics);
}

export function warnIfTooHeavy(plant: Multirotor, diagnostics: Diagnostics): void {
  const { weightN, thrustN } = plant.lift();
  if (!(weightN > thrustN)) return;
  diagnostics.warn(
    plantErrors.tooHeavy,
    "vehicle.massKg",
    `the vehicle cannot lift itself: it weighs ${weightN.toFixed(1)} N, but full thrust is ${thrustN.toFixed(1)} N`,
    "check massKg, which is in kilograms, and the propulsion",
  );
}

/** Warns if the lowest contact point is the tip of a rotor, and suggests a foot under the middle of each arm. */
function checkFeet(vehicle: Vehicle, diagnostics: Diagnostics): void {
  const points = contactPoints(vehicle);
  const depth = (tips: boolean) =>
    points.reduce(
      (low, { what, positionM }) => (what.startsWith("tip") === tips ? Math.max(low, positionM[2]!) : low),
      -Infinity,
    );
  if (!(depth(true) > depth(false))) return;
  const legM = Math.max(0.1, vehicle.propulsion.radiusM);
  const feet = vehicle.rotors.map(({ positionM: [x, y, z] }) =>
    [x / 2, y / 2, z + legM].map((m) => Number(m.toFixed(3))),
  );
  diagnostics.warn(
    plantErrors.standsOnRotors,
    "vehicle.contact.feet",
    "the vehicle has no feet below its propellers, so it rests on their tips",
    `give it feet, e.g. contact.feet = [${feet.map((foot) => `{ positionM = [${foot.join(", ")}] }`).join(", ")}]`,
  );
}

/** Returns the rotors at hover, or undefined if there is no trim at hover. That is no error: a flight need not hover. */
function hoverRotors(plant: Multirotor): Trim["rotors"] | undefined {
  try {
    return plant.trim().rotors;
  } catch (error) {
    if (error instanceof SimError) return undefined;
    throw error;
  }
}

/** Warns if the vehicle's hover thrust is outside the range to which the embedded autopilot limits its estimate. */
function checkHoverThrust({ autopilot }: FlightDefinition, rotors: Trim["rotors"], diagnostics: Diagnostics): void {
  if (autopilot.kind !== "embedded") return;
  const { MPC_THR_HOVER: assumed, HTE_THR_RANGE: range, THR_MDL_FAC: quadraticFraction } = autopilot.parameters;
  if (assumed === undefined || range === undefined || quadraticFraction === undefined) return;
  const duty = rotors.reduce((sum, rotor) => sum + rotor.duty, 0) / rotors.length;
  const needed = quadraticFraction * duty * duty + (1 - quadraticFraction) * duty;
  if (Math.abs(needed - assumed) <= range) return;
  const suggested = Math.min(0.9, Math.max(0.05, needed)).toFixed(2);
  diagnostics.warn(
    autopilotErrors.farHoverThrust,
    "autopilot.parameters.MPC_THR_HOVER",
    `the vehicle hovers at a thrust of ${needed.toFixed(2)}, but the autopilot assumes ${assumed}`,
    `write MPC_THR_HOVER = ${suggested} in [autopilot.parameters]`,
  );
}
