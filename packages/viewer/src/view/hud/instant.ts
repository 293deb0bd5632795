/** The values of a flight at one instant that the scene and the HUD show. */
import { SETPOINT_BITS, SIGNALS } from "@escapement/core";
import { attitudeAt, placeAt, type RowPlace, signalAt, valueAt } from "../data/sample.ts";
import { eulerDeg } from "../../shared/quantities.ts";
import type { ViewFlight } from "../store/view-flight.ts";

export interface MotorValues {
  readonly duty: number;
  readonly speedRadS: number;
  readonly thrustN: number;
  /** Off, jammed, or stuck at zero duty. */
  readonly isDead: boolean;
  /** Not dead, but weak, stuck or noisy. */
  readonly isFaulty: boolean;
}

export interface InstantValues {
  readonly place: RowPlace;
  readonly posNed: Float64Array;
  readonly velNed: Float64Array;
  readonly q: Float64Array;
  readonly rollDeg: number;
  readonly pitchDeg: number;
  readonly yawDeg: number;
  /** NaN if no position is commanded, or if the vehicle touches the ground. */
  readonly setPosNed: Float64Array;
  readonly estPosNed: Float64Array;
  readonly errorM: number;
  readonly windNed: Float64Array;
  readonly gustMps: number;
  readonly contactForceNed: Float64Array;
  readonly voltageV: number;
  readonly remaining: number;
  readonly batteryWarning: number;
  readonly mode: number;
  readonly isArmed: boolean;
  readonly motors: readonly MotorValues[];
}

const JAMMED = SIGNALS.motorJam.values.jammed;

/** Returns undefined if the flight has no rows yet, or no position. */
export function instantValuesAt(flight: ViewFlight, tUs: number): InstantValues | undefined {
  const rows = flight.rows.peek();
  if (rows.count === 0 || rows.place("posNed") < 0) return undefined;
  const place = placeAt(rows, Math.max(tUs, rows.timeUs(0)));
  const vector = (signal: string, size = 3) => signalAt(rows, signal, place, new Float64Array(size));
  const value = (signal: string, component = 0) => valueAt(rows, rows.place(signal, component), place);
  const [posNed, setPosNed] = [vector("posNed"), vector("setPosNed")];
  const q = attitudeAt(rows, "qBodyToNed", place, new Float64Array(4));
  const [rollDeg, pitchDeg, yawDeg] = eulerDeg(q);
  const valid = value("setpointValid");
  const hasSetpoint = (valid & SETPOINT_BITS.posXy) !== 0 && (valid & SETPOINT_BITS.posZ) !== 0;
  const contactForceNed = vector("contactForceNed").map(orZero);
  if (!hasSetpoint || contactForceNed[2]! < 0) setPosNed.fill(Number.NaN);
  const gust = vector("windGustNed").map(orZero);
  return {
    place,
    posNed,
    velNed: vector("velNed"),
    q,
    rollDeg,
    pitchDeg,
    yawDeg,
    setPosNed,
    estPosNed: vector("estPosNed"),
    errorM: Math.hypot(...posNed.map((each, i) => each - setPosNed[i]!)),
    windNed: vector("windNed"),
    gustMps: Math.hypot(gust[0]!, gust[1]!, gust[2]!),
    contactForceNed,
    voltageV: value("batteryVoltage"),
    remaining: value("batteryRemaining"),
    batteryWarning: orZero(value("batteryWarning")),
    mode: value("navState"),
    isArmed: value("armed") === 1,
    motors: motorsAt(flight, value),
  };
}

function motorsAt(flight: ViewFlight, value: (signal: string, component: number) => number): MotorValues[] {
  const { rotors = 0, definition } = flight.head.peek() ?? {};
  return Array.from({ length: rotors }, (_, i) => {
    const channel = (definition?.vehicle.rotors[i]?.channel ?? i + 1) - 1;
    const [gain, offset] = [value("motorGain", i), value("motorOffset", i)];
    const isDead = value("motorJam", i) === JAMMED || (gain === 0 && offset === 0);
    return {
      duty: value("motorCommand", channel),
      speedRadS: orZero(value("rotorSpeed", i)),
      thrustN: orZero(value("rotorThrust", i)),
      isDead,
      isFaulty: !isDead && ((!Number.isNaN(gain) && gain !== 1) || (!Number.isNaN(offset) && offset !== 0)),
    };
  });
}

function orZero(value: number): number {
  return Number.isNaN(value) ? 0 : value;
}
