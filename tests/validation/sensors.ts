/** Rows of the raw sensors with default parameters: data sheets, and the vibration of an unbalanced propeller. */
import { PERFECT_IMU, RIG_LATITUDE_DEG, SensorRig, shakenAirframe } from "../support/sensor-rig.ts";
import type { ValidationRow } from "./row.ts";

const DEG = Math.PI / 180;

export function sensorRows(): ValidationRow[] {
  return [...inertialNoise(), ...receiver(), ...compass(), ...pressure(), ...airspeed(), ...range(), ...vibration()];
}

const deviation = (values: readonly number[]) => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
};

/** Returns the density of white noise from differences of consecutive samples, which contain no bias or drift. */
function density(values: readonly number[], periodS: number): number {
  return deviation(values.slice(1).map((value, k) => value - values[k]!)) * Math.sqrt(periodS / 2);
}

function inertialNoise(): ValidationRow[] {
  const { force, rate } = new SensorRig("imu").run(8000);
  const row = (quantity: string, published: number, ours: number, unit: string) => ({
    area: "Inertial sensor",
    quantity,
    source: "InvenSense MPU-9250, data sheet PS-MPU-9250A-01, tables 1 and 2",
    basis: "fitted" as const,
    published,
    ours,
    tolerance: 0.05 * published,
    unit,
  });
  const still = new SensorRig("imu", { ...PERFECT_IMU, earthRotation: true }).run(1).rate[0]!;
  return [
    row(
      "gyroscope: noise density",
      0.01,
      density(
        rate.map(([x]) => x!),
        0.004,
      ) / DEG,
      "deg/s/√Hz",
    ),
    row(
      "accelerometer: noise density",
      300,
      density(
        force.map(([x]) => x!),
        0.004,
      ) / 9.80665e-6,
      "ug/√Hz",
    ),
    {
      area: "Inertial sensor",
      quantity: `gyroscope: rate at rest, level, latitude ${RIG_LATITUDE_DEG}°`,
      source: "rotation of the Earth, WGS-84: 15.041 deg/h",
      published: 15.041067,
      ours: (Math.hypot(...still) / DEG) * 3600,
      tolerance: 1e-5,
      unit: "deg/h",
    },
  ];
}

/** Returns rows of the horizontal error and the delay of the first fix of many receivers. */
function receiver(): ValidationRow[] {
  const radii = Array.from({ length: 2000 }, (_, seed) => {
    const rig = new SensorRig("gnss", { latencyS: 0 }, seed);
    rig.step();
    const [lat, lon] = rig.signal("gnssLatLon");
    return Math.hypot(lat! - RIG_LATITUDE_DEG, lon! - 8) * 1e5;
  }).sort((a, b) => a - b);
  const late = new SensorRig("gnss");
  while (late.signal("gnssCount")[0] === 0) late.step();
  const area = "Satellite receiver";
  return [
    {
      area,
      quantity: "satellite receiver: circle that holds half of the positions (CEP)",
      source:
        "u-blox M8, data sheet: autonomous (read in a seller's extract for the MAX-M8Q, which has the engine of the NEO-M8N)",
      basis: "fitted",
      published: 2.5,
      ours: radii[1000]!,
      tolerance: 0.125,
      unit: "m",
    },
    {
      area,
      quantity: "satellite receiver: time from a measurement to its delivery",
      source: "PX4's EKF2_GPS_DELAY of 110 ms, and ArduPilot's lag of 120 ms for u-blox M8 and M9 (AP_GPS_UBLOX)",
      basis: "fitted",
      published: 0.115,
      ours: (late.clock.us - 1000) / 1e6,
      tolerance: 0.005,
      unit: "s",
    },
  ];
}

function compass(): ValidationRow[] {
  const rig = new SensorRig("magnetometer", { wanderUt: 0 });
  const seen = Array.from({ length: 4000 }, () => {
    rig.step();
    return rig.signal("magFieldBody")[0]!;
  });
  return [
    {
      area: "Magnetometer",
      quantity: "magnetometer: noise of a sample, with the resolution of 1/75 µT",
      source: "PNI, article on magneto-inductive sensors: RM3100 at 200 cycle counts, 75 counts per µT",
      basis: "fitted",
      published: 15,
      ours: 1000 * deviation(seen),
      tolerance: 1.5,
      unit: "nT",
    },
  ];
}

function pressure(): ValidationRow[] {
  const rig = new SensorRig("barometer", { wanderPa: 0, lagS: 0, lsbPa: 0 });
  const seen = Array.from({ length: 4000 }, () => {
    rig.step();
    return rig.signal("baroPressure")[0]!;
  });
  return [
    {
      area: "Barometer",
      quantity: "barometer: noise of a sample",
      source: "TE Connectivity MS5611-01BA03 at an oversampling of 4096, data sheet: 0.012 mbar",
      basis: "fitted",
      published: 1.2,
      ours: deviation(seen),
      tolerance: 0.1,
      unit: "Pa",
    },
  ];
}

function airspeed(): ValidationRow[] {
  const rig = new SensorRig("airspeed");
  const seen = Array.from({ length: 4000 }, () => {
    rig.step();
    return rig.signal("pitotPressure")[0]!;
  }).sort((a, b) => a - b);
  const steps = seen.slice(1).map((value, k) => value - seen[k]!);
  return [
    {
      area: "Airspeed sensor",
      quantity: "airspeed sensor: smallest difference of two readings",
      source: "TE Connectivity MS4525DO, data sheet: 14 bits, of which 10 to 90 % are ±1 psi (output type A)",
      basis: "fitted",
      published: (2 * 6894.757) / (14_746 - 1638),
      ours: Math.min(...steps.filter((step) => step > 1e-6)),
      tolerance: 0.001,
      unit: "Pa",
    },
  ];
}

/** Returns rows of two standard deviations of the distance, which we compare with the accuracy in the data sheet. */
function range(): ValidationRow[] {
  const row = (distanceM: number, published: number, source: string) => {
    const rig = new SensorRig("rangeFinder", { maxM: 100, lsbM: 0 });
    rig.block("posNed")[2] = -distanceM;
    const seen = Array.from({ length: 4000 }, () => {
      rig.step();
      return rig.signal("rangeDistance")[0]!;
    });
    return {
      area: "Range finder",
      quantity: `range finder: accuracy (two standard deviations) at ${distanceM} m`,
      source,
      basis: "fitted" as const,
      published,
      ours: 2 * deviation(seen),
      tolerance: 0.05 * published,
      unit: "m",
    };
  };
  return [
    row(5, 0.025, "Garmin LIDAR-Lite v3, product page: ±2.5 cm, 1 cm steps, 5 cm to 40 m"),
    row(40, 0.1, "Garmin LIDAR-Lite v3: ±10 cm from 5 m on (the manual itself was not read)"),
  ];
}

function vibration(): ValidationRow[] {
  const area = "Vibration";
  const speed = 482;
  const shaken = (imbalanceGmm: number, periodS: number) => {
    const rig = new SensorRig("imu", { ...PERFECT_IMU, periodS });
    rig.signal("propellerImbalance")[0] = imbalanceGmm * 1e-6;
    rig.block("rotorSpeed")[0] = speed;
    const { force } = rig.run(2000);
    return { force: force.at(-1)!, metric: rig.signal("accelVibration")[0]! };
  };
  const { massKg } = shakenAirframe;
  const amplitude = (50e-6 * speed ** 2) / massKg;
  return [
    {
      area,
      quantity:
        "vibration: centrifugal force of an imbalance of 1 g.mm at 482 rad/s (accelerometer reading times mass)",
      source: "m·e·Ω²",
      basis: "theory",
      published: 1e-6 * speed ** 2,
      ours: massKg * Math.hypot(...shaken(1, 0.004).force),
      tolerance: 1e-9,
      unit: "N",
    },
    {
      area,
      quantity: "vibration: PX4's metric for an imbalance of 50 g.mm on 1.5 kg, sampled at 250 Hz; below 4.9 is good",
      source: "length of the difference of two samples of a vector that turns, 2a·sin(Ωh/2)",
      basis: "theory",
      published: 2 * amplitude * Math.sin(speed * 0.002),
      ours: shaken(50, 0.004).metric,
      tolerance: 1e-6,
      unit: "m/s2",
    },
  ];
}
