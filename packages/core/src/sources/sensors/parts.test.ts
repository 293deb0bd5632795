/** Tests the Earth's rotation in the gyroscope, and an uncalibrated inertial sensor. */
import { describe, expect, it } from "vitest";
import { PERFECT_IMU, RIG_LATITUDE_DEG, SensorRig } from "../../../../../tests/support/sensor-rig.ts";

const EARTH = 7.292115e-5;
const LATITUDE = (RIG_LATITUDE_DEG * Math.PI) / 180;

describe("the gyroscope", () => {
  const turning = { ...PERFECT_IMU, earthRotation: true };

  it("of a level vehicle measures the Earth's rotation about north and up", () => {
    const rig = new SensorRig("imu", turning);
    rig.step();
    const [x, y, z] = rig.signal("gyroRateBody");
    expect(x).toBeCloseTo(EARTH * Math.cos(LATITUDE), 12);
    expect(y).toBe(0);
    expect(z).toBeCloseTo(-EARTH * Math.sin(LATITUDE), 12);
  });

  it("of a vehicle that faces east measures the north component on its left", () => {
    const rig = new SensorRig("imu", turning);
    rig.block("qBodyToNed").set([Math.SQRT1_2, 0, 0, Math.SQRT1_2]);
    rig.step();
    expect(rig.signal("gyroRateBody")[0]).toBeCloseTo(0, 12);
    expect(rig.signal("gyroRateBody")[1]).toBeCloseTo(-EARTH * Math.cos(LATITUDE), 12);
  });
});

describe("an inertial sensor that was not calibrated", () => {
  /** Readings of 400 sensors at rest, at turn-on and when warm, 40 K above the air of 15 °C. */
  const sensors = Array.from({ length: 400 }, (_, seed) => {
    const rig = new SensorRig(
      "imu",
      { ...PERFECT_IMU, calibrated: false, selfHeatingK: 40, warmUpTauS: 0.001, referenceTemperatureC: 15 },
      seed,
    );
    rig.signal("airTemperature")[0] = 288.15;
    const warm = rig.run(30);
    return { rate: warm.rate.at(-1)!, force: warm.force.at(-1)! };
  });
  const deviation = (values: readonly number[]) => Math.sqrt(values.reduce((sum, v) => sum + v * v, 0) / values.length);

  it("has the bias and the drift of the data sheet, of both signs, on every axis", () => {
    for (let i = 0; i < 3; i += 1) {
      const gyro = deviation(sensors.map(({ rate }) => rate[i]!));
      const accel = deviation(sensors.map(({ force }) => force[i]!));
      // The standard deviations are a third of 5 deg/s and of 30 deg/s per 65 K, and of 70 mg and 1.5 mg/K. With 400
      // sensors, their estimates are accurate to 3.5 %.
      const wantedGyro = (Math.PI / 180 / 3) * Math.hypot(5, (30 / 65) * 40);
      const wantedAccel = (9.80665e-3 / 3) * Math.hypot(70, 1.5 * 40);
      expect(Math.abs(gyro / wantedGyro - 1)).toBeLessThan(0.15);
      expect(Math.abs(accel / wantedAccel - 1)).toBeLessThan(0.15);
    }
  });
});
