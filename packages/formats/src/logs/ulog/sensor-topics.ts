/** Adds the topics of the raw sensors, the hover thrust estimate and the wind. */
import { now, one, type Cell } from "./cells.ts";
import type { Add } from "./topic-entry.ts";

export function addSensors(add: Add): void {
  add((from) => ({
    message: "sensor_combined",
    when: from.one("gyroCount"),
    fields: { gyro_rad: from.signal("gyroRateBody"), accelerometer_m_s2: from.signal("accelForceBody") },
  }));
  add((from) => ({
    message: "vehicle_imu_status",
    everyUs: 100_000,
    when: from.one("accelCount"),
    fields: {
      accel_vibration_metric: from.one("accelVibration"),
      gyro_vibration_metric: from.one("gyroVibration"),
      temperature_accel: from.one("imuTemperature"),
      temperature_gyro: from.one("imuTemperature"),
    },
  }));
  add((from) => ({
    message: "vehicle_air_data",
    everyUs: 100_000,
    when: from.one("baroCount"),
    fields: {
      timestamp_sample: now,
      baro_alt_meter: from.one("baroAltitude"),
      baro_pressure_pa: from.one("baroPressure"),
      ambient_temperature: from.one("baroTemperature"),
      rho: from.one("airDensity"),
    },
  }));
  add((from) => ({
    message: "hover_thrust_estimate",
    everyUs: 100_000,
    fields: { timestamp_sample: now, hover_thrust: from.one("hoverThrust"), valid: one },
  }));
  add((from) => {
    const [windspeed_north, windspeed_east] = from.signal("windNed") as [Cell, Cell];
    return { message: "wind", everyUs: 100_000, fields: { timestamp_sample: now, windspeed_north, windspeed_east } };
  });
}
