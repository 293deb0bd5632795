/**
 * Computes the hover trim: the thrusts that carry the weight without a moment, the rotor speeds that produce them, and
 * the electrical working point. Also computes the steady state at full duty.
 *
 * The plant's rotor equations give thrust and torque at a given speed. Both grow approximately with the square of the
 * speed. So the speed for a thrust is found by repeatedly multiplying the speed by the square root of the wanted thrust
 * divided by the present thrust. The speed at full duty is found in the same way from the torque (`speedAgainst`).
 * Currents follow from torque. In hover the motors of a bus draw a known power, so the plant's bus solve gives the
 * voltage with this power as its only load.
 */
import { solveLeastNorm } from "../math/linear-solve.ts";
import { airInto } from "./equations/air/air.ts";
import { plantErrors } from "./errors.ts";
import {
  inputView,
  LEVEL_MOMENTUM,
  LEVEL_REFERENCE,
  type Scratch,
  SCRATCH_SIZE,
  scratchView,
  stateView,
  type VehicleConstants,
} from "./memory.ts";
import { sourcesInto } from "./equations/power/batteries.ts";
import { balance, highestRoot } from "./equations/power/bus-solve.ts";
import { momentumRotorsInto } from "./equations/rotors/momentum.ts";
import { referenceRotorsInto } from "./equations/rotors/reference.ts";
import type { Vehicle } from "./vehicle.ts";

export interface TrimOptions {
  /** Default: the altitude of the origin. */
  readonly altitudeM?: number;
  /** State of charge of all batteries, or one per battery. Default: 1. */
  readonly soc?: number | readonly number[];
  /** Voltage of each battery's first RC pair. Default: 0 (relaxed). The voltage of the second RC pair is always 0. */
  readonly v1V?: readonly number[];
}

interface TrimRotor {
  readonly thrustN: number;
  readonly torqueNm: number;
  readonly speedRadS: number;
  /** Steady actuator output. */
  readonly duty: number;
  readonly currentA: number;
}

interface TrimBus {
  readonly voltageV: number;
  readonly currentA: number;
}

export interface Trim {
  readonly rotors: readonly TrimRotor[];
  readonly buses: readonly TrimBus[];
  /** Total electrical power of all buses. */
  readonly powerW: number;
  /**
   * Hover time with full, relaxed batteries, until the batteries of one bus reach their critical threshold or can no
   * longer supply the hover power; 0 without batteries.
   */
  readonly enduranceS: number;
  readonly full: {
    readonly rotors: readonly TrimRotor[];
    readonly buses: readonly TrimBus[];
    readonly thrustToWeight: number;
  };
}

export interface Lift {
  readonly weightN: number;
  readonly thrustN: number;
}

/** A speed at which every rotor produces thrust. The search starts from it. */
const FIRST_SPEED_RADPS = 100;

/** At least the size of the state and of the input of any vehicle. */
const MAX_VECTOR_LENGTH = 256;

/** A rotor's constants, and its thrust and torque at a speed in still air. */
interface Rotor {
  readonly constants: VehicleConstants["rotors"][number];
  readonly at: (speedRadS: number) => { readonly thrustN: number; readonly torqueNm: number };
}

export function trimOf(vehicle: Vehicle, constants: VehicleConstants, options: TrimOptions): Trim {
  const { weight, rotors } = inStillAir(constants, options.altitudeM ?? constants.originAltitude);
  const thrusts = hoverThrusts(vehicle, constants, weight);
  if (constants.motorCount === 0) return linearTrim(vehicle, thrusts, weight);
  const hover = rotors.map((rotor, i) => atThrust(rotor, thrusts[i]));
  const w = sourcesAt(constants, options);
  const buses = Array.from({ length: constants.busCount }, (_, bus) => {
    const power = hoverPower(constants, hover, rotors, bus);
    const found = busAt(constants, w, bus, power);
    if (found !== undefined) return found;
    throw plantErrors.noTrim({
      what: `hovering takes ${power.toFixed(1)} W from bus ${bus + 1}, more than its batteries can supply`,
      fix: "use a stronger or fuller battery, a lower cut-off voltage or a lighter vehicle",
    });
  });
  const trimmed = hover.map((rotor, i) => {
    const { bus, maxCurrent } = rotors[i].constants;
    const duty = rotor.volts / buses[bus].voltageV;
    if (duty > 1 || rotor.currentA > maxCurrent) {
      throw plantErrors.noTrim({
        what: `rotor ${i + 1} needs duty ${duty.toFixed(3)} and ${rotor.currentA.toFixed(1)} A to hover`,
        fix: "use a lighter vehicle, larger propellers, another motor or a higher voltage",
      });
    }
    return atDuty(rotor, duty);
  });
  return {
    rotors: trimmed,
    buses,
    powerW: buses.reduce((sum, bus) => sum + bus.voltageV * bus.currentA, 0),
    // Compute `enduranceS` and `full` on demand, because they take many times longer than the rest, and no flight
    // needs them.
    get enduranceS() {
      return enduranceOf(vehicle, constants, hoverDemands(constants, hover, rotors));
    },
    get full() {
      return fullDuty(constants, w, rotors, weight);
    },
  };
}

/**
 * Returns the weight, and the thrust of all rotors together at full duty with full batteries, in still air at the
 * origin.
 */
export function liftOf(vehicle: Vehicle, constants: VehicleConstants): Lift {
  const { weight, rotors } = inStillAir(constants, constants.originAltitude);
  if (constants.motorCount === 0)
    return { weightN: weight, thrustN: vehicle.rotors.length * vehicle.propulsion.linear.maxThrustN };
  const full = fullDuty(constants, sourcesAt(constants, {}), rotors, weight);
  return { weightN: weight, thrustN: full.rotors.reduce((sum, { thrustN }) => sum + thrustN, 0) };
}

/** Computes the trim of level "linear", which models neither the electrical system nor rotor speeds. */
function linearTrim(vehicle: Vehicle, thrusts: readonly number[], weight: number): Trim {
  const { maxThrustN, torqueRatioM } = vehicle.propulsion.linear;
  const rotor = (thrustN: number): TrimRotor => ({
    thrustN,
    torqueNm: torqueRatioM * thrustN,
    speedRadS: 0,
    duty: thrustN / maxThrustN,
    currentA: 0,
  });
  const rotors = thrusts.map(rotor);
  const beyond = rotors.findIndex(({ duty }) => duty > 1);
  if (beyond >= 0) {
    throw plantErrors.noTrim({
      what: `rotor ${beyond + 1} needs duty ${rotors[beyond].duty.toFixed(3)} to hover`,
      fix: "reduce the mass or increase propulsion.linear.maxThrustN",
    });
  }
  const full = thrusts.map(() => rotor(maxThrustN));
  return {
    rotors,
    buses: [],
    powerW: 0,
    enduranceS: 0,
    full: { rotors: full, buses: [], thrustToWeight: (full.length * maxThrustN) / weight },
  };
}

/** Returns weight and rotors at an altitude, in still air and far from the ground. */
function inStillAir(constants: VehicleConstants, altitudeM: number): { weight: number; rotors: Rotor[] } {
  const w = scratchView(new Float64Array(SCRATCH_SIZE));
  const x = stateView(new Float64Array(MAX_VECTOR_LENGTH), constants);
  x.posNed[2] = constants.originAltitude - altitudeM;
  x.qBodyToNed[0] = 1;
  const u = inputView(new Float64Array(MAX_VECTOR_LENGTH), constants);
  airInto(w, x, u, constants);
  x.posNed[2] = -1e9;
  const at = (i: number, speedRadS: number) => {
    x.rotorSpeed.fill(speedRadS, 0, constants.motorCount);
    if (constants.level === LEVEL_REFERENCE) referenceRotorsInto(w, x, constants);
    if (constants.level === LEVEL_MOMENTUM) momentumRotorsInto(w, x, u, constants);
    return { thrustN: w.thrust[i], torqueNm: w.torque[i] };
  };
  const rotors = constants.rotors
    .slice(0, constants.motorCount)
    .map((rotor, i): Rotor => ({ constants: rotor, at: (speedRadS) => at(i, speedRadS) }));
  return { weight: w.gravity[0] / constants.inverseMass, rotors };
}

/** Returns a scratch array with all batteries connected and no motor running, for the plant's bus solve. */
function sourcesAt(constants: VehicleConstants, { soc = 1, v1V }: Pick<TrimOptions, "soc" | "v1V">): Scratch {
  const w = scratchView(new Float64Array(SCRATCH_SIZE));
  const x = stateView(new Float64Array(MAX_VECTOR_LENGTH), constants);
  const u = inputView(new Float64Array(MAX_VECTOR_LENGTH).fill(1), constants);
  for (let i = 0; i < constants.batteryCount; i += 1) {
    x.batterySoc[i] = typeof soc === "number" ? soc : soc[i];
    x.batteryV1[i] = v1V?.[i] ?? 0;
  }
  sourcesInto(w, x, u, constants);
  return w;
}

/**
 * Returns the thrusts with the least sum of squares that carry the weight without a roll or pitch moment: T =
 * Aᵀ(AAᵀ)⁻¹b. A zero yaw moment is a fourth condition, if the rotors can meet it.
 */
function hoverThrusts(vehicle: Vehicle, constants: VehicleConstants, weight: number): readonly number[] {
  const rows: number[][] = [[], [], [], []];
  // A length gives the yaw row the unit of the other moments. The solution does not depend on it.
  const lengthM = vehicle.propulsion.radiusM;
  for (const { axis, arm, direction } of constants.rotors.slice(0, constants.rotorCount)) {
    rows[0].push(axis[2]);
    rows[1].push(arm[0]);
    rows[2].push(arm[1]);
    rows[3].push(direction * axis[2] * lengthM);
  }
  const thrusts = solveLeastNorm(rows, [weight, 0, 0, 0]) ?? solveLeastNorm(rows.slice(0, 3), [weight, 0, 0]);
  if (thrusts === undefined || thrusts.some((thrust) => thrust <= 0)) {
    throw plantErrors.noTrim({
      what: "no positive thrusts carry the weight without a moment",
      fix: "place the rotors around the centre of mass, and let their axes point down (0, 0, 1)",
    });
  }
  return thrusts;
}

interface Steady {
  readonly thrustN: number;
  readonly torqueNm: number;
  readonly speedRadS: number;
  readonly currentA: number;
  /** Duty times bus voltage. */
  readonly volts: number;
}

/** Maximum number of corrections of a speed. Each correction reduces the error to a third or less. */
const MAX_CORRECTIONS = 40;

/** Corrects a speed until it no longer changes. */
function findSteadySpeed(correct: (speedRadS: number) => number): number {
  let speedRadS = FIRST_SPEED_RADPS;
  for (let k = 0; k < MAX_CORRECTIONS; k += 1) {
    const next = correct(speedRadS);
    const isSame = Math.abs(next - speedRadS) <= 1e-15 * next;
    speedRadS = next;
    if (isSame) break;
  }
  return speedRadS;
}

function atThrust(rotor: Rotor, thrustN: number): Steady {
  const speedRadS = findSteadySpeed((speed) => speed * Math.sqrt(thrustN / rotor.at(speed).thrustN));
  const { torqueNm } = rotor.at(speedRadS);
  const { idleCurrent, friction, resistance, backEmfConstant: ke } = rotor.constants;
  const currentA = idleCurrent + (torqueNm + friction * speedRadS) / ke;
  return { thrustN, torqueNm, speedRadS, currentA, volts: currentA * resistance + ke * speedRadS };
}

function atDuty({ thrustN, torqueNm, speedRadS, currentA }: Steady, duty: number): TrimRotor {
  return { thrustN, torqueNm, speedRadS, duty, currentA };
}

/**
 * Returns the power that a bus supplies in hover: to its motors through their controllers, and to its constant load.
 */
function hoverPower(
  constants: VehicleConstants,
  hover: readonly Steady[],
  rotors: readonly Rotor[],
  bus: number,
): number {
  let power = constants.buses[bus].power;
  hover.forEach((steady, i) => {
    const { bus: rotorBus, inverseEfficiency } = rotors[i].constants;
    if (rotorBus === bus) power += steady.volts * steady.currentA * inverseEfficiency;
  });
  return power;
}

/**
 * Returns the working point of a bus that supplies a power; undefined if its batteries cannot supply this power, or
 * only below the brown-out voltage.
 */
function busAt(constants: VehicleConstants, w: Scratch, bus: number, power: number): TrimBus | undefined {
  const voltageV = idealVoltage(w, constants, bus) ?? highestRoot(w, constants, bus, power);
  if (!(voltageV > 0 && voltageV >= constants.buses[bus].brownOut)) return undefined;
  return { voltageV, currentA: power / voltageV };
}

/** Returns the voltage of an ideal battery that is not empty, if the bus has one. */
function idealVoltage(w: Scratch, constants: VehicleConstants, bus: number): number | undefined {
  for (let i = 0; i < constants.batteryCount; i += 1) {
    const battery = constants.batteries[i];
    if (battery.bus === bus && battery.isIdeal !== 0 && w.currentLimit[i] > 0) return w.sourceVoltage[i];
  }
  return undefined;
}

/** Computes the steady state with every duty at 1, by bisection for the bus voltage at which supply equals demand. */
function fullDuty(constants: VehicleConstants, w: Scratch, rotors: readonly Rotor[], weight: number): Trim["full"] {
  const buses = Array.from({ length: constants.busCount }, (_, bus): TrimBus => {
    const power = constants.buses[bus].power;
    const draw = (volts: number) => {
      let sum = 0;
      for (const rotor of rotors) {
        const { bus: rotorBus, inverseEfficiency } = rotor.constants;
        if (rotorBus === bus) sum += atFull(rotor, volts).currentA * inverseEfficiency;
      }
      return sum;
    };
    const ideal = idealVoltage(w, constants, bus);
    let [low, high] = [0, ideal ?? highestRoot(w, constants, bus, 0)];
    // The current that the batteries leave for the motors decreases with the voltage, and the motors' draw increases.
    // 80 bisections end at adjacent doubles.
    for (let k = 0; k < 80 && ideal === undefined; k += 1) {
      const middle = (low + high) / 2;
      if (balance(w, constants, bus, power, middle) > draw(middle)) low = middle;
      else high = middle;
    }
    return { voltageV: high, currentA: power / high + draw(high) };
  });
  const full = rotors.map((rotor) => atDuty(atFull(rotor, buses[rotor.constants.bus].voltageV), 1));
  return { rotors: full, buses, thrustToWeight: full.reduce((sum, rotor) => sum + rotor.thrustN, 0) / weight };
}

/**
 * Returns the steady state of a rotor at full duty and a bus voltage. Solves Ke·((V − KeΩ)/R − I0) = Q + bΩ, with
 * Ke·(Imax − I0) on the left side if the controller limits the current.
 */
function atFull(rotor: Rotor, volts: number): Steady {
  const { backEmfConstant: ke, resistance: ohm, idleCurrent: idle, friction, maxCurrent } = rotor.constants;
  let speedRadS = speedAgainst(rotor, friction + (ke * ke) / ohm, ke * (volts / ohm - idle));
  let currentA = (volts - ke * speedRadS) / ohm;
  if (currentA > maxCurrent) {
    currentA = maxCurrent;
    speedRadS = speedAgainst(rotor, friction, ke * (maxCurrent - idle));
  }
  return { ...rotor.at(speedRadS), speedRadS, currentA, volts };
}

/** Finds the speed at which Q + bΩ = c, by repeatedly solving with Q = qΩ² and the q of the previous speed. */
function speedAgainst(rotor: Rotor, b: number, c: number): number {
  if (!(c > 0)) return 0;
  return findSteadySpeed((speed) => {
    const q = rotor.at(speed).torqueNm / (speed * speed);
    return (Math.sqrt(b * b + 4 * q * c) - b) / (2 * q);
  });
}

/** The demand on a bus: its power, and the minimum voltage that its motors need. */
export interface BusDemand {
  readonly powerW: number;
  readonly voltageV: number;
}

function hoverDemands(constants: VehicleConstants, hover: readonly Steady[], rotors: readonly Rotor[]): BusDemand[] {
  return Array.from({ length: constants.busCount }, (_, bus) => ({
    powerW: hoverPower(constants, hover, rotors, bus),
    voltageV: hover.reduce(
      (highest, steady, i) => (rotors[i].constants.bus === bus ? Math.max(highest, steady.volts) : highest),
      0,
    ),
  }));
}

/** Returns how long full batteries supply a constant demand, until the first bus runs out; 0 without a demand. */
export function enduranceOf(vehicle: Vehicle, constants: VehicleConstants, demands: readonly BusDemand[]): number {
  let shortest = Infinity;
  demands.forEach((demand, bus) => {
    if (demand.powerW !== 0) shortest = Math.min(shortest, busEndurance(vehicle, constants, bus, demand));
  });
  return shortest === Infinity ? 0 : shortest;
}

/**
 * Returns the time in which a constant power discharges the batteries of a bus from full to their critical threshold,
 * computed in slices of charge. The time ends earlier if the batteries cannot supply the power, or can supply it only
 * below the voltage that the motors need.
 */
function busEndurance(vehicle: Vehicle, constants: VehicleConstants, bus: number, demand: BusDemand): number {
  let coulombs = 0;
  let floor = 0;
  for (let i = 0; i < constants.batteryCount; i += 1) {
    if (constants.batteries[i].bus !== bus) continue;
    coulombs += 1 / constants.batteries[i].inverseCharge;
    floor = Math.max(floor, vehicle.batteries[i].criticalSoc);
  }
  const slices = 100;
  let seconds = 0;
  for (let k = 0; k < slices; k += 1) {
    const soc = 1 - ((1 - floor) * (k + 0.5)) / slices;
    const found = busAt(constants, sourcesAt(constants, { soc }), bus, demand.powerW);
    if (found === undefined || found.voltageV < demand.voltageV) break;
    seconds += (coulombs * (1 - floor)) / slices / found.currentA;
  }
  return seconds;
}
