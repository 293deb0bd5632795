/**
 * Inertial measurement unit: gyroscope and accelerometer at their mounting point, with realistic errors.
 *
 * Specific force at the sensor (Titterton & Weston 2004): f_s = f_cm + ω̇ × r + ω × (ω × r). Reported value =
 * (1 + scale) · true + bias + temperature drift + white noise; then faults, then range and resolution of the converter.
 * Biases: see noise.ts. The gyroscope also measures the Earth's rotation. Propellers add vibration (vibration.ts). The
 * defaults are those of an InvenSense MPU-9250 (data sheet PS-MPU-9250A-01, tables 1 and 2) after a calibration, which
 * leaves a small part of turn-on bias and temperature drift.
 */
import { RAD_PER_DEG } from "../../math/angle.ts";
import type { Readable, Source, View } from "../../engine/contracts.ts";
import { cos, exp, sin } from "../../math/index.ts";
import { defineKind } from "../../params/kind.ts";
import { defineParams, type ParamsOf } from "../../params/table.ts";
import { RandomStream } from "../../random/index.ts";
import { withMemory } from "../../snapshot/index.ts";
import type { Clock } from "../../time/clock.ts";
import { sensorAxis, type SensorContext } from "./context.ts";
import { type FaultBus, FaultChannel } from "./fault-channel.ts";
import { nedToBodyInto } from "./frames.ts";
import { digitise, InertialBias } from "./noise.ts";
import { Vibration, VibrationMetric } from "./vibration.ts";
import { ANY, above, atLeast, boolean, closed, duration, number, vector } from "../../params/rows.ts";

const ZERO_CELSIUS_K = 273.15;
/** WGS-84. */
const EARTH_RADPS = 7.292115e-5;

// prettier-ignore
const params = defineParams({
  periodS: duration("Time between two samples.", 0.004),
  posBodyM: vector(3, "m", ANY, "Position of the sensor relative to the centre of mass.", [0, 0, 0]),
  gyroNoiseRadpsPerRtHz: number("rad/s/√Hz", atLeast(0), "White noise density of the gyroscope (angle random walk).", 1.7453e-4),
  gyroTurnOnRadps: number("rad/s", atLeast(0), "Standard deviation of the gyroscope's constant bias.", 1e-3),
  gyroInstabilityRadps: number("rad/s", atLeast(0), "Standard deviation of the gyroscope's slowly varying bias.", 1e-4),
  gyroInstabilityTauS: number("s", above(0), "Correlation time of the gyroscope's slowly varying bias.", 1000),
  gyroWalkRadpsPerRtS: number("rad/s/√s", atLeast(0), "Rate random walk of the gyroscope.", 2e-6),
  gyroDriftRadpsPerK: number("rad/s/K", ANY, "Bias of the gyroscope per kelvin from the reference temperature.", 5e-6),
  gyroScaleError: vector(3, "1", ANY, "Relative scale error of each axis.", [0, 0, 0]),
  gyroRangeRadps: number("rad/s", above(0), "Maximum rate the gyroscope can report.", 34.906585),
  gyroLsbRadps: number("rad/s", atLeast(0), "Smallest step of the gyroscope; 0 for none.", 1.0652644e-3),
  accelNoiseMps2PerRtHz: number("m/s2/√Hz", atLeast(0), "White noise density of the accelerometer.", 2.942e-3),
  accelTurnOnMps2: number("m/s2", atLeast(0), "Standard deviation of the accelerometer's constant bias.", 0.02),
  accelInstabilityMps2: number("m/s2", atLeast(0), "Standard deviation of the accelerometer's slowly varying bias.", 3e-3),
  accelInstabilityTauS: number("s", above(0), "Correlation time of the accelerometer's slowly varying bias.", 300),
  accelWalkMps2PerRtS: number("m/s2/√s", atLeast(0), "Acceleration random walk of the accelerometer.", 5e-5),
  accelDriftMps2PerK: number("m/s2/K", ANY, "Bias of the accelerometer per kelvin from the reference temperature.", 5e-4),
  accelScaleError: vector(3, "1", ANY, "Relative scale error of each axis.", [0, 0, 0]),
  accelRangeMps2: number("m/s2", above(0), "Maximum specific force the accelerometer can report.", 156.9064),
  accelLsbMps2: number("m/s2", atLeast(0), "Smallest step of the accelerometer; 0 for none.", 4.788404e-3),
  calibrated: boolean("Whether turn-on bias and temperature drift were calibrated. If false, values of the data sheet replace the parameters for both.", true),
  earthRotation: boolean("Whether the gyroscope measures the Earth's rotation.", true),
  imbalanceGmm: number("g.mm", atLeast(0), "Imbalance of every propeller, which shakes the sensor; the actions propellerImbalance and propellerChip add to it.", 0),
  bladePassing: number("1", closed(0, 1), "Amplitude of the thrust oscillation at the blade-passing frequency, as a fraction of the thrust.", 0),
  mountHz: number("Hz", atLeast(0), "Natural frequency of a soft mount between airframe and sensor, which isolates vibration; 0 for a rigid mount.", 0),
  mountDamping: number("1", closed(0.01, 10), "Damping ratio of the mount.", 0.3),
  referenceTemperatureC: number("degC", ANY, "Temperature at which the sensor was calibrated.", 25),
  selfHeatingK: number("K", atLeast(0), "Steady-state temperature of the sensor above that of the air.", 15),
  warmUpTauS: number("s", above(0), "Warm-up time constant.", 60),
});

/** Errors of a three-axis instrument. */
interface TriadErrors {
  readonly noisePerRtHz: number;
  readonly turnOnSigma: number;
  readonly instabilitySigma: number;
  readonly instabilityTauS: number;
  readonly walkPerRtS: number;
  readonly driftPerK: readonly number[];
  readonly scaleError: readonly number[];
  readonly range: number;
  readonly lsb: number;
}

type ImuParams = ParamsOf<typeof params>;

/**
 * Standard deviations of an uncalibrated MPU-9250. The limits in the data sheet are taken as 3σ: 5 deg/s, and 30 deg/s
 * over the 65 K from 25 to −40 °C; 70 mg (the mean of 60 mg for x and y and 80 mg for z) and 1.5 mg/K.
 */
const UNCALIBRATED = {
  gyro: { turnOn: 0.0290888, driftPerK: 2.6851e-3 },
  accel: { turnOn: 0.228822, driftPerK: 4.90333e-3 },
} as const;

/**
 * Returns the standard deviation of the turn-on bias and the drift of each axis. An uncalibrated drift is drawn once,
 * from its own stream.
 */
function biasErrors(
  sensor: keyof typeof UNCALIBRATED,
  { calibrated }: ImuParams,
  given: { readonly turnOn: number; readonly driftPerK: number },
  seed: number,
): Pick<TriadErrors, "turnOnSigma" | "driftPerK"> {
  const { driftPerK } = given;
  if (calibrated) return { turnOnSigma: given.turnOn, driftPerK: [driftPerK, driftPerK, driftPerK] };
  const random = new RandomStream(seed, `sensor.${sensor}.drift`);
  const { turnOn, driftPerK: deviation } = UNCALIBRATED[sensor];
  return { turnOnSigma: turnOn, driftPerK: [0, 0, 0].map(() => deviation * random.gaussian()) };
}

function gyroErrors(p: ImuParams, seed: number): TriadErrors {
  return {
    noisePerRtHz: p.gyroNoiseRadpsPerRtHz,
    ...biasErrors("gyro", p, { turnOn: p.gyroTurnOnRadps, driftPerK: p.gyroDriftRadpsPerK }, seed),
    instabilitySigma: p.gyroInstabilityRadps,
    instabilityTauS: p.gyroInstabilityTauS,
    walkPerRtS: p.gyroWalkRadpsPerRtS,
    scaleError: p.gyroScaleError,
    range: p.gyroRangeRadps,
    lsb: p.gyroLsbRadps,
  };
}

function accelErrors(p: ImuParams, seed: number): TriadErrors {
  return {
    noisePerRtHz: p.accelNoiseMps2PerRtHz,
    ...biasErrors("accel", p, { turnOn: p.accelTurnOnMps2, driftPerK: p.accelDriftMps2PerK }, seed),
    instabilitySigma: p.accelInstabilityMps2,
    instabilityTauS: p.accelInstabilityTauS,
    walkPerRtS: p.accelWalkMps2PerRtS,
    scaleError: p.accelScaleError,
    range: p.accelRangeMps2,
    lsb: p.accelLsbMps2,
  };
}

/** A three-axis instrument: gyroscope or accelerometer. */
class Triad {
  /** The true value, which `measure` replaces with the reported one. */
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
      const error = bias.value[i]! + driftPerK[i]! * warmthK + sigma * noise.gaussian();
      value[i] = (1 + scaleError[i]!) * value[i]! + error;
    }
    const isReporting = this.fault.apply(value, clock, bus);
    digitise(value, range, lsb);
    return isReporting;
  }
}

/** The Earth's rotation in body axes, at the latitude of the origin. */
class EarthRate {
  private readonly rateNed = new Float64Array(3);
  private readonly rateBody = new Float64Array(3);
  private qBodyToNed: Readable | undefined;

  constructor({ geodeticInto }: SensorContext) {
    const geodetic = new Float64Array(3);
    geodeticInto(geodetic, [0, 0, 0]);
    const latRad = geodetic[0]! * RAD_PER_DEG;
    this.rateNed[0] = EARTH_RADPS * cos(latRad);
    this.rateNed[2] = -EARTH_RADPS * sin(latRad);
  }

  addInto(rate: Float64Array, bus: View<"imu">): void {
    this.qBodyToNed ??= bus.truth.block("qBodyToNed", "imu");
    nedToBodyInto(this.rateBody, this.qBodyToNed, this.rateNed);
    for (let i = 0; i < 3; i += 1) rate[i]! += this.rateBody[i]!;
  }
}

/** Computes f + ω̇ × r + ω × (ω × r), all in body axes. */
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
  about:
    "Gyroscope and accelerometer with biases, noise, temperature drift, vibration, range and resolution; by default an MPU-9250.",
  version: 2,
  params,
  make: (p, context: SensorContext): Source<"imu"> => {
    const { periodS } = p;
    const gyro = new Triad("gyro", gyroErrors(p, context.seed), periodS, context.seed);
    const accel = new Triad("accel", accelErrors(p, context.seed), periodS, context.seed);
    const vibration = context.airframe === undefined ? undefined : new Vibration(p, context.airframe, context.seed);
    const accelMetric = new VibrationMetric();
    const gyroMetric = new VibrationMetric();
    const earth = p.earthRotation ? new EarthRate(context) : undefined;
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
        earth?.addInto(gyro.value, bus);
        specificForceAtInto(accel.value, bus.specificForceBody, bus.rateDotBody, rateBody, p.posBodyM);
        vibration?.addInto(accel.value, gyro.value, bus);
        const gyroReports = gyro.measure(warmthK, clock, bus);
        const accelReports = accel.measure(warmthK, clock, bus);
        bus.imuTemperature[0] = temperatureC;
        if (gyroReports) {
          for (let i = 0; i < 3; i += 1) bus.gyroRateBody[i] = gyro.value[i]!;
          bus.gyroVibration[0] = gyroMetric.update(gyro.value);
          bus.gyroCount[0]! += 1;
        }
        if (accelReports) {
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
