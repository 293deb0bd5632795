/**
 * Inertial measurement unit: gyroscope and accelerometer at their mounting point, with realistic errors.
 *
 * Specific force at the sensor (Titterton & Weston 2004): f_s = f_cm + ω̇ × r + ω × (ω × r). Reported value =
 * (1 + scale) · true + bias + temperature drift + white noise, then range and resolution of the converter. Biases: see
 * noise.ts.
 */
import type { Readable, Source } from "../../engine/contracts.ts";
import { exp } from "../../math/index.ts";
import { defineKind } from "../../params/kind.ts";
import { defineParams } from "../../params/table.ts";
import { RandomStream } from "../../random/index.ts";
import { withMemory } from "../../snapshot/index.ts";
import type { Clock } from "../../time/clock.ts";
import { sensorAxis, type SensorContext } from "./context.ts";
import { type FaultBus, FaultChannel } from "./fault-channel.ts";
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

/** Errors of a three-axis instrument. */
interface TriadErrors {
  readonly noisePerRtHz: number;
  readonly turnOnSigma: number;
  readonly instabilitySigma: number;
  readonly instabilityTauS: number;
  readonly walkPerRtS: number;
  readonly driftPerK: number;
  readonly scaleError: readonly number[];
  readonly range: number;
  readonly lsb: number;
}

/** A three-axis instrument: gyroscope or accelerometer. */
class Triad {
  /** The true value, which `measure` turns into the reported one. */
  readonly value = new Float64Array(3);
  readonly bias: InertialBias;
  readonly noise: RandomStream;
  readonly fault: FaultChannel;
  private readonly errors: TriadErrors;
  private readonly sigma: number;

  constructor(sensor: "gyro" | "accel", errors: TriadErrors, periodS: number, seed: number) {
    this.errors = errors;
    this.bias = new InertialBias({ ...errors, periodS, random: new RandomStream(seed, `sensor.${sensor}.bias`) });
    this.noise = new RandomStream(seed, `sensor.${sensor}.noise`);
    this.fault = new FaultChannel({ sensor, size: 3, seed });
    this.sigma = errors.noisePerRtHz / Math.sqrt(periodS);
  }

  /** Returns false if the instrument reports nothing. */
  measure(warmthK: number, clock: Clock, bus: FaultBus): boolean {
    const { value, bias, noise, sigma } = this;
    const { driftPerK, scaleError, range, lsb } = this.errors;
    bias.step();
    for (let i = 0; i < 3; i += 1) {
      const error = bias.value[i]! + driftPerK * warmthK + sigma * noise.gaussian();
      value[i] = (1 + scaleError[i]!) * value[i]! + error;
    }
    const lives = this.fault.apply(value, clock, bus);
    digitise(value, range, lsb);
    return lives;
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
  make: (p, context: SensorContext): Source<"imu"> => {
    const { periodS } = p;
    const gyroErrors: TriadErrors = {
      noisePerRtHz: p.gyroNoiseRadpsPerRtHz,
      turnOnSigma: p.gyroTurnOnRadps,
      instabilitySigma: p.gyroInstabilityRadps,
      instabilityTauS: p.gyroInstabilityTauS,
      walkPerRtS: p.gyroWalkRadpsPerRtS,
      driftPerK: p.gyroDriftRadpsPerK,
      scaleError: p.gyroScaleError,
      range: p.gyroRangeRadps,
      lsb: p.gyroLsbRadps,
    };
    const accelErrors: TriadErrors = {
      noisePerRtHz: p.accelNoiseMps2PerRtHz,
      turnOnSigma: p.accelTurnOnMps2,
      instabilitySigma: p.accelInstabilityMps2,
      instabilityTauS: p.accelInstabilityTauS,
      walkPerRtS: p.accelWalkMps2PerRtS,
      driftPerK: p.accelDriftMps2PerK,
      scaleError: p.accelScaleError,
      range: p.accelRangeMps2,
      lsb: p.accelLsbMps2,
    };
    const gyro = new Triad("gyro", gyroErrors, periodS, context.seed);
    const accel = new Triad("accel", accelErrors, periodS, context.seed);
    const warmUp = 1 - exp(-periodS / p.warmUpTauS);
    /** Temperature of the sensor above that of the air, K. */
    const heating = new Float64Array(1);
    let rateBody: Readable | undefined;
    return {
      writer: "imu",
      axis: sensorAxis(context, "imu", periodS),
      update(clock, bus) {
        rateBody ??= bus.truth.block("rateBody", "imu");
        heating[0] = heating[0]! + warmUp * (p.selfHeatingK - heating[0]!);
        const temperatureC = bus.airTemperature[0]! - ZERO_CELSIUS_K + heating[0];
        const warmthK = temperatureC - p.referenceTemperatureC;
        for (let i = 0; i < 3; i += 1) gyro.value[i] = rateBody[i]!;
        specificForceAtInto(accel.value, bus.specificForceBody, bus.rateDotBody, rateBody, p.posBodyM);
        const gyroLives = gyro.measure(warmthK, clock, bus);
        const accelLives = accel.measure(warmthK, clock, bus);
        bus.imuTemperature[0] = temperatureC;
        if (gyroLives) {
          for (let i = 0; i < 3; i += 1) bus.gyroRateBody[i] = gyro.value[i]!;
          bus.gyroCount[0]! += 1;
        }
        if (accelLives) {
          for (let i = 0; i < 3; i += 1) bus.accelForceBody[i] = accel.value[i]!;
          bus.accelCount[0]! += 1;
        }
      },
      ...withMemory(gyro.bias, accel.bias, gyro.noise, accel.noise, gyro.fault, accel.fault, heating),
    };
  },
});
