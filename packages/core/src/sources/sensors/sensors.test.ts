/**
 * Compares the statistics of raw sensors with theory and their kinematics with closed forms, tests their faults, and
 * checks that a saved and loaded sensor continues with the same bits.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Bus, TruthWindow } from "../../engine/bus.ts";
import type { Source, View } from "../../engine/contracts.ts";
import type { SensorWriter } from "../../engine/stages.ts";
import { SENSORS } from "../../signals/table.ts";
import type { SignalName } from "../../signals/table.ts";
import { checkParams } from "../../params/check.ts";
import type { Diagnostic } from "../../params/check.ts";
import { Snapshot } from "../../snapshot/index.ts";
import { StateLayout } from "../../state/index.ts";
import { FlightClock } from "../../time/clock.ts";
import { standardAltitude } from "./barometer.ts";
import type { SensorContext } from "./context.ts";
import { FAULTS } from "./fault-channel.ts";
import { nedToBodyInto } from "./frames.ts";
import { specificForceAtInto } from "./imu.ts";
import { sensorKinds } from "./index.ts";

const FIELD_NED_UT = [21.743, 1.294, 43.041];

const context: SensorContext = {
  seed: 7,
  autopilotPeriodUs: 4000,
  startUs: 0,
  geodeticInto: (out, pos) => {
    out[0] = 47 + pos[0]! / 1e5;
    out[1] = 8 + pos[1]! / 1e5;
    out[2] = 488 - pos[2]!;
  },
  // A field with a known gradient: 1 µT per 100 km northward, in every component.
  magneticFieldInto: (out, pos) => {
    for (let i = 0; i < 3; i += 1) out[i] = FIELD_NED_UT[i]! + pos[0]! / 1e5;
  },
};

const BLOCKS = ["posNed", "velNed", "qBodyToNed", "rateBody"] as const;
const layout = new StateLayout(
  BLOCKS.map((name) => ({
    name,
    size: name === "qBodyToNed" ? 4 : 3,
    unit: "1",
    kind: "vector" as const,
    group: name,
    tolerance: { absolute: 1, relative: 1 },
  })),
);

class Rig {
  readonly clock = new FlightClock();
  readonly x = new Float64Array(layout.size);
  readonly bus = new Bus({ rotors: 4, batteries: 2, buses: 1 }, new TruthWindow(layout, this.x));
  readonly sensor: Source<SensorWriter>;
  readonly periodUs: number;

  constructor(name: string, params: Record<string, unknown> = {}, around: Partial<SensorContext> = {}) {
    this.block("qBodyToNed")[0] = 1;
    this.bus.signal("specificForceBody").set([0, 0, -9.80665]);
    this.sensor = make(name, params, { ...context, ...around });
    this.periodUs = (this.sensor.axis as { periodUs: number }).periodUs;
  }

  block(name: (typeof BLOCKS)[number]): Float64Array {
    return layoutWindow(this.x, name);
  }

  signal(name: SignalName): Float64Array {
    return this.bus.signal(name);
  }

  fault(sensor: (typeof SENSORS)[number], kind: number, level = 0): void {
    this.signal("sensorFaultKind")[SENSORS.indexOf(sensor)] = kind;
    this.signal("sensorFaultLevel")[SENSORS.indexOf(sensor)] = level;
  }

  /** Runs the sensor `count` times at its own period. */
  run(count: number, each: () => void = () => {}): void {
    for (let i = 0; i < count; i += 1) {
      this.sensor.update(this.clock, this.bus.view(this.sensor.writer) as View<SensorWriter>);
      each();
      this.clock.set(this.clock.us + this.periodUs);
    }
  }
}

function layoutWindow(x: Float64Array, name: string): Float64Array {
  const { offset, size } = layout.require(name, "test");
  return x.subarray(offset, offset + size);
}

function make(name: string, params: Record<string, unknown>, around: SensorContext): Source<SensorWriter> {
  const kind = sensorKinds.find((candidate) => candidate.name === name)!;
  const diagnostics: Diagnostic[] = [];
  const resolved = checkParams(kind.params, params, diagnostics);
  expect(diagnostics).toEqual([]);
  return kind.make(resolved as never, around);
}

/** Parameters that switch off all noise and errors, so that only geometry remains. */
const CLEAN: Record<string, Record<string, unknown>> = {
  imu: {
    gyroNoiseRadpsPerRtHz: 0,
    gyroTurnOnRadps: 0,
    gyroInstabilityRadps: 0,
    gyroWalkRadpsPerRtS: 0,
    gyroDriftRadpsPerK: 0,
    gyroLsbRadps: 0,
    accelNoiseMps2PerRtHz: 0,
    accelTurnOnMps2: 0,
    accelInstabilityMps2: 0,
    accelWalkMps2PerRtS: 0,
    accelDriftMps2PerK: 0,
    accelLsbMps2: 0,
    earthRotation: false,
  },
  magnetometer: { noiseUt: 0, wanderUt: 0, lsbUt: 0 },
  barometer: { noisePa: 0, wanderPa: 0, lsbPa: 0, lagS: 0 },
  gnss: { wanderNedM: [0, 0, 0], noiseNedM: [0, 0, 0], noiseVelNedMps: [0, 0, 0] },
  airspeed: { noisePa: 0, wanderPa: 0, lsbPa: 0 },
  rangeFinder: { noiseM: 0, noisePerM: 0, lsbM: 0 },
};

/** The main value of each sensor, and the counter that increases with each new sample. */
const MAIN: Record<SensorWriter, { sensor: (typeof SENSORS)[number]; value: SignalName; count: SignalName }> = {
  imu: { sensor: "gyro", value: "gyroRateBody", count: "gyroCount" },
  magnetometer: { sensor: "mag", value: "magFieldBody", count: "magCount" },
  barometer: { sensor: "baro", value: "baroPressure", count: "baroCount" },
  gnss: { sensor: "gnss", value: "gnssAltitude", count: "gnssCount" },
  airspeed: { sensor: "airspeed", value: "pitotPressure", count: "pitotCount" },
  rangeFinder: { sensor: "range", value: "rangeDistance", count: "rangeCount" },
};

function deviation(values: readonly number[]): number {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / values.length);
}

describe("every sensor", () => {
  for (const { name } of sensorKinds) {
    const main = MAIN[name as SensorWriter];
    const steps = name === "gnss" ? 60 : 20;

    it(`${name}: continues with the same bits after save and load`, () => {
      const first = new Rig(name);
      first.block("posNed").set([3, -2, -7]);
      first.fault(main.sensor, FAULTS.drift, 0.1);
      first.run(steps + 7);
      const second = new Rig(name);
      Snapshot.of(first.sensor).into(second.sensor);
      second.bus.values.set(first.bus.values);
      second.x.set(first.x);
      second.clock.set(first.clock.us);
      for (const rig of [first, second]) rig.run(steps);
      expect(second.bus.values).toEqual(first.bus.values);
      expect(Snapshot.of(second.sensor)).toEqual(Snapshot.of(first.sensor));
    });

    it(`${name}: has the same noise for the same seed, and different noise for a different seed`, () => {
      const [a, b, c] = [new Rig(name), new Rig(name), new Rig(name, {}, { seed: 8 })];
      for (const rig of [a, b, c]) {
        rig.block("posNed").set([0, 0, -7]);
        rig.run(steps);
      }
      expect(b.bus.values).toEqual(a.bus.values);
      expect(c.signal(main.value)).not.toEqual(a.signal(main.value));
    });

    it(`${name}: a drop-out stops the samples, and the samples after it are exactly those without a fault`, () => {
      const [faulty, healthy] = [new Rig(name), new Rig(name)];
      for (const rig of [faulty, healthy]) rig.block("posNed").set([0, 0, -7]);
      for (const rig of [faulty, healthy]) rig.run(steps);
      faulty.fault(main.sensor, FAULTS["drop-out"]);
      const held = [...faulty.signal(main.value)];
      const count = faulty.signal(main.count)[0];
      for (const rig of [faulty, healthy]) rig.run(steps);
      expect([...faulty.signal(main.value)]).toEqual(held);
      expect(faulty.signal(main.count)[0]).toBe(count);
      expect(healthy.signal(main.count)[0]).toBeGreaterThan(count!);
      faulty.fault(main.sensor, FAULTS.healthy);
      for (const rig of [faulty, healthy]) rig.run(2 * steps);
      expect([...faulty.signal(main.value)]).toEqual([...healthy.signal(main.value)]);
    });

    it.each(Object.entries(FAULTS).filter(([fault]) => fault !== "healthy"))(
      `${name}: the fault %s changes its samples`,
      (_, kind) => {
        const [faulty, healthy] = [new Rig(name), new Rig(name)];
        faulty.fault(main.sensor, kind, 0.5);
        const samples = [faulty, healthy].map((rig) => {
          rig.block("posNed").set([0, 0, -7]);
          const seen: (number | undefined)[][] = [];
          rig.run(steps, () => seen.push([...rig.signal(main.value), rig.signal(main.count)[0]]));
          return seen;
        });
        expect(samples[0]).not.toEqual(samples[1]);
      },
    );

    it(`${name}: stuck from the start, it keeps its first reading`, () => {
      const [stuck, healthy] = [new Rig(name), new Rig(name)];
      for (const rig of [stuck, healthy]) rig.block("posNed").set([0, 0, -7]);
      stuck.fault(main.sensor, FAULTS.stuck);
      let first: number | undefined;
      healthy.run(steps, () => {
        if (healthy.signal(main.count)[0]! > 0) first ??= healthy.signal(main.value)[0]!;
      });
      stuck.run(steps);
      expect(first).toBeDefined();
      expect(stuck.signal(main.value)[0]).toBe(first);
    });

    it(`${name}: a drift that changes its rate continues from its current value`, () => {
      const rig = new Rig(name, CLEAN[name]);
      rig.block("posNed").set([0, 0, -7]);
      rig.run(steps);
      const healthy = rig.signal(main.value)[0]!;
      rig.fault(main.sensor, FAULTS.drift, 0.5);
      rig.run(1000);
      const before = rig.signal(main.value)[0]! - healthy;
      expect(Math.abs(before)).toBeGreaterThan(1);
      rig.fault(main.sensor, FAULTS.drift, -0.5);
      const changed = rig.clock.s;
      rig.run(100);
      // The GNSS receiver reports every 0.1 s, the other sensors immediately.
      const limit = 0.5 * (rig.clock.s - changed) + 0.06;
      expect(Math.abs(rig.signal(main.value)[0]! - healthy - before)).toBeLessThan(limit);
    });

    it(`${name}: stuck, bias, drift and noise burst have their effects`, () => {
      const rig = new Rig(name, CLEAN[name]);
      rig.block("posNed").set([0, 0, -7]);
      rig.run(steps);
      const healthy = rig.signal(main.value)[0]!;
      rig.fault(main.sensor, FAULTS.bias, 2);
      rig.run(steps);
      // The GNSS altitude falls when the position error points down.
      const sign = name === "gnss" ? -1 : 1;
      expect(rig.signal(main.value)[0]).toBeCloseTo(healthy + sign * 2, 9);
      rig.fault(main.sensor, FAULTS.stuck);
      rig.block("rateBody").fill(1);
      rig.signal("airPressure")[0] = 9e4;
      rig.run(steps);
      expect(rig.signal(main.value)[0]).toBeCloseTo(healthy + sign * 2, 9);
      rig.block("rateBody").fill(0);
      rig.signal("airPressure")[0] = 101_325;
      rig.fault(main.sensor, FAULTS.drift, 0.5);
      rig.run(1);
      const started = rig.clock.s;
      rig.run(250);
      // The GNSS receiver reports every 0.1 s, the other sensors immediately.
      const elapsed = rig.clock.s - started;
      expect(Math.abs(rig.signal(main.value)[0]! - healthy - sign * 0.5 * elapsed)).toBeLessThan(0.06);
      rig.fault(main.sensor, FAULTS.noise, 3);
      const seen: number[] = [];
      rig.run(name === "gnss" ? 5000 : 400, () => seen.push(rig.signal(main.value)[0]!));
      // The range finder has no echo below its shortest distance.
      if (name !== "rangeFinder") expect(deviation([...new Set(seen)])).toBeGreaterThan(2);
      if (name !== "rangeFinder") expect(deviation([...new Set(seen)])).toBeLessThan(4);
    });
  }

  it("rejects a period that is not a whole multiple of the autopilot's", () => {
    expect(() => new Rig("barometer", { periodS: 0.018 })).toThrow(
      /SENSOR-001.*barometer\.periodS.*0\.016 s or 0\.02 s/s,
    );
    expect(() => new Rig("gnss", { latencyS: 0.003 })).toThrow(/SENSOR-001/);
  });
});

describe("imu", () => {
  it("without errors, reports −g at rest and level, and the true rates", () => {
    const rig = new Rig("imu", CLEAN.imu);
    rig.block("rateBody").set([0.1, -0.2, 0.3]);
    rig.run(1);
    expect([...rig.signal("accelForceBody")]).toEqual([0, 0, -9.80665]);
    expect([...rig.signal("gyroRateBody")]).toEqual([0.1, -0.2, 0.3]);
  });

  it("measures the centripetal and tangential acceleration of its lever arm", () => {
    // The acceleration of a point at radius r of a body that rotates with Ω(t) about z is (−Ω²r, Ω̇r, 0).
    const out = new Float64Array(3);
    specificForceAtInto(out, [0, 0, 0], [0, 0, 5], [0, 0, 3], [0.25, 0, 0]);
    expect([...out]).toEqual([-2.25, 1.25, 0]);
  });

  it("measures the second derivative of the position of a point on a tumbling body", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 9, maxLength: 9 }),
        ([w1, w2, w3, d1, d2, d3, r1, r2, r3]) => {
          const w = [w1!, w2!, w3!];
          const d = [d1!, d2!, d3!];
          const r = [r1!, r2!, r3!];
          const cross = (a: number[], b: number[]) => [
            a[1]! * b[2]! - a[2]! * b[1]!,
            a[2]! * b[0]! - a[0]! * b[2]!,
            a[0]! * b[1]! - a[1]! * b[0]!,
          ];
          const out = new Float64Array(3);
          specificForceAtInto(out, [1, 2, 3], d, w, r);
          const expected = [1, 2, 3].map((f, i) => f + cross(d, r)[i]! + cross(w, cross(w, r))[i]!);
          for (let i = 0; i < 3; i += 1) expect(out[i]).toBeCloseTo(expected[i]!, 10);
        },
      ),
    );
  });

  it("has white noise of density/√period", () => {
    const rig = new Rig("imu", { ...CLEAN.imu, gyroNoiseRadpsPerRtHz: 2e-4, accelNoiseMps2PerRtHz: 3e-3 });
    const seen: number[] = [];
    const force: number[] = [];
    rig.run(20_000, () => {
      seen.push(rig.signal("gyroRateBody")[1]!);
      force.push(rig.signal("accelForceBody")[2]!);
    });
    // The standard error of a standard deviation over n samples is 1/√(2n) = 0.5 %.
    expect(deviation(seen) / (2e-4 / Math.sqrt(0.004))).toBeCloseTo(1, 1.5);
    expect(deviation(force) / (3e-3 / Math.sqrt(0.004))).toBeCloseTo(1, 1.5);
  });

  it("has a bias whose variance and correlation are those of a Gauss–Markov process", () => {
    const tauS = 0.4;
    const rig = new Rig("imu", { ...CLEAN.imu, gyroInstabilityRadps: 0.05, gyroInstabilityTauS: tauS });
    const seen: number[] = [];
    rig.run(60_000, () => seen.push(rig.signal("gyroRateBody")[0]!));
    const lag = 50;
    let product = 0;
    for (let i = lag; i < seen.length; i += 1) product += seen[i]! * seen[i - lag]!;
    const variance = deviation(seen) ** 2;
    expect(Math.sqrt(variance) / 0.05).toBeCloseTo(1, 1);
    const correlation = product / (seen.length - lag) / variance;
    expect(Math.abs(correlation - Math.exp(-(lag * 0.004) / tauS))).toBeLessThan(0.06);
  });

  it("saturates and quantises", () => {
    const rig = new Rig("imu", { ...CLEAN.imu, gyroLsbRadps: 0.25, gyroRangeRadps: 10 });
    rig.block("rateBody").set([1.3, 50, -50]);
    rig.run(1);
    expect([...rig.signal("gyroRateBody")]).toEqual([1.25, 10, -10]);
  });

  it("drifts with its temperature, which follows the air and its own heat", () => {
    const rig = new Rig("imu", {
      ...CLEAN.imu,
      gyroDriftRadpsPerK: 1e-3,
      selfHeatingK: 20,
      warmUpTauS: 1,
      referenceTemperatureC: 15,
    });
    rig.signal("airTemperature")[0] = 288.15;
    rig.run(250);
    const expected = 20 * (1 - Math.exp(-1));
    expect(rig.signal("imuTemperature")[0]).toBeCloseTo(15 + expected, 6);
    expect(rig.signal("gyroRateBody")[0]).toBeCloseTo(1e-3 * expected, 9);
  });

  it("can lose gyroscope and accelerometer separately", () => {
    const rig = new Rig("imu");
    rig.fault("accel", FAULTS["drop-out"]);
    rig.run(5);
    expect(rig.signal("gyroCount")[0]).toBe(5);
    expect(rig.signal("accelCount")[0]).toBe(0);
  });
});

describe("magnetometer", () => {
  it("rotates the field into body axes", () => {
    const rig = new Rig("magnetometer", CLEAN.magnetometer);
    // The vehicle faces east, so north is to its left.
    rig.block("qBodyToNed").set([Math.SQRT1_2, 0, 0, Math.SQRT1_2]);
    rig.run(1);
    const [x, y, z] = rig.signal("magFieldBody");
    expect(x).toBeCloseTo(FIELD_NED_UT[1]!, 9);
    expect(y).toBeCloseTo(-FIELD_NED_UT[0]!, 9);
    expect(z).toBeCloseTo(FIELD_NED_UT[2]!, 9);
  });

  it("follows the field's gradient away from the origin", () => {
    const rig = new Rig("magnetometer", CLEAN.magnetometer);
    rig.block("posNed")[0] = 20_000;
    rig.run(1);
    expect(rig.signal("magFieldBody")[0]).toBeCloseTo(FIELD_NED_UT[0]! + 0.2, 9);
  });

  it("is distorted by iron and by the current of all batteries", () => {
    const rig = new Rig("magnetometer", {
      ...CLEAN.magnetometer,
      hardIronUt: [1, 0, 0],
      softIron: [0, 0, 0.1, 0, 0, 0, 0, 0, 0],
      currentCouplingUtPerA: [0, 0.5, 0],
    });
    rig.signal("batteryCurrent").set([3, 4]);
    rig.run(1);
    const field = rig.signal("magFieldBody");
    expect(field[0]).toBeCloseTo(FIELD_NED_UT[0]! + 1 + 0.1 * FIELD_NED_UT[2]!, 9);
    expect(field[1]).toBeCloseTo(FIELD_NED_UT[1]! + 3.5, 9);
  });

  it("rotating a vector into body axes is undone by the matrix of the attitude", () => {
    const number = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.tuple(number, number, number, number), fc.tuple(number, number, number), (q, v) => {
        const norm = Math.hypot(...q);
        fc.pre(norm > 0.1);
        const [w, x, y, z] = q.map((part) => part / norm) as [number, number, number, number];
        const out = new Float64Array(3);
        nedToBodyInto(out, [w, x, y, z], v);
        // Applying the explicit rotation matrix body → NED to the result must give v again.
        const rows = [
          [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
          [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
          [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ];
        rows.forEach((row, i) =>
          expect(row[0]! * out[0]! + row[1]! * out[1]! + row[2]! * out[2]!).toBeCloseTo(v[i]!, 12),
        );
      }),
    );
  });
});

describe("barometer", () => {
  it("gives the standard altitude of published pressures", () => {
    // U.S. Standard Atmosphere 1976, geopotential altitudes.
    expect(standardAltitude(101_325)).toBeCloseTo(0, 9);
    expect(Math.abs(standardAltitude(89_874.6) - 1000)).toBeLessThan(0.05);
    expect(Math.abs(standardAltitude(70_108.5) - 3000)).toBeLessThan(0.05);
  });

  it("follows a pressure step with its time constant", () => {
    const rig = new Rig("barometer", { ...CLEAN.barometer, lagS: 0.1 });
    rig.signal("airPressure")[0] = 1e5;
    rig.run(1);
    rig.signal("airPressure")[0] = 1e5 + 100;
    rig.run(5);
    expect(rig.signal("baroPressure")[0]).toBeCloseTo(1e5 + 100 * (1 - Math.exp(-1)), 6);
  });

  it("measures its fraction of the dynamic pressure", () => {
    const rig = new Rig("barometer", { ...CLEAN.barometer, positionErrorCoefficient: -0.2 });
    rig.signal("airVelBody").set([-10, 0, 0]);
    rig.run(1);
    expect(rig.signal("baroPressure")[0]).toBeCloseTo(101_325 - 0.2 * 0.5 * 1.225 * 100, 9);
  });
});

describe("gnss", () => {
  it("delivers the position of one latency ago, at its own rate", () => {
    const rig = new Rig("gnss", { ...CLEAN.gnss, periodS: 0.1, latencyS: 0.22 });
    const arrivals: number[] = [];
    let count = 0;
    rig.run(200, () => {
      if (rig.signal("gnssCount")[0] !== count) {
        count = rig.signal("gnssCount")[0]!;
        arrivals.push(rig.clock.us);
        expect(rig.signal("gnssAltitude")[0]).toBeCloseTo(488 + (rig.clock.us - 220_000) / 1e6, 9);
      }
      rig.block("posNed")[2] = -(rig.clock.us + 4000) / 1e6;
    });
    expect(arrivals.slice(0, 4)).toEqual([220_000, 320_000, 420_000, 520_000]);
    expect(rig.signal("gnssFix")[0]).toBe(3);
  });

  it("reports no fix during a drop-out", () => {
    const rig = new Rig("gnss");
    rig.run(60);
    expect(rig.signal("gnssSatellites")[0]).toBe(12);
    rig.fault("gnss", FAULTS["drop-out"]);
    rig.run(1);
    expect([rig.signal("gnssFix")[0], rig.signal("gnssSatellites")[0]]).toEqual([0, 0]);
  });
});

describe("airspeed and range finder", () => {
  it("the tube measures ½ρu² from ahead and suction from behind", () => {
    const rig = new Rig("airspeed", CLEAN.airspeed);
    rig.signal("airVelBody").set([-12, 5, 0]);
    rig.run(1);
    expect(rig.signal("pitotPressure")[0]).toBeCloseTo(0.5 * 1.225 * 144, 9);
    rig.signal("airVelBody").set([12, 0, 0]);
    rig.run(1);
    expect(rig.signal("pitotPressure")[0]).toBeCloseTo(-0.5 * 1.225 * 144, 9);
  });

  it("the beam is longer by 1/cos(tilt), up to the maximum range", () => {
    const rig = new Rig("rangeFinder", { ...CLEAN.rangeFinder, posBodyM: [0, 0, 0.1] });
    rig.block("posNed")[2] = -5;
    const half = Math.PI / 12;
    rig.block("qBodyToNed").set([Math.cos(half), Math.sin(half), 0, 0]);
    rig.run(1);
    // The sensor hangs 0.1 m below the centre, along the tilted body z.
    expect(rig.signal("rangeDistance")[0]).toBeCloseTo(5 / Math.cos(2 * half) - 0.1, 9);
    expect(rig.signal("rangeValid")[0]).toBe(1);
    rig.block("posNed")[2] = -50;
    rig.run(1);
    expect([rig.signal("rangeDistance")[0], rig.signal("rangeValid")[0]]).toEqual([0, 0]);
    rig.block("posNed")[2] = -5;
    rig.block("qBodyToNed").set([0, 1, 0, 0]);
    rig.run(1);
    expect(rig.signal("rangeValid")[0]).toBe(0);
  });
});
