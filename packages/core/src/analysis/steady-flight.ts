/**
 * Steady level, climbing or descending flight of any multirotor: the attitude, duties and rotor speeds at which nothing
 * accelerates. Newton's method solves the plant's equations for them, starting from hover, in small steps of speed. With
 * more than four rotors the solution is not unique; each Newton step is then the solution of least norm of the linearised
 * equations.
 */
import { SimError } from "../errors/index.ts";
import { solveLeastNorm } from "../math/linear-solve.ts";
import { plantErrors } from "../multirotor/errors.ts";
import type { Multirotor } from "../multirotor/plant.ts";
import { type BusDemand, enduranceOf } from "../multirotor/trim.ts";
import { AT, BodyAxes } from "./body-axes.ts";

export interface SteadyOptions {
  /** Horizontal speed through the air, along the nose. Default: 0. */
  readonly speedMps?: number;
  /** Rate of climb. Default: 0. */
  readonly climbMps?: number;
  /** Altitude above sea level. Default: 50 m above the origin, out of ground effect. */
  readonly altitudeM?: number;
  /** State of charge of all batteries. Default: 1. */
  readonly soc?: number;
}

interface SteadyRotor {
  readonly duty: number;
  readonly speedRadS: number;
  readonly thrustN: number;
  readonly torqueNm: number;
  readonly currentA: number;
}

export interface SteadyFlight {
  readonly speedMps: number;
  readonly climbMps: number;
  readonly altitudeM: number;
  readonly soc: number;
  readonly rollRad: number;
  readonly pitchRad: number;
  readonly rotors: readonly SteadyRotor[];
  readonly buses: readonly { readonly voltageV: number; readonly currentA: number }[];
  readonly powerW: number;
  /**
   * Time from full, relaxed batteries until the batteries of any bus reach their critical threshold or can no longer
   * supply the power; 0 without batteries.
   */
  readonly enduranceS: number;
  /** Endurance times speed. */
  readonly rangeM: number;
}

/** A steady flight, and the point at which the equations can be linearised. */
export interface OperatingPoint {
  readonly axes: BodyAxes;
  readonly xi: readonly number[];
  readonly inputs: readonly number[];
  readonly flight: SteadyFlight;
}

const OUT_OF_GROUND_EFFECT_M = 50;
const SPEED_STEP_MPS = 0.5;
const MAX_ITERATIONS = 60;
/**
 * The iteration has converged when every remaining derivative is smaller: accelerations in m/s² and rad/s², and the rates
 * of change of the motors' states per second.
 */
const CONVERGED = 1e-9;
const MAX_PITCH_RAD = 1.5;

/** Finds the attitude, duties and electrical loads of a steady flight. */
export function steadyFlight(plant: Multirotor, options: SteadyOptions = {}): SteadyFlight {
  return operatingPoint(plant, options).flight;
}

export function operatingPoint(plant: Multirotor, options: SteadyOptions = {}): OperatingPoint {
  const { speedMps = 0, climbMps = 0, soc = 1 } = options;
  const altitudeM = options.altitudeM ?? plant.constants.originAltitude + OUT_OF_GROUND_EFFECT_M;
  const solver = new SteadySolver(plant, altitudeM, soc);
  const stages = Math.max(1, Math.ceil(Math.max(Math.abs(speedMps), Math.abs(climbMps)) / SPEED_STEP_MPS));
  for (let stage = 0; stage <= stages; stage += 1) {
    const share = stage / stages;
    try {
      solver.solve(share * speedMps, share * climbMps);
    } catch (error) {
      throw stage === stages ? error : withRequest(error, speedMps, climbMps);
    }
  }
  return solver.point({ speedMps, climbMps, altitudeM, soc });
}

/** Adds the requested speed to an error that occurred at a lower speed on the way to it. */
function withRequest(error: unknown, speedMps: number, climbMps: number): unknown {
  if (!(error instanceof SimError && error.code === plantErrors.noSteadyFlight.code)) return error;
  const request = speedText(speedMps, climbMps);
  return plantErrors.noSteadyFlight({ what: `the vehicle does not reach ${request}: ${error.what}`, fix: error.fix });
}

function speedText(speedMps: number, climbMps: number): string {
  return climbMps === 0
    ? `${roundedText(speedMps)} m/s`
    : `${roundedText(speedMps)} m/s with ${roundedText(climbMps)} m/s of climb`;
}

/**
 * Computes level flight at increasing speeds, up to `limitMps` or the last speed at which the vehicle holds its height.
 */
export function speedSweep(
  plant: Multirotor,
  options: Omit<SteadyOptions, "speedMps" | "climbMps"> & { readonly stepMps: number; readonly limitMps: number },
): SteadyFlight[] {
  const flights: SteadyFlight[] = [];
  for (let k = 0; k * options.stepMps <= options.limitMps; k += 1) {
    try {
      flights.push(steadyFlight(plant, { ...options, speedMps: k * options.stepMps }));
    } catch (error) {
      if (k === 0 || !(error instanceof SimError && error.code === plantErrors.noSteadyFlight.code)) throw error;
      break;
    }
  }
  return flights;
}

class SteadySolver {
  private readonly axes: BodyAxes;
  private readonly plant: Multirotor;
  /** Unknowns: roll, pitch, the motors' states, the duties. */
  private z: number[];
  private readonly scales: readonly number[];
  private readonly motorStates: number;
  private readonly altitudeM: number;

  constructor(plant: Multirotor, altitudeM: number, soc: number) {
    this.plant = plant;
    this.altitudeM = altitudeM;
    this.axes = new BodyAxes(
      plant,
      plant.vehicle.batteries.map(() => soc),
    );
    const { rotors } = plant.trim({ altitudeM, soc });
    const duties = rotors.map(({ duty }) => duty);
    const speeds = rotors.map(({ speedRadS }) => speedRadS);
    const motors = this.axes.states.slice(AT.motors).map(({ name }) => {
      const [block, number] = name.split(".");
      const i = Number(number) - 1;
      if (block === "motorOutput") return duties[i];
      return block === "rotorSpeed" ? speeds[i] : 0;
    });
    this.motorStates = motors.length;
    this.z = [0, 0, ...motors, ...duties];
    const motorScales = this.axes.states
      .slice(AT.motors)
      .map(({ name }) => (name.startsWith("rotorSpeed") ? 100 : 0.1));
    this.scales = [0.1, 0.1, ...motorScales, ...duties.map(() => 0.1)];
  }

  solve(speedMps: number, climbMps: number): void {
    let residual = this.residual(this.z, speedMps, climbMps);
    for (let k = 0; k < MAX_ITERATIONS; k += 1) {
      if (largest(residual) < CONVERGED) break;
      const step = solveLeastNorm(this.jacobian(speedMps, climbMps), residual);
      if (step === undefined) break;
      // Halve a step that increases the residual, because Newton's method overshoots far from the solution.
      let factor = 1;
      let next = residual;
      let z = this.z;
      for (let halving = 0; halving < 12; halving += 1) {
        z = this.z.map((value, i) => value - factor * step[i] * this.scales[i]);
        next = this.residual(z, speedMps, climbMps);
        if (largest(next) < largest(residual)) break;
        factor /= 2;
      }
      if (!(largest(next) < largest(residual))) break;
      this.z = z;
      residual = next;
    }
    this.check(largest(residual), speedMps, climbMps);
  }

  point(at: Pick<SteadyFlight, "speedMps" | "climbMps" | "altitudeM" | "soc">): OperatingPoint {
    const { axes, plant } = this;
    const { xi, inputs } = this.coordinatesOf(this.z, at.speedMps, at.climbMps);
    const y = axes.signals(xi, inputs);
    const speeds = axes.states.flatMap(({ name }, i) => (name.startsWith("rotorSpeed") ? [xi[i]] : []));
    const duties = inputs.slice(0, plant.dims.rotors);
    const rotors = duties.map((duty, i): SteadyRotor => ({
      duty,
      speedRadS: speeds[i] ?? 0,
      thrustN: y.rotorThrust[i],
      torqueNm: Math.abs(y.rotorTorque[i]),
      currentA: y.motorCurrent[i],
    }));
    const buses = Array.from({ length: plant.constants.motorCount === 0 ? 0 : plant.dims.buses }, (_, bus) => ({
      voltageV: y.busVoltage[bus],
      currentA: y.busCurrent[bus],
    }));
    const demands = buses.map(({ voltageV, currentA }, bus): BusDemand => ({
      powerW: voltageV * currentA,
      voltageV: rotors.reduce(
        (highest, { duty }, i) =>
          plant.constants.rotors[i].bus === bus ? Math.max(highest, duty * voltageV) : highest,
        0,
      ),
    }));
    const enduranceS = enduranceOf(plant.vehicle, plant.constants, demands);
    const [rollRad, pitchRad] = this.z;
    const powerW = demands.reduce((sum, demand) => sum + demand.powerW, 0);
    const rangeM = enduranceS * Math.abs(at.speedMps);
    return { axes, xi, inputs, flight: { ...at, rollRad, pitchRad, rotors, buses, powerW, enduranceS, rangeM } };
  }

  private check(residual: number, speedMps: number, climbMps: number): void {
    const speeds = speedText(speedMps, climbMps);
    const fix = "use a lower speed or climb, or a lighter or stronger vehicle";
    const duties = this.z.slice(2 + this.motorStates);
    const highest = duties.indexOf(Math.max(...duties));
    if (duties[highest] > 1) {
      const what = `rotor ${highest + 1} needs duty ${duties[highest].toFixed(3)} to fly at ${speeds}`;
      throw plantErrors.noSteadyFlight({ what, fix });
    }
    if (Math.min(...duties) < 0)
      throw plantErrors.noSteadyFlight({ what: `a rotor needs a negative duty at ${speeds}`, fix });
    if (residual < 1e-6 && Math.abs(this.z[1]) < MAX_PITCH_RAD) return;
    throw plantErrors.noSteadyFlight({ what: `no attitude and duties balance the vehicle at ${speeds}`, fix });
  }

  private coordinatesOf(z: readonly number[], speedMps: number, climbMps: number): { xi: number[]; inputs: number[] } {
    const [roll, pitch] = z;
    const duties = z.slice(2 + this.motorStates);
    const down = this.plant.constants.originAltitude - this.altitudeM;
    const velocity = this.axes.bodyVelocity([speedMps, 0, -climbMps], roll, pitch);
    const motors = z.slice(2, 2 + this.motorStates);
    return {
      xi: [0, 0, down, ...velocity, roll, pitch, 0, 0, 0, 0, ...motors],
      inputs: [...duties, 0, 0, 0],
    };
  }

  /** Returns the derivatives that must vanish: the accelerations, and the rates of change of the motors' states. */
  private residual(z: readonly number[], speedMps: number, climbMps: number): number[] {
    const { xi, inputs } = this.coordinatesOf(z, speedMps, climbMps);
    const derivatives = this.axes.derivatives(xi, inputs);
    return [...derivatives.slice(AT.velocity, AT.roll), ...derivatives.slice(AT.rates)];
  }

  /** Returns the Jacobian of the residual with respect to the unknowns in units of their scales, row by row. */
  private jacobian(speedMps: number, climbMps: number): number[][] {
    const columns = this.z.map((value, i) => {
      const step = 1e-4 * this.scales[i];
      const [high, low] = [value + step, value - step].map((moved) =>
        this.residual(
          this.z.map((other, k) => (k === i ? moved : other)),
          speedMps,
          climbMps,
        ),
      );
      return high.map((above, row) => ((above - low[row]) / (2 * step)) * this.scales[i]);
    });
    return columns[0].map((_, row) => columns.map((column) => column[row]));
  }
}

function largest(values: readonly number[]): number {
  return values.reduce(
    (highest, value) => (Math.abs(value) > highest || value !== value ? Math.abs(value) : highest),
    0,
  );
}

function roundedText(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}
