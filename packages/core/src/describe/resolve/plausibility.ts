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
import { contactPoints, inertiaEntries, type Vehicle } from "../../multirotor/vehicle.ts";
import type { FlightDefinition } from "../definition/definition.ts";
import type { Diagnostics } from "../diagnostics.ts";

/** `removesFeet`: the description has an empty list of feet, rather than no list. */
export function warnIfImplausible(
  definition: FlightDefinition,
  plant: Multirotor,
  removesFeet: boolean,
  diagnostics: Diagnostics,
): void {
  checkFeet(definition.vehicle, removesFeet, diagnostics);
  checkInertia(definition.vehicle, diagnostics);
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

/** Warns if the vehicle does not rest on feet, and suggests a foot under the middle of each arm. */
function checkFeet(vehicle: Vehicle, removesFeet: boolean, diagnostics: Diagnostics): void {
  const rests = restsOn(vehicle);
  // A hull is a landing gear too, unless the feet were removed.
  if (rests === "feet" || (rests === "hull" && !removesFeet)) return;
  const legM = Math.max(0.1, vehicle.propulsion.radiusM);
  const feet = vehicle.rotors.map(({ positionM: [x, y, z] }) =>
    [x / 2, y / 2, z + legM].map((m) => Number(m.toFixed(3))),
  );
  diagnostics.warn(
    plantErrors.standsOnRotors,
    "vehicle.contact.feet",
    {
      tips: "the vehicle has no feet below its propellers, so it rests on their tips",
      hull: "the vehicle has no feet, so it rests on the corners of its hull",
      nothing: "the vehicle has no feet, hull or rotor tips, so it falls through the ground",
    }[rests],
    `give it feet, e.g. contact.feet = [${feet.map((foot) => `{ positionM = [${foot.join(", ")}] }`).join(", ")}]`,
  );
}

/** Returns the part that touches the ground first. A vehicle without contact needs no feet, so the result is "feet". */
function restsOn(vehicle: Vehicle): "feet" | "tips" | "hull" | "nothing" {
  const points = contactPoints(vehicle);
  if (!vehicle.contact.enabled) return "feet";
  if (points.length === 0) return "nothing";
  const depth = (isCounted: (what: string) => boolean) =>
    Math.max(...points.map(({ what, positionM }) => (isCounted(what) ? positionM[2]! : -Infinity)));
  const isTip = (what: string) => what.startsWith("tip");
  if (depth(isTip) > depth((what) => !isTip(what))) return "tips";
  return vehicle.contact.feet.length > 0 ? "feet" : "hull";
}

/** Radii of gyration, relative to the distance of the outermost rotor, of vehicles that could be built. */
const GYRATION_RATIO = { min: 0.1, max: 3 };

/** Warns if mass and moments of inertia do not fit together, which often makes the flight stiff and slow. */
function checkInertia(vehicle: Vehicle, diagnostics: Diagnostics): void {
  const armM = Math.max(...vehicle.rotors.map(({ positionM: [x, y, z] }) => Math.sqrt(x * x + y * y + z * z)));
  const moments = inertiaEntries(vehicle).slice(0, 3);
  const [minM, maxM] = [Math.min(...moments), Math.max(...moments)].map((moment) => Math.sqrt(moment / vehicle.massKg));
  if (!(armM > 0) || (minM! >= GYRATION_RATIO.min * armM && maxM! <= GYRATION_RATIO.max * armM)) return;
  const radiusM = minM! < GYRATION_RATIO.min * armM ? minM! : maxM!;
  diagnostics.warn(
    plantErrors.inertiaOfAnother,
    "vehicle.massKg",
    `mass and inertia do not fit together: the mass would be ${(100 * radiusM).toFixed(1)} cm from the centre on average, but the rotors are ${(100 * armM).toFixed(1)} cm from it`,
    "change the mass and the moments of inertia together; a moment is about a quarter of the mass times the squared distance of the rotors",
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
