/** Compares the units on the wire, field by field, with numbers computed by hand. */
import type { View } from "@escapement/core";
import { describe, expect, it } from "vitest";
import { MESSAGES } from "../mavlink/dialect.ts";
import { FrameWriter } from "../mavlink/frame.ts";
import { FrameParser, valuesOf } from "../mavlink/parser.ts";
import type { Frame } from "../mavlink/parser.ts";
import { SensorFrame } from "./sensor-frame.ts";

function bus(): Record<string, Float64Array> {
  return {
    gyroRateBody: Float64Array.of(0.1, -0.2, 0.3),
    accelForceBody: Float64Array.of(0, 0, -9.80665),
    gyroCount: Float64Array.of(1),
    accelCount: Float64Array.of(1),
    magFieldBody: Float64Array.of(21.743, 1.294, 43.041),
    magCount: Float64Array.of(1),
    baroPressure: Float64Array.of(95_600),
    baroAltitude: Float64Array.of(488.5),
    baroTemperature: Float64Array.of(25),
    baroCount: Float64Array.of(1),
    gnssLatLon: Float64Array.of(47.397742, 8.545594),
    gnssAltitude: Float64Array.of(488.25),
    gnssVelNed: Float64Array.of(3, -4, 0.5),
    gnssAccuracy: Float64Array.of(0.9, 1.5),
    gnssFix: Float64Array.of(3),
    gnssSatellites: Float64Array.of(12),
    gnssCount: Float64Array.of(1),
    pitotPressure: Float64Array.of(61.25),
    pitotCount: Float64Array.of(1),
    rangeDistance: Float64Array.of(7.25),
    rangeValid: Float64Array.of(1),
    rangeCount: Float64Array.of(1),
  };
}

const range = { minM: 0.1, maxM: 40 };

function framesOf(signals: Record<string, Float64Array>, sensors = new SensorFrame(range), timeUs = 1_004_000) {
  const writer = new FrameWriter({ systemId: 1, componentId: 51 });
  sensors.build(writer, timeUs, signals as unknown as View<"autopilot">);
  const seen: Record<string, unknown> = {};
  const order: string[] = [];
  const note = (frame: Frame): void => {
    order.push(frame.message.name);
    seen[frame.message.name] = valuesOf(frame, frame.message);
  };
  new FrameParser(MESSAGES, note).push(writer.take());
  return { order, seen };
}

describe("sensor frame", () => {
  it("sends gauss, hectopascal, 1e-7 degrees, millimetres, centimetres, and the inertial frame last", () => {
    const { order, seen } = framesOf(bus());
    expect(order).toEqual(["HIL_GPS", "DISTANCE_SENSOR", "HIL_SENSOR"]);
    expect(seen.HIL_GPS).toEqual({
      time_usec: 1_004_000n,
      fix_type: 3,
      lat: 473_977_420,
      lon: 85_455_940,
      alt: 488_250,
      eph: 90,
      epv: 150,
      vel: 500,
      vn: 300,
      ve: -400,
      vd: 50,
      cog: 30_687,
      satellites_visible: 12,
      id: 0,
      yaw: 0,
    });
    expect(seen.DISTANCE_SENSOR).toMatchObject({
      time_boot_ms: 1004,
      min_distance: 10,
      max_distance: 4000,
      current_distance: 725,
      orientation: 25,
    });
    const expected = {
      xacc: 0,
      zacc: -9.80665,
      xgyro: 0.1,
      ygyro: -0.2,
      zgyro: 0.3,
      xmag: 0.21743,
      ymag: 0.01294,
      zmag: 0.43041,
      abs_pressure: 956,
      diff_pressure: 0.6125,
      pressure_alt: 488.5,
      temperature: 25,
      fields_updated: 0x1fff,
      id: 0,
    };
    for (const [name, value] of Object.entries(expected)) {
      expect((seen.HIL_SENSOR as Record<string, number>)[name], name).toBeCloseTo(value, 5);
    }
  });

  it("marks only new samples, a whole group at a time, and sends no fix twice", () => {
    const signals = bus();
    const sensors = new SensorFrame();
    framesOf(signals, sensors);
    signals.gyroCount![0] = 2;
    signals.accelCount![0] = 2;
    const second = framesOf(signals, sensors, 1_008_000);
    expect(second.order).toEqual(["HIL_SENSOR"]);
    expect(second.seen.HIL_SENSOR).toMatchObject({ fields_updated: 0x3f });
    signals.baroCount![0] = 2;
    signals.magCount![0] = 2;
    expect(framesOf(signals, sensors, 1_012_000).seen.HIL_SENSOR).toMatchObject({ fields_updated: 0x1a00 | 0x01c0 });
  });

  it("reports no echo as a distance beyond the sensor's range", () => {
    const signals = bus();
    signals.rangeValid![0] = 0;
    signals.rangeDistance![0] = 0;
    expect(framesOf(signals).seen.DISTANCE_SENSOR).toMatchObject({ current_distance: 4100, max_distance: 4000 });
  });

  it.each([
    [
      { minM: 0.3, maxM: 100 },
      { min_distance: 30, max_distance: 10_000, current_distance: 725 },
    ],
    [
      { minM: 0, maxM: 5000 },
      { min_distance: 0, max_distance: 65_534, current_distance: 725 },
    ],
  ])("sends PX4 the limits of the flight's own sensor, clamped to the range of the message: %j", (limits, expected) => {
    expect(framesOf(bus(), new SensorFrame(limits)).seen.DISTANCE_SENSOR).toMatchObject(expected);
    const silent = { ...bus(), rangeValid: Float64Array.of(0) };
    const frame = framesOf(silent, new SensorFrame(limits)).seen.DISTANCE_SENSOR as { current_distance: number };
    expect(frame.current_distance).toBeGreaterThan(expected.max_distance);
  });
});
