/**
 * Fills in the defaults of a vehicle's description, checks it as a whole, and derives a few numbers from it.
 *
 * The parameter table (tables/vehicle.ts) checks ranges; this file checks values that depend on each other and collects
 * all diagnostics. Inertia products are tensor entries (the negatives of ∫xy dm).
 */
import { checkParams, type Diagnostic, isPlainObject, type PlainObject } from "../params/index.ts";
import { plantErrors } from "./errors.ts";
import { vehicleTable, type Vehicle } from "./tables/vehicle.ts";

export { MAX_CONTACT_POINTS, vehicleTable, type Vehicle } from "./tables/vehicle.ts";

/** Returns the full description from user input. Throws one typed error that lists all problems. */
export function resolveVehicle(given: PlainObject, name = "vehicle"): Vehicle {
  const diagnostics: Diagnostic[] = [];
  const vehicle = readVehicle(given, diagnostics, name);
  if (diagnostics.length === 0) return vehicle;
  throw plantErrors.badVehicle({
    what: diagnostics.map(({ key, what, fix }) => `${key}: ${what} (${fix})`).join("; "),
    where: { key: diagnostics[0].key },
    fix: `fix ${diagnostics.length === 1 ? "it" : `all ${diagnostics.length}`} in the description of the vehicle`,
  });
}

/**
 * Reads a vehicle and adds all problems to `diagnostics`. If there are no buses, each battery gets the bus that it
 * names. `extraKeys` lists further keys that the description may contain.
 */
export function readVehicle(
  given: PlainObject,
  diagnostics: Diagnostic[],
  name: string,
  extraKeys: readonly string[] = [],
): Vehicle {
  const found: Diagnostic[] = [];
  const vehicle = checkParams(vehicleTable, withBuses(given), found, name, extraKeys) as unknown as Vehicle;
  if (found.length === 0) checkVehicle(vehicle, found, name);
  diagnostics.push(...found);
  return vehicle;
}

const DEFAULT_BUS = "main";

function withBuses(given: PlainObject): PlainObject {
  const { buses, batteries } = given;
  const isEmpty = buses === undefined || (Array.isArray(buses) && buses.length === 0);
  if (!isEmpty || !Array.isArray(batteries)) return given;
  const named = batteries.map((battery) => (isPlainObject(battery) ? battery["bus"] : undefined) ?? DEFAULT_BUS);
  return { ...given, buses: [...new Set(named)].map((name) => ({ name })) };
}

/** Finds values that contradict each other, which the table cannot check. */
function checkVehicle(vehicle: Vehicle, diagnostics: Diagnostic[], path: string): void {
  const report = (key: string, what: string, fix: string) => {
    diagnostics.push({ code: "inconsistent", key: `${path}.${key}`, what, fix });
  };
  checkInertia(vehicle, report);
  checkRotors(vehicle, report);
  checkPower(vehicle, report);
  checkHull(vehicle, report);
  const servos = vehicle.servos.map((servo) => servo.channel);
  if (new Set(servos).size < servos.length)
    report("servos", "two servos share a channel", "give each servo its own channel");
}

type Report = (key: string, what: string, fix: string) => void;

function checkInertia(vehicle: Vehicle, report: Report): void {
  const { inertiaDiagKgM2: diagonal, inertiaProductsKgM2: products, inertiaKgM2: full } = vehicle;
  if (full.length > 0 && diagonal.length + products.length > 0) {
    report("inertiaKgM2", "inertia is given twice", "give inertiaKgM2, or inertiaDiagKgM2 with inertiaProductsKgM2");
    return;
  }
  if (full.length !== 0 && full.length !== 9)
    return report("inertiaKgM2", `${full.length} values given`, "give nine, row by row");
  if (full.length === 0 && diagonal.length !== 3) {
    return report("inertiaDiagKgM2", `${diagonal.length} values given`, "give three, or nine as inertiaKgM2");
  }
  if (products.length !== 0 && products.length !== 3) {
    return report("inertiaProductsKgM2", `${products.length} values given`, "give three: xy, xz, yz");
  }
  const key = full.length > 0 ? "inertiaKgM2" : "inertiaDiagKgM2";
  for (const [a, b] of [
    [1, 3],
    [2, 6],
    [5, 7],
  ] as const) {
    if (full.length > 0 && Math.abs(full[a] - full[b]) > 1e-12)
      return report(key, "it is not symmetric", "give a symmetric tensor");
  }
  const [xx, yy, zz, xy, xz, yz] = inertiaEntries(vehicle);
  const minor = xx * yy - xy * xy;
  const determinant = zz * minor - xx * yz * yz - yy * xz * xz + 2 * xy * xz * yz;
  if (!(xx > 0 && minor > 0 && determinant > 0))
    return report(key, "it is not positive definite", "check moments and products");
  // A body's moments obey the triangle inequality about every axis: trace/2 − I must be positive semidefinite.
  const half = (xx + yy + zz) / 2;
  const [a, b, c] = [half - xx, half - yy, half - zz];
  const tolerance = -1e-9 * half * half * half;
  const minors = [a * b - xy * xy, a * c - xz * xz, b * c - yz * yz];
  const third = c * minors[0] - a * yz * yz - b * xz * xz - 2 * xy * xz * yz;
  if (Math.min(a, b, c) < -1e-9 * half || Math.min(...minors) < -1e-9 * half * half || third < tolerance) {
    report(key, "no body has such moments: one exceeds the sum of the other two", "check the largest moment");
  }
}

function checkRotors(vehicle: Vehicle, report: Report): void {
  const channels = vehicle.rotors.map((rotor) => rotor.channel);
  if (new Set(channels).size < channels.length)
    report("rotors", "two rotors share a channel", "give each rotor its own channel");
  const needsBus = vehicle.propulsion.level !== "linear" && vehicle.buses.length > 0;
  vehicle.rotors.forEach((rotor, i) => {
    const [x, y, z] = rotor.axis;
    if (x * x + y * y + z * z < 1e-12)
      report(`rotors[${i}].axis`, "it has no direction", "give a direction, e.g. 0, 0, 1");
    if (rotor.direction === 0) report(`rotors[${i}].direction`, "0 is not a direction", "use 1 or -1");
    if (needsBus && !vehicle.buses.some((bus) => bus.name === rotor.bus)) {
      report(`rotors[${i}].bus`, `there is no bus "${rotor.bus}"`, `use one of: ${busNames(vehicle)}`);
    }
  });
}

function busNames({ buses }: Vehicle): string {
  return buses.map(({ name }) => name).join(", ");
}

function checkPower(vehicle: Vehicle, report: Report): void {
  const names = vehicle.buses.map((bus) => bus.name);
  if (vehicle.batteries.length === 0 && vehicle.propulsion.level !== "linear") {
    report("batteries", "the motors have no battery", 'add [[vehicle.batteries]], or set propulsion.level = "linear"');
  }
  if (new Set(names).size < names.length) report("buses", "two buses share a name", "give each bus its own name");
  names.forEach((name, i) => {
    const packs = vehicle.batteries.filter((battery) => battery.bus === name);
    if (packs.length === 0) report(`buses[${i}]`, `bus "${name}" has no battery`, "give it one");
    if (packs.length > 1 && packs.some((pack) => pack.model === "ideal")) {
      report(
        `buses[${i}]`,
        `an ideal battery shares bus "${name}"`,
        "give it its own bus, or set its model to thevenin",
      );
    }
  });
  vehicle.batteries.forEach((battery, i) => {
    const key = `batteries[${i}]`;
    if (!names.includes(battery.bus))
      report(`${key}.bus`, `there is no bus "${battery.bus}"`, `use one of: ${busNames(vehicle)}`);
    if (battery.ocvSoc.length !== battery.ocvV.length) {
      report(
        `${key}.ocvV`,
        `${battery.ocvV.length} voltages for ${battery.ocvSoc.length} states of charge`,
        "give one voltage per state of charge",
      );
    } else if (battery.ocvV.some((volt, k) => k > 0 && volt < battery.ocvV[k - 1])) {
      report(`${key}.ocvV`, "it decreases with charge", "give voltages that do not decrease");
    }
    if (battery.ocvSoc[0] !== 0 || battery.ocvSoc[battery.ocvSoc.length - 1] !== 1)
      report(`${key}.ocvSoc`, "it does not run from empty to full", "give states of charge from 0 to 1");
    if (!(battery.lowSoc >= battery.criticalSoc && battery.criticalSoc >= battery.emergencySoc)) {
      report(`${key}.lowSoc`, "the thresholds are not ordered", "use low ≥ critical ≥ emergency");
    }
  });
}

/** Rejects a flat hull, because its corners would coincide in pairs, which doubles their stiffness. */
function checkHull({ contact: { hullSizeM } }: Vehicle, report: Report): void {
  const zeros = hullSizeM.filter((length) => length === 0).length;
  if (zeros > 0 && zeros < hullSizeM.length)
    report(
      "contact.hullSizeM",
      "a hull needs three sides above 0 m",
      "give three lengths above 0, or 0, 0, 0 for no hull",
    );
}

/** Returns the tensor entries xx, yy, zz, xy, xz, yz. */
export function inertiaEntries(vehicle: Vehicle): readonly number[] {
  const { inertiaDiagKgM2: diagonal, inertiaProductsKgM2: products, inertiaKgM2: full } = vehicle;
  if (full.length === 9) return [full[0], full[4], full[8], full[1], full[2], full[5]];
  return [...diagonal, ...(products.length === 3 ? products : [0, 0, 0])];
}

/** A contact point with its name, for dumps and tests. */
interface ContactPoint {
  readonly what: string;
  readonly positionM: readonly number[];
}

/** Returns the number of contact points that grip the ground: the feet, or every point of a vehicle without feet. */
export function gripCount(vehicle: Vehicle): number {
  const { enabled, feet } = vehicle.contact;
  return enabled && feet.length > 0 ? feet.length : contactPoints(vehicle).length;
}

/** Returns the feet, the outermost point of each rotor disk, and the corners of the hull. */
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
