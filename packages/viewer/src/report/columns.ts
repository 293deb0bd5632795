/**
 * The columns of a flight that a page plots: actual values and setpoints at every log tick.
 *
 * Units come from the signal table unless the page converts them (degrees, percent). An inactive setpoint is NaN, which
 * plots omit. Attitudes are roll, pitch and yaw in degrees. Roll and yaw are unwrapped, so that a turn through south or
 * a tumble draws no line across the plot.
 */
import {
  findBlock,
  findStream,
  heldValues,
  type Recording,
  SETPOINT_BITS,
  type SignalName,
  SIGNALS,
  type Stream,
  streamColumn,
} from "@escapement/core";
import type { FullColumn } from "./downsample.ts";

const DEG = 180 / Math.PI;

/** Yields the columns one by one, so that few exist at full length at the same time. */
export function* flightColumns(recording: Recording): Generator<FullColumn> {
  const source = new ColumnSource(recording);
  yield { name: "t", values: source.timesS, sample: true };
  yield* positions(source);
  yield* velocities(source);
  yield* attitudes(source);
  for (let i = 0; i < 3; i += 1) {
    const rates = source.held("setRateBody", i);
    yield { name: `rate${i}`, unit: "°/s", values: scaled(source.state("rateBody", i), DEG) };
    yield { name: `setRate${i}`, unit: "°/s", values: scaled(source.where(rates, SETPOINT_BITS.rates), DEG) };
  }
  yield { name: "mode", values: source.held("navState", 0), sample: true };
  const { rotors, batteries } = recording.dims;
  for (let i = 0; i < rotors; i += 1) yield { name: `motor${i}`, unit: "duty", values: source.held("motorCommand", i) };
  for (let i = 0; i < rotors; i += 1) yield { name: `rotor${i}`, unit: "rad/s", values: source.state("rotorSpeed", i) };
  for (let i = 0; i < batteries; i += 1) {
    yield { name: `voltage${i}`, unit: SIGNALS.batteryVoltage.unit, values: source.held("batteryVoltage", i) };
    yield { name: `current${i}`, unit: SIGNALS.batteryCurrent.unit, values: source.held("batteryCurrent", i) };
    yield { name: `remaining${i}`, unit: "%", values: scaled(source.held("batteryRemaining", i), 100) };
  }
  for (let i = 0; i < 3; i += 1) {
    yield {
      name: `wind${i}`,
      unit: SIGNALS.windNed.unit,
      values: sum(source.held("windBaseNed", i), source.held("windGustNed", i)),
    };
  }
}

function* positions(source: ColumnSource): Generator<FullColumn> {
  const { unit } = SIGNALS.estPosNed;
  const position = [0, 1, 2].map((i) => source.state("posNed", i));
  // Omit setpoints during ground contact, because the landing setpoint sinks far below the ground and would set the
  // axis.
  const contact = source.held("contactForceNed", 2);
  const setpoint = [0, 1, 2].map((i) =>
    source
      .where(source.held("setPosNed", i), i < 2 ? SETPOINT_BITS.posXy : SETPOINT_BITS.posZ)
      .map((value, row) => (contact[row]! < 0 ? Number.NaN : value)),
  );
  for (const i of [0, 1, 2]) yield { name: `pos${i}`, values: position[i]!, sample: true };
  yield { name: "north", unit, values: position[0]! };
  yield { name: "setNorth", unit, values: setpoint[0]! };
  yield { name: "east", unit, values: position[1]! };
  yield { name: "setEast", unit, values: setpoint[1]! };
  yield { name: "altitude", unit, values: scaled(position[2]!, -1) };
  yield { name: "setAltitude", unit, values: scaled(setpoint[2]!, -1) };
  yield { name: "error", unit, values: distance(position, setpoint) };
  const estimate = [0, 1, 2].map((i) => source.held("estPosNed", i));
  yield { name: "estimateError", unit, values: distance(position, estimate) };
}

function* velocities(source: ColumnSource): Generator<FullColumn> {
  const { unit } = SIGNALS.estVelNed;
  const velocity = [0, 1, 2].map((i) => source.state("velNed", i));
  const setpoint = [0, 1, 2].map((i) =>
    source.where(source.held("setVelNed", i), i < 2 ? SETPOINT_BITS.velXy : SETPOINT_BITS.velZ),
  );
  const nothing = new Float64Array(source.rows);
  yield { name: "groundSpeed", unit, values: distance(velocity.slice(0, 2), [nothing, nothing]) };
  yield { name: "setGroundSpeed", unit, values: distance(setpoint.slice(0, 2), [nothing, nothing]) };
  yield { name: "climb", unit, values: scaled(velocity[2]!, -1) };
  yield { name: "setClimb", unit, values: scaled(setpoint[2]!, -1) };
}

function* attitudes(source: ColumnSource): Generator<FullColumn> {
  const actual = eulerDeg([0, 1, 2, 3].map((i) => source.state("qBodyToNed", i)));
  for (const angle of [actual[0]!, actual[2]!]) unwind(angle);
  const setpoint = eulerDeg(
    [0, 1, 2, 3].map((i) => source.where(source.held("setQBodyToNed", i), SETPOINT_BITS.attitude)),
  );
  for (const axis of [0, 2] as const) turnTowards(setpoint[axis], actual[axis]);
  for (let i = 0; i < 3; i += 1) {
    yield { name: `att${i}`, unit: "°", values: actual[i]! };
    yield { name: `setAtt${i}`, unit: "°", values: setpoint[i]! };
  }
}

/** Components of the state and of held signals at every log tick. */
class ColumnSource {
  readonly rows: number;
  readonly timesS: Float64Array;
  private readonly recording: Recording;
  private readonly logged: Stream;
  private readonly valid: Float64Array;

  constructor(recording: Recording) {
    this.recording = recording;
    this.logged = findStream(recording, "state");
    this.rows = this.logged.timesUs.length;
    this.timesS = scaled(this.logged.timesUs, 1e-6);
    this.valid = this.held("setpointValid", 0);
  }

  state(block: string, component: number): Float64Array {
    const place = findBlock(this.recording, block);
    return place === undefined ? new Float64Array(this.rows) : streamColumn(this.logged, place.offset + component);
  }

  /** Returns the value held at each log tick; 0 before the signal's first value. */
  held(signal: SignalName, component: number): Float64Array {
    return heldValues(findStream(this.recording, signal), component, this.logged.timesUs);
  }

  /** Returns the values while a setpoint is active, NaN otherwise. */
  where(values: Float64Array, bit: number): Float64Array {
    return values.map((value, i) => ((this.valid[i]! & bit) === 0 ? Number.NaN : value));
  }
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

/** Adds whole turns so that consecutive angles never differ by more than half a turn. */
function unwind(degrees: Float64Array): void {
  let turns = 0;
  for (let i = 1; i < degrees.length; i += 1) {
    const step = degrees[i]! + turns - degrees[i - 1]!;
    turns -= 360 * Math.round(step / 360);
    degrees[i]! += turns;
  }
}
