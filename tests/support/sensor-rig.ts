/** Runs one raw sensor on a separate bus at its period, for tests and for the rows of the validation pages. */
import { Bus, TruthWindow } from "../../packages/core/src/engine/bus.ts";
import type { Source, View } from "../../packages/core/src/engine/contracts.ts";
import type { SensorWriter } from "../../packages/core/src/engine/stages.ts";
import { checkParams, type Diagnostic } from "../../packages/core/src/params/check.ts";
import type { SignalName } from "../../packages/core/src/signals/table.ts";
import type { Airframe } from "../../packages/core/src/sources/sensors/context.ts";
import { sensorKinds } from "../../packages/core/src/sources/sensors/index.ts";
import { StateLayout } from "../../packages/core/src/state/index.ts";
import { FlightClock } from "../../packages/core/src/time/clock.ts";

const SIZES = { posNed: 3, velNed: 3, qBodyToNed: 4, rateBody: 3, rotorSpeed: 2 } as const;
const layout = new StateLayout(
  Object.entries(SIZES).map(([name, size]) => ({
    name,
    size,
    unit: "1",
    kind: "vector" as const,
    group: name,
    tolerance: { absolute: 1, relative: 1 },
  })),
);

export const SHAKEN_INERTIA = [0.03, 0.03, 0.05] as const;
/** An airframe with rotor 1 at the centre of mass, and rotor 2 half a metre in front, turning the opposite way. */
export const shakenAirframe: Airframe = {
  massKg: 1.5,
  inverseInertia: [...SHAKEN_INERTIA.map((moment) => 1 / moment), 0, 0, 0],
  propeller: { radiusM: 0.127, blades: 2, inertiaKgM2: 5e-5 },
  rotors: [
    { posBody: [0, 0, 0], axisBody: [0, 0, 1], spin: 1 },
    { posBody: [0.5, 0, 0], axisBody: [0, 0, 1], spin: -1 },
  ],
};

const imuKeys = Object.keys(sensorKinds.find(({ name }) => name === "imu")!.params);
/** Parameters of an inertial sensor without errors. */
export const PERFECT_IMU: Readonly<Record<string, number | boolean>> = {
  ...Object.fromEntries(
    imuKeys.filter((key) => /Noise|TurnOn|InstabilityR|InstabilityM|Walk|Drift|Lsb/.test(key)).map((key) => [key, 0]),
  ),
  earthRotation: false,
};

export const RIG_LATITUDE_DEG = 47;

export class SensorRig {
  readonly clock = new FlightClock();
  readonly sensor: Source<SensorWriter>;
  private readonly x = new Float64Array(layout.size);
  private readonly bus = new Bus({ rotors: 2, batteries: 1, buses: 1 }, new TruthWindow(layout, this.x));

  constructor(name: string, params: object = {}, seed = 1) {
    const kind = sensorKinds.find((one) => one.name === name)!;
    const diagnostics: Diagnostic[] = [];
    const resolved = checkParams(kind.params, { ...params }, diagnostics);
    if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
    this.sensor = kind.make(resolved as never, {
      seed,
      autopilotPeriodUs: 1000,
      startUs: 0,
      airframe: shakenAirframe,
      geodeticInto: (out, pos) => {
        out[0] = RIG_LATITUDE_DEG + pos[0]! / 1e5;
        out[1] = 8 + pos[1]! / 1e5;
        out[2] = 488 - pos[2]!;
      },
      magneticFieldInto: (out) => out.set([21, 1, 43]),
    });
    this.block("qBodyToNed")[0] = 1;
  }

  block(name: keyof typeof SIZES): Float64Array {
    const { offset, size } = layout.require(name, "test");
    return this.x.subarray(offset, offset + size);
  }

  signal(name: SignalName): Float64Array {
    return this.bus.signal(name);
  }

  /** Runs the sensor once, and advances the clock to its next tick. */
  step(): void {
    this.sensor.update(this.clock, this.bus.view(this.sensor.writer) as View<SensorWriter>);
    this.clock.set(this.clock.us + (this.sensor.axis as { periodUs: number }).periodUs);
  }

  /** Returns samples of force and rates of an inertial sensor, one row each. */
  run(count: number): { force: number[][]; rate: number[][] } {
    const force: number[][] = [];
    const rate: number[][] = [];
    for (let k = 0; k < count; k += 1) {
      this.step();
      force.push([...this.signal("accelForceBody")]);
      rate.push([...this.signal("gyroRateBody")]);
    }
    return { force, rate };
  }
}
