/**
 * Inertial measurement unit: gyroscope and accelerometer at their mounting point, with realistic errors.
 *
 * Specific force at the sensor (Titterton & Weston 2004): f_s = f_cm + ω̇ × r + ω × (ω × r). Reported value =
 * (1 + scale) · true + bias + temperature drift + white noise, then range and resolution of the converter. Biases: see
 * noise.ts. Propellers add vibration (vibration.ts).
 */
import type { Readable, Source } from "../../engine/contracts.ts";
import { exp } from "../../math/index.ts";
import { defineKind } from "../../params/kind.ts";
import { defineParams, type ParamsOf } from "../../params/table.ts";
import { RandomStream } from "../../random/index.ts";
import { withMemory } from "../../snapshot/index.ts";
import type { Clock } from "../../time/clock.ts";
import { sensorAxis, type SensorContext } from "./context.ts";
import { type FaultBus, FaultChannel } from "./fault-channel.ts";
import { digitise, InertialBias } from "./noise.ts";
import { Vibration, VibrationMetric } from "./vibration.ts";
import { ANY, above, atLeast, closed, duration, number, vector } from "../../params/rows.ts";

const ZERO_CELSIUS_K = 273.15;

// prettier-ignore
const params = defineParams({
  periodS: duration("Time between two samples.", 0.004),
  posBodyM: vector(3, "m", ANY, "Position of the sensor relative to the centre of mass.", [0, 0, 0]),
  gyroNoiseRadpsPerRtHz: number("rad/s/√Hz", atLeast(0), "White noise density of the gyroscope (angle random walk).", 2e-4),
  gyroTurnOnRadps: number("rad/s", atLeast(0), "Deviation of the gyroscope's constant bias.", 1e-3),
  gyroInstabilityRadps: number("rad/s", atLeast(0), "Deviation of the gyroscope's slowly varying bias.", 1e-4),
  gyroInstabilityTauS: number("s", above(0), "Correlation time of that bias.", 1000),
  gyroWalkRadpsPerRtS: number("rad/s/√s", atLeast(0), "Rate random walk of the gyroscope.", 2e-6),
  gyroDriftRadpsPerK: number("rad/s/K", ANY, "Bias of the gyroscope per kelvin off the reference temperature.", 5e-6),
  gyroScaleError: vector(3, "1", ANY, "Relative scale error of each axis.", [0, 0, 0]),
  gyroRangeRadps: number("rad/s", above(0), "Largest rate the gyroscope can report.", 34.906585),
  gyroLsbRadps: number("rad/s", atLeast(0), "Smallest step of the gyroscope; 0 for none.", 1.0652644e-3),
  accelNoiseMps2PerRtHz: number("m/s2/√Hz", atLeast(0), "White noise density of the accelerometer.", 3e-3),
  accelTurnOnMps2: number("m/s2", atLeast(0), "Deviation of the accelerometer's constant bias.", 0.02),
  accelInstabilityMps2: number("m/s2", atLeast(0), "Deviation of the accelerometer's slowly varying bias.", 3e-3),
  accelInstabilityTauS: number("s", above(0), "Correlation time of that bias.", 300),
  accelWalkMps2PerRtS: number("m/s2/√s", atLeast(0), "Acceleration random walk of the accelerometer.", 5e-5),
  accelDriftMps2PerK: number("m/s2/K", ANY, "Bias of the accelerometer per kelvin off the reference temperature.", 5e-4),
  accelScaleError: vector(3, "1", ANY, "Relative scale error of each axis.", [0, 0, 0]),
  accelRangeMps2: number("m/s2", above(0), "Largest specific force the accelerometer can report.", 156.9064),
  accelLsbMps2: number("m/s2", atLeast(0), "Smallest step of the accelerometer; 0 for none.", 4.788404e-3),
  imbalanceGmm: number("g.mm", atLeast(0), "Imbalance of every propeller, which shakes the sensor; the actions propellerImbalance and propellerChip add to it.", 0),
  bladePassing: number("1", closed(0, 1), "Amplitude of each rotor's thrust at its blade-passing frequency, as a share of the thrust.", 0),
  mountHz: number("Hz", atLeast(0), "Natural frequency of a soft mount between airframe and sensor, which isolates vibration; 0 for a rigid mount.", 0),
  mountDamping: number("1", closed(0.01, 10), "Damping ratio of the mount.", 0.3),
  referenceTemperatureC: number("degC", ANY, "Temperature at which the sensor was calibrated.", 25),
  selfHeatingK: number("K", atLeast(0), "How much warmer than the air the sensor becomes.", 15),
  warmUpTauS: number("s", above(0), "Time constant of warming up.", 60),
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

type ImuParams = ParamsOf<typeof params>;

function gyroErrors(p: ImuParams): TriadErrors {
  return {
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
}

function accelErrors(p: ImuParams): TriadErrors {
  return {
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
    const gyro = new Triad("gyro", gyroErrors(p), periodS, context.seed);
    const accel = new Triad("accel", accelErrors(p), periodS, context.seed);
    const vibration = context.airframe === undefined ? undefined : new Vibration(p, context.airframe, context.seed);
    const accelMetric = new VibrationMetric();
    const gyroMetric = new VibrationMetric();
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
        vibration?.addInto(accel.value, gyro.value, bus);
        const gyroLives = gyro.measure(warmthK, clock, bus);
        const accelLives = accel.measure(warmthK, clock, bus);
        bus.imuTemperature[0] = temperatureC;
        if (gyroLives) {
          for (let i = 0; i < 3; i += 1) bus.gyroRateBody[i] = gyro.value[i]!;
          bus.gyroVibration[0] = gyroMetric.update(gyro.value);
          bus.gyroCount[0]! += 1;
        }
        if (accelLives) {
          for (let i = 0; i < 3; i += 1) bus.accelForceBody[i] = accel.value[i]!;
          bus.accelVibration[0] = accelMetric.update(accel.value);
          bus.accelCount[0]! += 1;
        }
      },
      ...withMemory(gyro.bias, accel.bias, gyro.noise, accel.noise, gyro.fault, accel.fault, heating, {
        accelMetric,
        gyroMetric,
        vibration: vibration ?? [],
      }),
    };
  },
});
