/** Compares vibration at the inertial sensor with closed forms: amplitudes, frequencies, aliases, mount and damage. */
import { describe, expect, it } from "vitest";
import { PERFECT_IMU, SensorRig, SHAKEN_INERTIA, shakenAirframe } from "../../../../../tests/support/sensor-rig.ts";
import { Snapshot } from "../../snapshot/index.ts";

const INERTIA = SHAKEN_INERTIA;
const MASS = shakenAirframe.massKg;
const SPEED = 482;
const GMM = 1e-6;

/** An inertial sensor without errors, on a vehicle whose rotor 1 turns. */
class Rig extends SensorRig {
  constructor(params: object = {}, seed = 1) {
    super("imu", { ...PERFECT_IMU, periodS: 0.001, ...params }, seed);
    this.signal("rotorThrust").fill(3.7);
    this.block("rotorSpeed")[0] = SPEED;
  }
}

/** Returns the amplitude of a line of `radS` in samples of period `h`, by its Fourier sum over many revolutions. */
function amplitude(values: readonly number[], radS: number, h: number): number {
  let [real, imaginary] = [0, 0];
  values.forEach((value, k) => {
    real += value * Math.cos(radS * h * k);
    imaginary += value * Math.sin(radS * h * k);
  });
  return (2 / values.length) * Math.hypot(real, imaginary);
}

const column = (rows: readonly number[][], i: number) => rows.map((row) => row[i]!);

describe("an unbalanced propeller", () => {
  it("pulls with m·e·Ω² (0.23 N for 1 g.mm at 482 rad/s), rotating in the rotor's plane", () => {
    const rig = new Rig();
    rig.signal("propellerImbalance")[0] = GMM;
    const { force, rate } = rig.run(100);
    for (const row of force.slice(1)) expect(MASS * Math.hypot(row[0]!, row[1]!)).toBeCloseTo(0.2323, 4);
    for (const row of force) expect(row[2]).toBe(0);
    for (const row of rate) expect(Math.hypot(...row)).toBeLessThan(1e-15);
    const turn = (k: number) => Math.atan2(force[k]![1]!, force[k]![0]!);
    const step = turn(51) - turn(50);
    // The force rotates about the axis, which points down, so from x to y.
    expect(((step % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI)).toBeCloseTo(SPEED * 0.001, 10);
  });

  it("away from the centre of mass rotates the vehicle, and the gyroscope measures F·r/(I·Ω) about z", () => {
    const rig = new Rig();
    rig.block("rotorSpeed").set([0, SPEED]);
    rig.signal("propellerImbalance")[1] = 10 * GMM;
    const { rate } = rig.run(4000);
    const wanted = (10 * GMM * SPEED * SPEED * 0.5) / (INERTIA[2]! * SPEED);
    expect(amplitude(column(rate, 2), SPEED, 0.001)).toBeCloseTo(wanted, 5);
    expect(amplitude(column(rate, 0), SPEED, 0.001)).toBeLessThan(1e-12);
  });

  it("that rotates the vehicle also adds a linear acceleration to a sensor away from the centre of mass", () => {
    const rig = new Rig({ posBodyM: [0.1, 0, 0] });
    rig.block("rotorSpeed").set([0, SPEED]);
    rig.signal("propellerImbalance")[1] = 10 * GMM;
    const pull = 10 * GMM * SPEED * SPEED;
    const { force } = rig.run(4000);
    expect(amplitude(column(force, 0), SPEED, 0.001) / (pull / MASS)).toBeCloseTo(1, 3);
    const side = pull / MASS + (pull * 0.5 * 0.1) / INERTIA[2]!;
    expect(amplitude(column(force, 1), SPEED, 0.001) / side).toBeCloseTo(1, 3);
  });

  it("aliases at the sensor's rate: at 50 Hz the line at 76.7 Hz appears at 23.3 Hz", () => {
    const rig = new Rig({ periodS: 0.02 });
    rig.signal("propellerImbalance")[0] = GMM;
    const { force } = rig.run(4000);
    const alias = 2 * Math.PI * 100 - SPEED;
    expect(alias / (2 * Math.PI)).toBeCloseTo(23.3, 1);
    expect(MASS * amplitude(column(force, 0), alias, 0.02)).toBeCloseTo(0.2323, 3);
  });

  it("raises PX4's metric to 2·a·sin(Ω·h/2), its value for a rotating vector", () => {
    const rig = new Rig({ periodS: 0.004 });
    rig.signal("propellerImbalance")[0] = 50 * GMM;
    rig.run(2000);
    const a = (50 * GMM * SPEED * SPEED) / MASS;
    const metric = rig.signal("accelVibration")[0]!;
    expect(metric).toBeCloseTo(2 * a * Math.sin(SPEED * 0.002), 6);
    // 50 g.mm exceeds PX4's limit.
    expect(metric).toBeGreaterThan(4.9);
  });

  it("passes a mount of 20 Hz according to its transfer function", () => {
    const rig = new Rig({ mountHz: 20, mountDamping: 0.3 });
    rig.signal("propellerImbalance")[0] = GMM;
    const x = SPEED / (2 * Math.PI * 20);
    const passed = Math.hypot(1, 0.6 * x) / Math.hypot(1 - x * x, 0.6 * x);
    const { force } = rig.run(200);
    for (const row of force.slice(1)) expect(MASS * Math.hypot(row[0]!, row[1]!)).toBeCloseTo(0.2323 * passed, 4);
    expect(passed).toBeLessThan(0.2);
  });
});

describe("blades", () => {
  it("shake the vehicle along the thrust at N·Ω", () => {
    const { force } = new Rig({ bladePassing: 0.02 }).run(4000);
    expect(MASS * amplitude(column(force, 2), 2 * SPEED, 0.001)).toBeCloseTo(0.02 * 3.7, 4);
    expect(amplitude(column(force, 2), SPEED, 0.001)).toBeLessThan(1e-3);
    expect(Math.max(...column(force, 0).map(Math.abs))).toBe(0);
  });

  it("pull the hub by the missing mass and rotate it by the missing lift, if one blade lacks 5 % of its radius", () => {
    const rig = new Rig();
    rig.signal("propellerChip")[0] = 0.05;
    const { force, rate } = rig.run(4000);
    const { radiusM, blades, inertiaKgM2 } = shakenAirframe.propeller;
    const bladeMass = (3 * inertiaKgM2) / (blades * radiusM ** 2);
    // First moment of the missing part of a uniform blade.
    const missing = ((bladeMass * radiusM) / 2) * (1 - 0.95 ** 2);
    expect(MASS * amplitude(column(force, 0), SPEED, 0.001)).toBeCloseTo(missing * SPEED ** 2, 2);
    const thrust = 3.7 / (1 + 0.95 ** 3);
    const moment = 0.75 * thrust * radiusM * (1 - 0.95 ** 4);
    expect(amplitude(column(rate, 0), SPEED, 0.001)).toBeCloseTo(moment / (INERTIA[0]! * SPEED), 5);
  });
});

it("intact and balanced propellers add nothing, bit for bit", () => {
  const shaken = new Rig({ imbalanceGmm: 0 }).run(50);
  for (const row of [...shaken.force, ...shaken.rate]) expect(row).toEqual([0, 0, 0]);
});

it("a sensor that is saved and loaded continues with the same bits", () => {
  const [one, other] = [
    new Rig({ imbalanceGmm: 5, bladePassing: 0.01 }),
    new Rig({ imbalanceGmm: 5, bladePassing: 0.01 }, 9),
  ];
  one.run(37);
  Snapshot.of(one.sensor).into(other.sensor);
  other.clock.set(one.clock.us);
  expect(other.run(20)).toEqual(one.run(20));
});
