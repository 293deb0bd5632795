/**
 * Writes HIL_SENSOR and reads HIL_ACTUATOR_CONTROLS, the messages of every lockstep tick, without allocating.
 *
 * Values are passed in typed arrays in the order of the constants below. Offsets come from the message tables.
 */
import { MESSAGES } from "./dialect.ts";
import type { FrameWriter } from "./frame.ts";
import { readU64, writeU64 } from "./message.ts";
import type { Frame } from "./parser.ts";

const SENSOR = MESSAGES.HIL_SENSOR;
const SENSOR_FIRST = SENSOR.offsets.xacc;
const SENSOR_UPDATED = SENSOR.offsets.fields_updated;
const SENSOR_ID = SENSOR.offsets.id;
const CONTROLS = MESSAGES.HIL_ACTUATOR_CONTROLS;
const CONTROLS_FIRST = CONTROLS.offsets.controls;

/** Order of the values in HIL_SENSOR: consecutive float32 values on the wire. */
export const SENSOR_VALUES = {
  acc: 0,
  gyro: 3,
  mag: 6,
  absPressureHpa: 9,
  diffPressureHpa: 10,
  pressureAltM: 11,
  temperatureC: 12,
} as const;
export const SENSOR_VALUE_COUNT = 13;

/** Groups of `fields_updated`. PX4 ignores a group unless all its bits are set. */
export const UPDATED = { acc: 0x0007, gyro: 0x0038, mag: 0x01c0, baro: 0x1a00, diffPressure: 0x0400 } as const;

const CONTROL_CHANNELS = 16;
/** Bit of `mode` that is set if the vehicle is armed. */
const MODE_ARMED = 0x80;

/** Appends HIL_SENSOR. `timeUs[0]` is the time; `values` are in the order of `SENSOR_VALUES`. */
export function addHilSensor(
  writer: FrameWriter,
  timeUs: Float64Array,
  values: Float64Array,
  updated: number,
  id: number,
): void {
  const at = writer.begin(SENSOR);
  const { view } = writer;
  writeU64(view, at, timeUs[0]!);
  for (let i = 0; i < SENSOR_VALUE_COUNT; i += 1) view.setFloat32(at + SENSOR_FIRST + 4 * i, values[i]!, true);
  view.setUint32(at + SENSOR_UPDATED, updated, true);
  view.setUint8(at + SENSOR_ID, id);
  writer.end();
}

export class ActuatorControls {
  readonly controls = new Float64Array(CONTROL_CHANNELS);
  readonly timeUs = new Float64Array(1);
  armed = false;
  /** Bit 0 of `flags`: the sender runs in lockstep. */
  lockstep = false;

  /** Copies the frame's values and returns true if it is HIL_ACTUATOR_CONTROLS; otherwise returns false. */
  read(frame: Frame): boolean {
    if (frame.message.id !== CONTROLS.id) return false;
    const { payload } = frame;
    this.timeUs[0] = readU64(payload, CONTROLS.offsets.time_usec);
    this.lockstep = (payload.getUint8(CONTROLS.offsets.flags) & 1) === 1;
    this.armed = (payload.getUint8(CONTROLS.offsets.mode) & MODE_ARMED) !== 0;
    for (let i = 0; i < CONTROL_CHANNELS; i += 1) {
      this.controls[i] = payload.getFloat32(CONTROLS_FIRST + 4 * i, true);
    }
    return true;
  }
}
