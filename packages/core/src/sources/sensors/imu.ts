/**
 * Inertial measurement unit: gyroscope and accelerometer at their mounting point, with realistic errors.
 *
 * Specific force at the sensor (Titterton & Weston 2004): f_s = f_cm + ω̇ × r + ω × (ω × r). Reported value =
 * (1 + scale) · true + bias + temperature drift + white noise, then range and resolution of the converter. Biases: see
 * noise.ts.
 */
import type { Readable, Source, View } from "../../engine/contracts.ts";
import { exp } from "../../math/index.ts";
import { defineKind } from "../../params/kind.ts";
import { defineParams } from "../../params/table.ts";
import type { ParamsOf } from "../../params/table.ts";
import { RandomStream } from "../../random/index.ts";
import type { SnapshotReader, SnapshotWriter } from "../../snapshot/index.ts";
import type { Axis } from "../../time/axis.ts";
import type { Clock } from "../../time/clock.ts";
import { sensorAxis } from "./context.ts";
import type { SensorContext } from "./context.ts";
import { FaultChannel } from "./fault-channel.ts";
import { digitise, InertialBias } from "./noise.ts";

const ZERO_CELSIUS_K = 273.15;

// prettier-ignore
const params = defineParams({
  periodS: { type: "duration", unit: "s", default: 0.004, about: "Time between two samples." },
  posBodyM: { type: "vector", unit: "m", size: 3, default: [0, 0, 0], about: "Position of the sensor relative to the centre of mass." },
  gyroNoiseRadpsPerRtHz: { type: "number", unit: "rad/s/√Hz", min: 0, default: 2e-4, about: "White noise density of the gyroscope (angle random walk)." },
  gyroTurnOnRadps: { type: "number", unit: "rad/s", min: 0, default: 1e-3, about: "Deviation of the gyroscope's constant bias." },
  gyroInstabilityRadps: { type: "number", unit: "rad/s", min: 0, default: 1e-4, about: "Deviation of the gyroscope's slowly varying bias." },
  gyroInstabilityTauS: { type: "number", unit: "s", min: 0, open: true, default: 1000, about: "Correlation time of that bias." },
  gyroWalkRadpsPerRtS: { type: "number", unit: "rad/s/√s", min: 0, default: 2e-6, about: "Rate random walk of the gyroscope." },
  gyroDriftRadpsPerK: { type: "number", unit: "rad/s/K", default: 5e-6, about: "Bias of the gyroscope per kelvin off the reference temperature." },
  gyroScaleError: { type: "vector", unit: "1", size: 3, default: [0, 0, 0], about: "Relative scale error of each axis." },
  gyroRangeRadps: { type: "number", unit: "rad/s", min: 0, open: true, default: 34.906585, about: "Largest rate the gyroscope can report." },
  gyroLsbRadps: { type: "number", unit: "rad/s", min: 0, default: 1.0652644e-3, about: "Smallest step of the gyroscope; 0 for none." },
  accelNoiseMps2PerRtHz: { type: "number", unit: "m/s2/√Hz", min: 0, default: 3e-3, about: "White noise density of the accelerometer." },
  accelTurnOnMps2: { type: "number", unit: "m/s2", min: 0, default: 0.02, about: "Deviation of the accelerometer's constant bias." },
  accelInstabilityMps2: { type: "number", unit: "m/s2", min: 0, default: 3e-3, about: "Deviation of the accelerometer's slowly varying bias." },
  accelInstabilityTauS: { type: "number", unit: "s", min: 0, open: true, default: 300, about: "Correlation time of that bias." },
  accelWalkMps2PerRtS: { type: "number", unit: "m/s2/√s", min: 0, default: 5e-5, about: "Acceleration random walk of the accelerometer." },
  accelDriftMps2PerK: { type: "number", unit: "m/s2/K", default: 5e-4, about: "Bias of the accelerometer per kelvin off the reference temperature." },
  accelScaleError: { type: "vector", unit: "1", size: 3, default: [0, 0, 0], about: "Relative scale error of each axis." },
  accelRangeMps2: { type: "number", unit: "m/s2", min: 0, open: true, default: 156.9064, about: "Largest specific force the accelerometer can report." },
  accelLsbMps2: { type: "number", unit: "m/s2", min: 0, default: 4.788404e-3, about: "Smallest step of the accelerometer; 0 for none." },
  referenceTemperatureC: { type: "number", unit: "degC", default: 25, about: "Temperature at which the sensor was calibrated." },
  selfHeatingK: { type: "number", unit: "K", min: 0, default: 15, about: "How much warmer than the air the sensor becomes." },
  warmUpTauS: { type: "number", unit: "s", min: 0, open: true, default: 60, about: "Time constant of warming up." },
});
type ImuParams = ParamsOf<typeof params>;

/** The state blocks that it reads, looked up once. */
interface TrueState {
  readonly rateBody: Readable;
}

class Imu implements Source<"imu"> {
  readonly writer = "imu";
  readonly axis: Axis;
  private readonly params: ImuParams;
  private readonly gyroBias: InertialBias;
  private readonly accelBias: InertialBias;
  private readonly gyroNoise: RandomStream;
  private readonly accelNoise: RandomStream;
  private readonly gyroFault: FaultChannel;
  private readonly accelFault: FaultChannel;
  private readonly gyroSigma: number;
  private readonly accelSigma: number;
  private readonly warmUp: number;
  private readonly gyro = new Float64Array(3);
  private readonly accel = new Float64Array(3);
  /** Temperature of the sensor above that of the air, K. */
  private readonly heating = new Float64Array(1);
  private state: TrueState | undefined;

  constructor(p: ImuParams, context: SensorContext) {
    const { seed } = context;
    const { periodS } = p;
    this.params = p;
    this.axis = sensorAxis(context, "imu", periodS);
    this.gyroBias = new InertialBias({
      turnOnSigma: p.gyroTurnOnRadps,
      instabilitySigma: p.gyroInstabilityRadps,
      instabilityTauS: p.gyroInstabilityTauS,
      walkPerRtS: p.gyroWalkRadpsPerRtS,
      periodS,
      random: new RandomStream(seed, "sensor.gyro.bias"),
    });
    this.accelBias = new InertialBias({
      turnOnSigma: p.accelTurnOnMps2,
      instabilitySigma: p.accelInstabilityMps2,
      instabilityTauS: p.accelInstabilityTauS,
      walkPerRtS: p.accelWalkMps2PerRtS,
      periodS,
      random: new RandomStream(seed, "sensor.accel.bias"),
    });
    this.gyroNoise = new RandomStream(seed, "sensor.gyro.noise");
    this.accelNoise = new RandomStream(seed, "sensor.accel.noise");
    this.gyroFault = new FaultChannel({ sensor: "gyro", size: 3, seed });
    this.accelFault = new FaultChannel({ sensor: "accel", size: 3, seed });
    this.gyroSigma = p.gyroNoiseRadpsPerRtHz / Math.sqrt(periodS);
    this.accelSigma = p.accelNoiseMps2PerRtHz / Math.sqrt(periodS);
    this.warmUp = 1 - exp(-periodS / p.warmUpTauS);
  }

  readonly update = (clock: Clock, bus: View<"imu">): void => {
    this.state ??= { rateBody: bus.truth.block("rateBody", "imu") };
    const { params: p, gyro, accel, heating } = this;
    heating[0] = heating[0]! + this.warmUp * (p.selfHeatingK - heating[0]!);
    const temperatureC = bus.airTemperature[0]! - ZERO_CELSIUS_K + heating[0]!;
    const warmthK = temperatureC - p.referenceTemperatureC;
    this.gyroBias.step();
    this.accelBias.step();
    specificForceAtInto(accel, bus.specificForceBody, bus.rateDotBody, this.state.rateBody, p.posBodyM);
    for (let i = 0; i < 3; i += 1) {
      const gyroError =
        this.gyroBias.value[i]! + p.gyroDriftRadpsPerK * warmthK + this.gyroSigma * this.gyroNoise.gaussian();
      gyro[i] = (1 + p.gyroScaleError[i]!) * this.state.rateBody[i]! + gyroError;
      const accelError =
        this.accelBias.value[i]! + p.accelDriftMps2PerK * warmthK + this.accelSigma * this.accelNoise.gaussian();
      accel[i] = (1 + p.accelScaleError[i]!) * accel[i]! + accelError;
    }
    const gyroLives = this.gyroFault.apply(gyro, clock, bus);
    const accelLives = this.accelFault.apply(accel, clock, bus);
    digitise(gyro, p.gyroRangeRadps, p.gyroLsbRadps);
    digitise(accel, p.accelRangeMps2, p.accelLsbMps2);
    bus.imuTemperature[0] = temperatureC;
    if (gyroLives) {
      for (let i = 0; i < 3; i += 1) bus.gyroRateBody[i] = gyro[i]!;
      bus.gyroCount[0] = bus.gyroCount[0]! + 1;
    }
    if (accelLives) {
      for (let i = 0; i < 3; i += 1) bus.accelForceBody[i] = accel[i]!;
      bus.accelCount[0] = bus.accelCount[0]! + 1;
    }
  };

  save(writer: SnapshotWriter): void {
    for (const part of this.parts()) part.save(writer);
    writer.numbers(this.heating);
  }

  load(reader: SnapshotReader): void {
    for (const part of this.parts()) part.load(reader);
    reader.numbersInto(this.heating);
  }

  private parts() {
    const { gyroBias, accelBias, gyroNoise, accelNoise, gyroFault, accelFault } = this;
    return [gyroBias, accelBias, gyroNoise, accelNoise, gyroFault, accelFault];
  }
}

/** f + ω̇ × r + ω × (ω × r), all in body axes. */
export function specificForceAtInto(
  out: Float64Array,
  force: Readable,
  rateDot: Readable,
  rate: Readable,
  r: Readable,
): void {
  const rx = r[0]!;
  const ry = r[1]!;
  const rz = r[2]!;
  const p = rate[0]!;
  const q = rate[1]!;
  const s = rate[2]!;
  const pDot = rateDot[0]!;
  const qDot = rateDot[1]!;
  const sDot = rateDot[2]!;
  const vx = q * rz - s * ry;
  const vy = s * rx - p * rz;
  const vz = p * ry - q * rx;
  out[0] = force[0]! + (qDot * rz - sDot * ry) + (q * vz - s * vy);
  out[1] = force[1]! + (sDot * rx - pDot * rz) + (s * vx - p * vz);
  out[2] = force[2]! + (pDot * ry - qDot * rx) + (p * vy - q * vx);
}

export const imu = defineKind({
  name: "imu",
  about: "Gyroscope and accelerometer with biases, noise, temperature drift, range and resolution.",
  version: 1,
  params,
  make: (values, context: SensorContext): Source<"imu"> => new Imu(values, context),
});
