/**
 * The named quantities of a flight, such as altitude or roll, computed row by row from any source of rows: the log of a
 * flight that the page flies, a log file, or a recording.
 *
 * An inactive setpoint is NaN, which plots omit. Roll and yaw are unwrapped, so that a turn through south draws no line
 * across the plot.
 */
import { SETPOINT_BITS } from "@escapement/core";

const DEG = 180 / Math.PI;

/** Returns the value of a component of a signal, or of a block of the state, at the current row. */
export type Read = (signal: string, component?: number) => number;

/** Computes a quantity; `previous` is its value at the previous row, NaN at the first row. */
type Compute = (read: Read, previous: number) => number;

export interface NamedQuantity {
  readonly name: string;
  readonly label: string;
  readonly unit: string;
  readonly isSetpoint: boolean;
  /** True for codes, which are held from row to row. */
  readonly isCode: boolean;
  /** The signals without which the quantity does not exist. */
  readonly needs: readonly string[];
  readonly compute: Compute;
}

/** Yields the named quantities of a flight with these numbers of rotors and batteries. */
export function* namedQuantities(rotors: number, batteries: number): Generator<NamedQuantity> {
  yield* positions();
  yield* velocities();
  yield* attitudes();
  yield makeQuantity("mode", "mode", "enum", ["navState"], (read) => read("navState"));
  for (let i = 0; i < rotors; i += 1) {
    yield makeQuantity(`motor${i}`, `motor ${i + 1}`, "duty", ["motorCommand"], (read) => read("motorCommand", i));
    yield makeQuantity(`rotor${i}`, `rotor ${i + 1}`, "rad/s", ["rotorSpeed"], (read) => read("rotorSpeed", i));
  }
  for (let i = 0; i < batteries; i += 1) {
    yield makeQuantity(`voltage${i}`, `battery ${i + 1}`, "V", ["batteryVoltage"], (read) => read("batteryVoltage", i));
    yield makeQuantity(`current${i}`, `battery ${i + 1}`, "A", ["batteryCurrent"], (read) => read("batteryCurrent", i));
    const charge: Compute = (read) => 100 * read("batteryRemaining", i);
    yield makeQuantity(`remaining${i}`, `battery ${i + 1}`, "%", ["batteryRemaining"], charge);
  }
  for (const [i, axis] of ["north", "east", "down"].entries()) {
    yield makeQuantity(`wind${i}`, `wind ${axis}`, "m/s", ["windNed"], (read) => read("windNed", i));
  }
}

function makeQuantity(
  name: string,
  label: string,
  unit: string,
  needs: readonly string[],
  compute: Compute,
): NamedQuantity {
  return { name, label, unit, isSetpoint: name.startsWith("set"), isCode: name === "mode", needs, compute };
}

function* positions(): Generator<NamedQuantity> {
  // Omit setpoints during ground contact, because the landing setpoint sinks far below the ground and would set the
  // axis.
  const setpoint =
    (i: number, scale: number): Compute =>
    (read) =>
      isActive(read, i < 2 ? SETPOINT_BITS.posXy : SETPOINT_BITS.posZ) && !(read("contactForceNed", 2) < 0)
        ? scale * read("setPosNed", i)
        : Number.NaN;
  const needs = ["posNed"];
  const set = ["setPosNed"];
  yield makeQuantity("north", "north", "m", needs, (read) => read("posNed", 0));
  yield makeQuantity("setNorth", "north setpoint", "m", set, setpoint(0, 1));
  yield makeQuantity("east", "east", "m", needs, (read) => read("posNed", 1));
  yield makeQuantity("setEast", "east setpoint", "m", set, setpoint(1, 1));
  yield makeQuantity("altitude", "altitude", "m", needs, (read) => -read("posNed", 2));
  yield makeQuantity("setAltitude", "altitude setpoint", "m", set, setpoint(2, -1));
  const [north, east, down] = [setpoint(0, 1), setpoint(1, 1), setpoint(2, 1)];
  yield makeQuantity("error", "from setpoint", "m", [...needs, ...set], (read, previous) =>
    Math.hypot(
      read("posNed", 0) - north(read, previous),
      read("posNed", 1) - east(read, previous),
      read("posNed", 2) - down(read, previous),
    ),
  );
  yield makeQuantity("estimateError", "estimate from truth", "m", [...needs, "estPosNed"], (read) =>
    Math.hypot(
      read("posNed", 0) - read("estPosNed", 0),
      read("posNed", 1) - read("estPosNed", 1),
      read("posNed", 2) - read("estPosNed", 2),
    ),
  );
}

function* velocities(): Generator<NamedQuantity> {
  const setpoint = (read: Read, i: number) =>
    isActive(read, i < 2 ? SETPOINT_BITS.velXy : SETPOINT_BITS.velZ) ? read("setVelNed", i) : Number.NaN;
  const set = ["setVelNed"];
  const speed: Compute = (read) => Math.hypot(read("velNed", 0), read("velNed", 1));
  yield makeQuantity("groundSpeed", "ground speed", "m/s", ["velNed"], speed);
  yield makeQuantity("setGroundSpeed", "ground speed setpoint", "m/s", set, (read) =>
    Math.hypot(setpoint(read, 0), setpoint(read, 1)),
  );
  yield makeQuantity("climb", "climb", "m/s", ["velNed"], (read) => -read("velNed", 2));
  yield makeQuantity("setClimb", "climb setpoint", "m/s", set, (read) => -setpoint(read, 2));
}

function* attitudes(): Generator<NamedQuantity> {
  for (const [axis, label] of ["roll", "pitch", "yaw"].entries()) {
    const angle = (signal: string, read: Read) =>
      ANGLES_DEG[axis]!(read(signal, 0), read(signal, 1), read(signal, 2), read(signal, 3));
    const actual: Compute = (read, previous) => nearest(angle("qBodyToNed", read), axis === 1 ? Number.NaN : previous);
    const setpoint: Compute = (read, previous) => {
      if (!isActive(read, SETPOINT_BITS.attitude)) return Number.NaN;
      const degrees = angle("setQBodyToNed", read);
      if (axis === 1) return degrees;
      return nearest(degrees, Number.isNaN(previous) ? angle("qBodyToNed", read) : previous);
    };
    yield makeQuantity(`att${axis}`, label, "°", ["qBodyToNed"], actual);
    yield makeQuantity(`setAtt${axis}`, `${label} setpoint`, "°", ["setQBodyToNed", "qBodyToNed"], setpoint);
  }
  for (const [i, label] of ["p", "q", "r"].entries()) {
    yield makeQuantity(`rate${i}`, label, "°/s", ["rateBody"], (read) => DEG * read("rateBody", i));
    yield makeQuantity(`setRate${i}`, `${label} setpoint`, "°/s", ["setRateBody"], (read) =>
      isActive(read, SETPOINT_BITS.rates) ? DEG * read("setRateBody", i) : Number.NaN,
    );
  }
}

/** Whether a setpoint is active. A log without this signal has NaN for inactive setpoints instead. */
function isActive(read: Read, bit: number): boolean {
  const valid = read("setpointValid");
  return Number.isNaN(valid) || (valid & bit) !== 0;
}

/** Roll, pitch and yaw in degrees of a quaternion w, x, y, z (rotation about z, then y, then x). */
const ANGLES_DEG: readonly ((w: number, x: number, y: number, z: number) => number)[] = [
  (w, x, y, z) => DEG * Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
  (w, x, y, z) => DEG * Math.asin(Math.max(-1, Math.min(1, 2 * (w * y - z * x)))),
  (w, x, y, z) => DEG * Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
];

/** Returns roll, pitch and yaw of a quaternion in degrees. */
export function eulerDeg(q: ArrayLike<number>): [roll: number, pitch: number, yaw: number] {
  const angle = (axis: number) => ANGLES_DEG[axis]!(q[0]!, q[1]!, q[2]!, q[3]!);
  return [angle(0), angle(1), angle(2)];
}

/** Adds whole turns so that an angle is as near as possible to `other`. */
function nearest(degrees: number, other: number): number {
  return Number.isNaN(other) ? degrees : degrees + 360 * Math.round((other - degrees) / 360);
}
