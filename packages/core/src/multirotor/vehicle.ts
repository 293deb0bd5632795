/**
 * A vehicle's description: filled, checked as a whole, and the few numbers that follow from it.
 *
 * Ranges are the table's; here stands what only makes sense together. All complaints are collected. Inertia products are
 * tensor entries (the negatives of ∫xy dm), as in the files of the original.
 */
import { checkParams, type Diagnostic, type PlainObject } from "../params/index.ts";
import { plantErrors } from "./errors.ts";
import { vehicleTable, type Vehicle } from "./tables/vehicle.ts";

export { vehicleTable, type Vehicle } from "./tables/vehicle.ts";

/** The full description from what a person wrote; a typed error lists everything that is wrong with it. */
export function resolveVehicle(given: PlainObject, name = "vehicle"): Vehicle {
  const complaints: Diagnostic[] = [];
  const vehicle = checkParams(vehicleTable, given, complaints, name) as unknown as Vehicle;
  if (complaints.length === 0) checkVehicle(vehicle, complaints, name);
  if (complaints.length === 0) return vehicle;
  throw plantErrors.badVehicle({
    what: complaints.map(({ key, what, fix }) => `${key}: ${what} (${fix})`).join("; "),
    where: { key: complaints[0].key },
    fix: `mend ${complaints.length === 1 ? "it" : `all ${complaints.length}`} in the description of the vehicle`,
  });
}

/** What the table cannot say: values that contradict each other. */
export function checkVehicle(vehicle: Vehicle, complaints: Diagnostic[], path: string): void {
  const complain = (key: string, what: string, fix: string) => {
    complaints.push({ code: "inconsistent", key: `${path}.${key}`, what, fix });
  };
  checkInertia(vehicle, complain);
  checkRotors(vehicle, complain);
  checkPower(vehicle, complain);
  checkHull(vehicle, complain);
  const servos = vehicle.servos.map((servo) => servo.channel);
  if (new Set(servos).size < servos.length) complain("servos", "two servos share a channel", "one channel a servo");
}

type Complain = (key: string, what: string, fix: string) => void;

function checkInertia(vehicle: Vehicle, complain: Complain): void {
  const { inertiaDiagKgM2: diagonal, inertiaProductsKgM2: products, inertiaKgM2: full } = vehicle;
  if (full.length > 0 && diagonal.length + products.length > 0) {
    complain("inertiaKgM2", "inertia is given twice", "give inertiaKgM2, or inertiaDiagKgM2 with inertiaProductsKgM2");
    return;
  }
  if (full.length !== 0 && full.length !== 9)
    return complain("inertiaKgM2", `${full.length} values given`, "nine, row by row");
  if (full.length === 0 && diagonal.length !== 3) {
    return complain(
      "inertiaDiagKgM2",
      `${diagonal.length} values given`,
      "three moments, or nine values as inertiaKgM2",
    );
  }
  if (products.length !== 0 && products.length !== 3) {
    return complain("inertiaProductsKgM2", `${products.length} values given`, "three: xy, xz, yz");
  }
  const key = full.length > 0 ? "inertiaKgM2" : "inertiaDiagKgM2";
  for (const [a, b] of [
    [1, 3],
    [2, 6],
    [5, 7],
  ] as const) {
    if (full.length > 0 && Math.abs(full[a] - full[b]) > 1e-12)
      return complain(key, "it is not symmetric", "make it so");
  }
  const [xx, yy, zz, xy, xz, yz] = inertiaEntries(vehicle);
  const minor = xx * yy - xy * xy;
  const determinant = zz * minor - xx * yz * yz - yy * xz * xz + 2 * xy * xz * yz;
  if (!(xx > 0 && minor > 0 && determinant > 0))
    return complain(key, "it is not positive definite", "check moments and products");
  // A body's moments obey the triangle inequality about every axis: trace/2 − I must not be negative anywhere.
  const half = (xx + yy + zz) / 2;
  const [a, b, c] = [half - xx, half - yy, half - zz];
  const tolerance = -1e-9 * half * half * half;
  const minors = [a * b - xy * xy, a * c - xz * xz, b * c - yz * yz];
  const third = c * minors[0] - a * yz * yz - b * xz * xz - 2 * xy * xz * yz;
  if (Math.min(a, b, c) < -1e-9 * half || Math.min(...minors) < -1e-9 * half * half || third < tolerance) {
    complain(key, "no body has such moments: one exceeds the sum of the other two", "check the largest moment");
  }
}

function checkRotors(vehicle: Vehicle, complain: Complain): void {
  const channels = vehicle.rotors.map((rotor) => rotor.channel);
  if (new Set(channels).size < channels.length) complain("rotors", "two rotors share a channel", "one channel a rotor");
  vehicle.rotors.forEach((rotor, i) => {
    const [x, y, z] = rotor.axis;
    if (x * x + y * y + z * z < 1e-12) complain(`rotors[${i}].axis`, "it has no direction", "e.g. 0, 0, 1");
    if (rotor.direction === 0) complain(`rotors[${i}].direction`, "0 is no direction", "1 or -1");
    if (vehicle.propulsion.level !== "linear" && !vehicle.buses.some((bus) => bus.name === rotor.bus)) {
      complain(`rotors[${i}].bus`, `there is no bus "${rotor.bus}"`, "name one of buses");
    }
  });
}

function checkPower(vehicle: Vehicle, complain: Complain): void {
  const names = vehicle.buses.map((bus) => bus.name);
  if (new Set(names).size < names.length) complain("buses", "two buses share a name", "one name a bus");
  names.forEach((name, i) => {
    const packs = vehicle.batteries.filter((battery) => battery.bus === name);
    if (packs.length === 0) complain(`buses[${i}]`, `bus "${name}" has no battery`, "give it one");
    if (packs.length > 1 && packs.some((pack) => pack.model === "ideal")) {
      complain(
        `buses[${i}]`,
        `an ideal battery shares bus "${name}"`,
        "put it on a bus of its own, or make it thevenin",
      );
    }
  });
  vehicle.batteries.forEach((battery, i) => {
    const key = `batteries[${i}]`;
    if (!names.includes(battery.bus)) complain(`${key}.bus`, `there is no bus "${battery.bus}"`, "name one of buses");
    if (battery.ocvSoc.length !== battery.ocvV.length) {
      complain(
        `${key}.ocvV`,
        `${battery.ocvV.length} voltages for ${battery.ocvSoc.length} states of charge`,
        "one each",
      );
    } else if (battery.ocvV.some((volt, k) => k > 0 && volt < battery.ocvV[k - 1])) {
      complain(`${key}.ocvV`, "it falls with charge", "voltages that do not fall");
    }
    if (battery.ocvSoc[0] !== 0 || battery.ocvSoc[battery.ocvSoc.length - 1] !== 1)
      complain(`${key}.ocvSoc`, "it does not run from empty to full", "states of charge from 0 to 1");
    if (!(battery.lowSoc >= battery.criticalSoc && battery.criticalSoc >= battery.emergencySoc)) {
      complain(`${key}.lowSoc`, "the thresholds are not ordered", "low ≥ critical ≥ emergency");
    }
  });
}

/** A flat box has corners that coincide in pairs: twice as stiff as the others, and hardly what was meant. */
function checkHull({ contact: { hullSizeM } }: Vehicle, complain: Complain): void {
  const zeros = hullSizeM.filter((length) => length === 0).length;
  if (zeros > 0 && zeros < hullSizeM.length)
    complain(
      "contact.hullSizeM",
      "a hull with a side of 0 m is none",
      "three lengths above 0, or 0, 0, 0 without a hull",
    );
}

/** Tensor entries xx, yy, zz, xy, xz, yz. */
export function inertiaEntries(vehicle: Vehicle): readonly number[] {
  const { inertiaDiagKgM2: diagonal, inertiaProductsKgM2: products, inertiaKgM2: full } = vehicle;
  if (full.length === 9) return [full[0], full[4], full[8], full[1], full[2], full[5]];
  return [...diagonal, ...(products.length === 3 ? products : [0, 0, 0])];
}

/** A contact point with what it is, for dumps and tests. */
export interface ContactPoint {
  readonly what: string;
  readonly positionM: readonly number[];
}

/** Feet, the outermost point of each rotor disk, and the corners of the hull. */
export function contactPoints(vehicle: Vehicle): readonly ContactPoint[] {
  const { enabled, feet, rotorTips, hullSizeM, hullCentreM } = vehicle.contact;
  if (!enabled) return [];
  const points: ContactPoint[] = feet.map((foot, i) => ({ what: `foot ${i + 1}`, positionM: foot.positionM }));
  if (rotorTips) {
    vehicle.rotors.forEach((rotor, i) => {
      const [x, y, z] = rotor.positionM;
      const arm = Math.sqrt(x * x + y * y);
      const reach = vehicle.propulsion.radiusM;
      const tip = arm > 0 ? [x + (x / arm) * reach, y + (y / arm) * reach, z] : [reach, 0, z];
      points.push({ what: `tip of rotor ${i + 1}`, positionM: tip });
    });
  }
  if (Math.min(...hullSizeM) > 0) {
    for (let corner = 0; corner < 8; corner += 1) {
      const side = (axis: number) => hullCentreM[axis] + ((corner >> axis) % 2 === 0 ? 0.5 : -0.5) * hullSizeM[axis];
      points.push({ what: `corner ${corner + 1} of the hull`, positionM: [side(0), side(1), side(2)] });
    }
  }
  return points;
}
