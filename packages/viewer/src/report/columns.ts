/**
 * The columns of a flight that a page plots: actual values and setpoints at every log tick.
 *
 * Units come from the signal table unless the page converts them (degrees, percent). An inactive setpoint is NaN, which
 * plots omit. Attitudes are roll, pitch and yaw in degrees. Roll and yaw are unwrapped, so that a turn through south or
 * a tumble draws no line across the plot.
 */
import { asFed, DUE_BITS, type FedRecording, type Recording, SETPOINT_BITS, SIGNALS } from "@escapement/core";
import { Stretch } from "./stretch.ts";
import type { FullColumn } from "./downsample.ts";

const DEG = 180 / Math.PI;

/** Returns the columns of a whole flight, which must be short. */
export function flightColumns(recording: Recording | FedRecording): Generator<FullColumn> {
  const fed = asFed(recording);
  const feed = fed.openFeed();
  const { timesUs, due } = fed.boundaries;
  const stretch = new Stretch(fed, feed, logTicks(fed));
  for (let i = 0; i < timesUs.length; i += 1) {
    if ((due[i]! & DUE_BITS.log) === 0) continue;
    feed.advanceTo(timesUs[i]!);
    stretch.take();
  }
  return new FlightColumns().of(stretch);
}

export function logTicks({ boundaries }: Pick<FedRecording, "boundaries">): number {
  return boundaries.due.reduce((count, due) => count + ((due & DUE_BITS.log) === 0 ? 0 : 1), 0);
}

/** Makes the columns of consecutive stretches of one flight. */
export class FlightColumns {
  private readonly roll = new Unwinding();
  private readonly yaw = new Unwinding();

  /** Yields the columns one by one, so that few exist at the same time. */
  *of(stretch: Stretch): Generator<FullColumn> {
    yield { name: "t", values: scaled(stretch.timesUs(), 1e-6), sample: true };
    yield* positions(stretch);
    yield* velocities(stretch);
    yield* attitudes(stretch, this.roll, this.yaw);
    for (let i = 0; i < 3; i += 1) {
      const rates = stretch.held("setRateBody", i);
      yield { name: `rate${i}`, unit: "°/s", values: scaled(stretch.state("rateBody", i), DEG) };
      yield { name: `setRate${i}`, unit: "°/s", values: scaled(whileActive(stretch, rates, SETPOINT_BITS.rates), DEG) };
    }
    yield { name: "mode", values: stretch.held("navState", 0), sample: true };
    yield* propulsion(stretch);
    for (let i = 0; i < 3; i += 1) {
      yield {
        name: `wind${i}`,
        unit: SIGNALS.windNed.unit,
        values: sum(stretch.held("windBaseNed", i), stretch.held("windGustNed", i)),
      };
    }
  }
}

function* positions(stretch: Stretch): Generator<FullColumn> {
  const { unit } = SIGNALS.estPosNed;
  const position = [0, 1, 2].map((i) => stretch.state("posNed", i));
  // Omit setpoints during ground contact, because the landing setpoint sinks far below the ground and would set the
  // axis.
  const contact = stretch.held("contactForceNed", 2);
  const setpoint = [0, 1, 2].map((i) =>
    whileActive(stretch, stretch.held("setPosNed", i), i < 2 ? SETPOINT_BITS.posXy : SETPOINT_BITS.posZ).map(
      (value, row) => (contact[row]! < 0 ? Number.NaN : value),
    ),
  );
  for (const i of [0, 1, 2]) yield { name: `pos${i}`, values: position[i]!, sample: true };
  yield { name: "north", unit, values: position[0]! };
  yield { name: "setNorth", unit, values: setpoint[0]! };
  yield { name: "east", unit, values: position[1]! };
  yield { name: "setEast", unit, values: setpoint[1]! };
  yield { name: "altitude", unit, values: scaled(position[2]!, -1) };
  yield { name: "setAltitude", unit, values: scaled(setpoint[2]!, -1) };
  yield { name: "error", unit, values: distance(position, setpoint) };
  const estimate = [0, 1, 2].map((i) => stretch.held("estPosNed", i));
  yield { name: "estimateError", unit, values: distance(position, estimate) };
}

function* velocities(stretch: Stretch): Generator<FullColumn> {
  const { unit } = SIGNALS.estVelNed;
  const velocity = [0, 1, 2].map((i) => stretch.state("velNed", i));
  const setpoint = [0, 1, 2].map((i) =>
    whileActive(stretch, stretch.held("setVelNed", i), i < 2 ? SETPOINT_BITS.velXy : SETPOINT_BITS.velZ),
  );
  const nothing = new Float64Array(stretch.rows);
  yield { name: "groundSpeed", unit, values: distance(velocity.slice(0, 2), [nothing, nothing]) };
  yield { name: "setGroundSpeed", unit, values: distance(setpoint.slice(0, 2), [nothing, nothing]) };
  yield { name: "climb", unit, values: scaled(velocity[2]!, -1) };
  yield { name: "setClimb", unit, values: scaled(setpoint[2]!, -1) };
}

function* attitudes(stretch: Stretch, roll: Unwinding, yaw: Unwinding): Generator<FullColumn> {
  const actual = eulerDeg([0, 1, 2, 3].map((i) => stretch.state("qBodyToNed", i)));
  roll.apply(actual[0]);
  yaw.apply(actual[2]);
  const setpoint = eulerDeg(
    [0, 1, 2, 3].map((i) => whileActive(stretch, stretch.held("setQBodyToNed", i), SETPOINT_BITS.attitude)),
  );
  for (const axis of [0, 2] as const) turnTowards(setpoint[axis], actual[axis]);
  for (let i = 0; i < 3; i += 1) {
    yield { name: `att${i}`, unit: "°", values: actual[i]! };
    yield { name: `setAtt${i}`, unit: "°", values: setpoint[i]! };
  }
}

function* propulsion(stretch: Stretch): Generator<FullColumn> {
  const { rotors, batteries } = stretch.dims;
  for (let i = 0; i < rotors; i += 1) {
    yield { name: `motor${i}`, unit: "duty", values: stretch.held("motorCommand", i) };
  }
  for (let i = 0; i < rotors; i += 1) {
    yield { name: `rotor${i}`, unit: "rad/s", values: stretch.state("rotorSpeed", i) };
  }
  for (let i = 0; i < batteries; i += 1) {
    yield { name: `voltage${i}`, unit: SIGNALS.batteryVoltage.unit, values: stretch.held("batteryVoltage", i) };
    yield { name: `current${i}`, unit: SIGNALS.batteryCurrent.unit, values: stretch.held("batteryCurrent", i) };
    yield { name: `remaining${i}`, unit: "%", values: scaled(stretch.held("batteryRemaining", i), 100) };
  }
}

/** Returns the values while a setpoint is active, NaN otherwise. */
function whileActive(stretch: Stretch, values: Float64Array, bit: number): Float64Array {
  const valid = stretch.held("setpointValid", 0);
  return values.map((value, i) => ((valid[i]! & bit) === 0 ? Number.NaN : value));
}

function scaled(values: Float64Array, factor: number): Float64Array {
  return values.map((value) => value * factor);
}

function sum(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, i) => value + b[i]!);
}

function distance(a: readonly Float64Array[], b: readonly Float64Array[]): Float64Array {
  return a[0]!.map((_, i) => Math.hypot(...a.map((column, axis) => column[i]! - b[axis]![i]!)));
}

/** Returns roll, pitch and yaw of quaternions w, x, y, z (rotation about z, then y, then x). */
function eulerDeg(q: readonly Float64Array[]): [Float64Array, Float64Array, Float64Array] {
  const [w, x, y, z] = q as [Float64Array, Float64Array, Float64Array, Float64Array];
  const angle = (of: (w: number, x: number, y: number, z: number) => number) =>
    w.map((_, i) => DEG * of(w[i]!, x[i]!, y[i]!, z[i]!));
  return [
    angle((w, x, y, z) => Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))),
    angle((w, x, y, z) => Math.asin(Math.max(-1, Math.min(1, 2 * (w * y - z * x))))),
    angle((w, x, y, z) => Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))),
  ];
}

/** Adds whole turns so that each angle is as near as possible to the actual angle. */
function turnTowards(degrees: Float64Array, actual: Float64Array): void {
  degrees.forEach((angle, i) => {
    degrees[i] = angle + 360 * Math.round((actual[i]! - angle) / 360);
  });
}

/** Adds whole turns so that consecutive angles never differ by more than half a turn, across stretches too. */
class Unwinding {
  private turns = 0;
  private last: number | undefined;

  apply(degrees: Float64Array): void {
    for (let i = 0; i < degrees.length; i += 1) {
      const step = degrees[i]! + this.turns - (this.last ?? degrees[i]!);
      this.turns -= 360 * Math.round(step / 360);
      degrees[i]! += this.turns;
      this.last = degrees[i]!;
    }
  }
}
