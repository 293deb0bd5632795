/**
 * Builds one step for PX4: raw sensors from the bus in MAVLink's units. HIL_SENSOR comes last, because it advances
 * PX4's clock.
 *
 * Only new samples are marked as updated, group by group (PX4 ignores a group unless all its bits are set). Units of
 * the messages: gauss, hectopascal, 1e-7 degrees, millimetres, centimetres and centimetres per second.
 */
import type { View } from "@escapement/core";
import { MESSAGES } from "../mavlink/dialect.ts";
import type { FrameWriter } from "../mavlink/frame.ts";
import { addHilSensor, SENSOR_VALUE_COUNT, SENSOR_VALUES, UPDATED } from "../mavlink/hil.ts";

const GAUSS_PER_UT = 0.01;
const HPA_PER_PA = 0.01;
const GPS_UNKNOWN_YAW = 0;
/** Facing down, in MAVLink's list of orientations. */
const ORIENTATION_DOWN = 25;
const LASER = 0;
const RANGE_COVARIANCE_UNKNOWN = 255;
/** The longest valid distance on the wire, in centimetres. The value above it means "no echo". */
const MAX_RANGE_CM = 0xfffe;
const BEYOND_RANGE_CM = 100;

/** Limits of the distances at which the range finder has an echo. */
export interface RangeLimits {
  readonly minM: number;
  readonly maxM: number;
}

type Bus = View<"autopilot">;

export class SensorFrame {
  /** True if the last step had a new gyroscope sample. */
  hasGyro = false;
  private readonly values = new Float64Array(SENSOR_VALUE_COUNT);
  private readonly timeUs = new Float64Array(1);
  /** Sample counts at the last step: gyro, accelerometer, magnetometer, barometer, receiver, airspeed, range finder. */
  private readonly seen = new Float64Array(7);
  private readonly rangeCm: { readonly min: number; readonly max: number };

  constructor({ minM, maxM }: RangeLimits = { minM: 0, maxM: Infinity }) {
    this.rangeCm = { min: rangeCm(minM), max: rangeCm(maxM) };
  }

  /** Appends the step at `timeUs` of PX4's clock to the batch. */
  build(batch: FrameWriter, timeUs: number, bus: Bus): void {
    this.timeUs[0] = timeUs;
    if (this.isNew(4, bus.gnssCount[0]!)) this.addGps(batch, timeUs, bus);
    if (this.isNew(6, bus.rangeCount[0]!)) this.addRange(batch, timeUs, bus);
    const updated = this.collect(bus);
    this.hasGyro = (updated & UPDATED.gyro) !== 0;
    addHilSensor(batch, this.timeUs, this.values, updated, 0);
  }

  private collect(bus: Bus): number {
    const { values } = this;
    let updated = 0;
    if (this.isNew(0, bus.gyroCount[0]!)) {
      for (let i = 0; i < 3; i += 1) values[SENSOR_VALUES.gyro + i] = bus.gyroRateBody[i]!;
      updated |= UPDATED.gyro;
    }
    if (this.isNew(1, bus.accelCount[0]!)) {
      for (let i = 0; i < 3; i += 1) values[SENSOR_VALUES.acc + i] = bus.accelForceBody[i]!;
      updated |= UPDATED.acc;
    }
    if (this.isNew(2, bus.magCount[0]!)) {
      for (let i = 0; i < 3; i += 1) values[SENSOR_VALUES.mag + i] = bus.magFieldBody[i]! * GAUSS_PER_UT;
      updated |= UPDATED.mag;
    }
    if (this.isNew(3, bus.baroCount[0]!)) {
      values[SENSOR_VALUES.absPressureHpa] = bus.baroPressure[0]! * HPA_PER_PA;
      values[SENSOR_VALUES.pressureAltM] = bus.baroAltitude[0]!;
      values[SENSOR_VALUES.temperatureC] = bus.baroTemperature[0]!;
      updated |= UPDATED.baro;
    }
    if (this.isNew(5, bus.pitotCount[0]!)) {
      values[SENSOR_VALUES.diffPressureHpa] = bus.pitotPressure[0]! * HPA_PER_PA;
      updated |= UPDATED.diffPressure;
    }
    return updated;
  }

  private isNew(index: number, count: number): boolean {
    const changed = count !== this.seen[index];
    this.seen[index] = count;
    return changed;
  }

  private addGps(batch: FrameWriter, timeUs: number, bus: Bus): void {
    const vn = bus.gnssVelNed[0]!;
    const ve = bus.gnssVelNed[1]!;
    const courseDeg = (Math.atan2(ve, vn) * 180) / Math.PI;
    batch.add(MESSAGES.HIL_GPS, {
      time_usec: timeUs,
      fix_type: bus.gnssFix[0]!,
      lat: Math.round(bus.gnssLatLon[0]! * 1e7),
      lon: Math.round(bus.gnssLatLon[1]! * 1e7),
      alt: Math.round(bus.gnssAltitude[0]! * 1e3),
      eph: Math.round(bus.gnssAccuracy[0]! * 100),
      epv: Math.round(bus.gnssAccuracy[1]! * 100),
      vel: Math.round(Math.hypot(vn, ve) * 100),
      vn: Math.round(vn * 100),
      ve: Math.round(ve * 100),
      vd: Math.round(bus.gnssVelNed[2]! * 100),
      cog: Math.round(((courseDeg + 360) % 360) * 100) % 36_000,
      satellites_visible: bus.gnssSatellites[0]!,
      id: 0,
      yaw: GPS_UNKNOWN_YAW,
    });
  }

  private addRange(batch: FrameWriter, timeUs: number, bus: Bus): void {
    const { min, max } = this.rangeCm;
    batch.add(MESSAGES.DISTANCE_SENSOR, {
      time_boot_ms: Math.floor(timeUs / 1000),
      min_distance: min,
      max_distance: max,
      // Without an echo, report a distance beyond the sensor's range, which PX4 interprets as no object in range.
      current_distance:
        bus.rangeValid[0] === 1 ? rangeCm(bus.rangeDistance[0]!) : Math.min(0xffff, max + BEYOND_RANGE_CM),
      type: LASER,
      id: 0,
      orientation: ORIENTATION_DOWN,
      covariance: RANGE_COVARIANCE_UNKNOWN,
    });
  }
}

function rangeCm(distanceM: number): number {
  return Math.max(0, Math.min(MAX_RANGE_CM, Math.round(distanceM * 100)));
}
