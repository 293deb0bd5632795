/**
 * Hover trim: thrusts that carry the weight without a moment, the rotor speeds that give them, and the electrical
 * working point; and the steady state at full duty.
 *
 * In still air thrust and torque grow with the square of rotor speed at every level, so one evaluation of the plant's own
 * rotor equations gives both coefficients. Currents follow from torque. What all motors of a bus take in hover is a known
 * power, so its voltage is that of the plant's own bus solve with this constant power and no other load.
 */
import type { StateLayout } from "../state/index.ts";
import { airInto } from "./equations/air/air.ts";
import { plantErrors } from "./errors.ts";
import { BATTERY, BUS, N, P, ROTOR, W, W_SIZE, X } from "./memory.ts";
import { sourcesInto } from "./equations/power/batteries.ts";
import { balance, highestRoot } from "./equations/power/bus-solve.ts";
import { momentumRotorsInto } from "./equations/rotors/momentum.ts";
import { referenceRotorsInto } from "./equations/rotors/reference.ts";
import type { Vehicle } from "./vehicle.ts";

export interface TrimOptions {
  /** Default: the origin's. */
  readonly altitudeM?: number;
  /** State of charge of all batteries, or of each; default 1. */
  readonly soc?: number | readonly number[];
  /** Polarisation of each battery's first RC pair; default 0, relaxed, like the second one. */
  readonly v1V?: readonly number[];
}

export interface TrimRotor {
  readonly thrustN: number;
  readonly torqueNm: number;
  readonly speedRadS: number;
  /** Steady actuator output. */
  readonly duty: number;
  readonly currentA: number;
}

export interface TrimBus {
  readonly voltageV: number;
  readonly currentA: number;
}

export interface Trim {
  readonly rotors: readonly TrimRotor[];
  readonly buses: readonly TrimBus[];
  /** Electrical power of all buses. */
  readonly powerW: number;
  /**
   * Hover time with full, relaxed batteries until those of some bus are at their critical threshold or can carry the hover
   * no longer; 0 without batteries.
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

interface Equations {
  readonly p: Float64Array;
  readonly n: Int32Array;
  readonly layout: StateLayout;
}

/** Thrust and torque per squared speed, and the electrical side, of every rotor. */
interface Rotor {
  readonly thrust: number;
  readonly torque: number;
  readonly ke: number;
  readonly ohm: number;
  readonly idle: number;
  readonly friction: number;
  readonly maxCurrent: number;
  readonly invEsc: number;
  readonly bus: number;
}

export function trimOf(vehicle: Vehicle, equations: Equations, options: TrimOptions): Trim {
  const { p, n } = equations;
  const altitudeM = options.altitudeM ?? p[P.P_ORIGIN_ALTITUDE];
  const { weight, rotors } = still(equations, altitudeM);
  const thrusts = hoverThrusts(vehicle, p, weight);
  if (n[N.N_MOTORS] === 0) return linearTrim(vehicle, thrusts, weight);
  const hover = rotors.map((rotor, i) => atThrust(rotor, thrusts[i]));
  const w = sourcesAt(equations, options);
  const buses = Array.from({ length: n[N.N_BUSES] }, (_, bus) => {
    const power = hoverPower(p, hover, rotors, bus);
    const found = busAt(equations, w, bus, power);
    if (found !== undefined) return found;
    throw plantErrors.noTrim({
      what: `hovering takes ${power.toFixed(1)} W from bus ${bus + 1}, more than its batteries can give`,
      fix: "give a stronger or fuller battery, a lower cut-off voltage or a lighter vehicle",
    });
  });
  const trimmed = hover.map((rotor, i) => {
    const duty = rotor.volts / buses[rotors[i].bus].voltageV;
    if (duty > 1 || rotor.currentA > rotors[i].maxCurrent) {
      throw plantErrors.noTrim({
        what: `rotor ${i + 1} needs duty ${duty.toFixed(3)} and ${rotor.currentA.toFixed(1)} A to hover`,
        fix: "give a lighter vehicle, larger propellers, another motor or a higher voltage",
      });
    }
    return {
      thrustN: rotor.thrustN,
      torqueNm: rotor.torqueNm,
      speedRadS: rotor.speedRadS,
      duty,
      currentA: rotor.currentA,
    };
  });
  return {
    rotors: trimmed,
    buses,
    powerW: buses.reduce((sum, bus) => sum + bus.voltageV * bus.currentA, 0),
    enduranceS: endurance(vehicle, equations, hover, rotors),
    full: fullDuty(equations, w, rotors, weight),
  };
}

/** Weight, and the thrust of all rotors together at full duty with full batteries, in still air at the origin. */
export function liftOf(vehicle: Vehicle, equations: Equations): Lift {
  const { p, n } = equations;
  const { weight, rotors } = still(equations, p[P.P_ORIGIN_ALTITUDE]);
  if (n[N.N_MOTORS] === 0)
    return { weightN: weight, thrustN: vehicle.rotors.length * vehicle.propulsion.linear.maxThrustN };
  const full = fullDuty(equations, sourcesAt(equations, {}), rotors, weight);
  return { weightN: weight, thrustN: full.rotors.reduce((sum, { thrustN }) => sum + thrustN, 0) };
}

/** Level "linear" has no electrical side and no rotor speed. */
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
      fix: "give a lighter vehicle or more thrust, propulsion.linear.maxThrustN",
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

/** Weight and rotor coefficients at an altitude, in still air and away from the ground. */
function still(equations: Equations, altitudeM: number): { weight: number; rotors: Rotor[] } {
  const { p, n, layout } = equations;
  const w = new Float64Array(W_SIZE);
  const x = new Float64Array(layout.size);
  const speed = 100;
  x[X.X_POS + 2] = p[P.P_ORIGIN_ALTITUDE] - altitudeM;
  x[X.X_Q] = 1;
  if (n[N.N_MOTORS] > 0) x.fill(speed, n[N.N_X_SPEED], n[N.N_X_SPEED] + n[N.N_ROTORS]);
  airInto(w, x, new Float64Array(n[N.N_U_WIND] + 3), p, n);
  x[X.X_POS + 2] = -1e9;
  if (n[N.N_LEVEL] === 1) referenceRotorsInto(w, x, p, n);
  if (n[N.N_LEVEL] === 2) momentumRotorsInto(w, x, p, n);
  const rotors = Array.from({ length: n[N.N_MOTORS] }, (_, i): Rotor => {
    const r = P.P_ROTOR + i * ROTOR.ROTOR_STRIDE;
    return {
      thrust: w[W.W_THRUST + i] / (speed * speed),
      torque: w[W.W_TORQUE + i] / (speed * speed),
      ke: p[r + ROTOR.R_KE],
      ohm: p[r + ROTOR.R_OHM],
      idle: p[r + ROTOR.R_IDLE],
      friction: p[r + ROTOR.R_FRICTION],
      maxCurrent: p[r + ROTOR.R_MAX_CURRENT],
      invEsc: p[r + ROTOR.R_INV_ESC],
      bus: n[N.N_ROTOR_BUS + i],
    };
  });
  return { weight: w[W.W_GRAVITY] / p[P.P_INV_MASS], rotors };
}

/** Scratch with all batteries connected and no motor running, for the plant's bus solve. */
function sourcesAt({ p, n, layout }: Equations, { soc = 1, v1V }: Pick<TrimOptions, "soc" | "v1V">): Float64Array {
  const w = new Float64Array(W_SIZE);
  const x = new Float64Array(layout.size);
  const u = new Float64Array(n[N.N_U_CONNECTED] + n[N.N_BATTERIES]).fill(1);
  for (let i = 0; i < n[N.N_BATTERIES]; i += 1) {
    x[n[N.N_X_SOC] + i] = typeof soc === "number" ? soc : soc[i];
    x[n[N.N_X_V1] + i] = v1V?.[i] ?? 0;
  }
  sourcesInto(w, x, u, p, n);
  return w;
}

/**
 * Thrusts of least sum of squares with vertical force = weight and no rolling or pitching moment: T = Aᵀ(AAᵀ)⁻¹b. The
 * yawing moment is a fourth condition where the rotors can meet it at all.
 */
function hoverThrusts(vehicle: Vehicle, p: Float64Array, weight: number): readonly number[] {
  const rows: number[][] = [[], [], [], []];
  const ratio = vehicle.propulsion.radiusM;
  vehicle.rotors.forEach((_, i) => {
    const r = P.P_ROTOR + i * ROTOR.ROTOR_STRIDE;
    rows[0].push(p[r + ROTOR.R_AXIS + 2]);
    rows[1].push(p[r + ROTOR.R_ARM]);
    rows[2].push(p[r + ROTOR.R_ARM + 1]);
    rows[3].push(p[r + ROTOR.R_DIR] * p[r + ROTOR.R_AXIS + 2] * ratio);
  });
  const thrusts = leastSquares(rows, [weight, 0, 0, 0]) ?? leastSquares(rows.slice(0, 3), [weight, 0, 0]);
  if (thrusts === undefined || thrusts.some((thrust) => thrust <= 0)) {
    throw plantErrors.noTrim({
      what: "no positive thrusts carry the weight without a moment",
      fix: "place the rotors around the centre of mass, and let their axes point down (0, 0, 1)",
    });
  }
  return thrusts;
}

/** The shortest T with A·T = b, or nothing if the rows depend on each other. */
function leastSquares(rows: readonly number[][], b: readonly number[]): readonly number[] | undefined {
  const size = rows.length;
  const m = rows.map((row, i) => [...rows.map((other) => dot(row, other)), b[i]]);
  const scale = Math.max(...m.map((row, i) => row[i]));
  for (let k = 0; k < size; k += 1) {
    let pivot = k;
    for (let i = k + 1; i < size; i += 1) if (Math.abs(m[i][k]) > Math.abs(m[pivot][k])) pivot = i;
    [m[k], m[pivot]] = [m[pivot], m[k]];
    if (Math.abs(m[k][k]) < 1e-9 * scale) return undefined;
    for (let i = 0; i < size; i += 1) {
      if (i === k) continue;
      const factor = m[i][k] / m[k][k];
      for (let c = k; c <= size; c += 1) m[i][c] -= factor * m[k][c];
    }
  }
  const weights = m.map((row, k) => row[size] / row[k]);
  return rows[0].map((_, i) => rows.reduce((sum, row, k) => sum + row[i] * weights[k], 0));
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}

interface Steady {
  readonly thrustN: number;
  readonly torqueNm: number;
  readonly speedRadS: number;
  readonly currentA: number;
  /** Duty times bus voltage. */
  readonly volts: number;
}

function atThrust(rotor: Rotor, thrustN: number): Steady {
  const speedRadS = Math.sqrt(thrustN / rotor.thrust);
  const torqueNm = rotor.torque * speedRadS * speedRadS;
  const currentA = rotor.idle + (torqueNm + rotor.friction * speedRadS) / rotor.ke;
  return { thrustN, torqueNm, speedRadS, currentA, volts: currentA * rotor.ohm + rotor.ke * speedRadS };
}

/** What a bus gives in hover: its motors through their controllers, and its constant load. */
function hoverPower(p: Float64Array, hover: readonly Steady[], rotors: readonly Rotor[], bus: number): number {
  let power = p[P.P_BUS + bus * BUS.BUS_STRIDE + BUS.U_POWER];
  hover.forEach((steady, i) => {
    if (rotors[i].bus === bus) power += steady.volts * steady.currentA * rotors[i].invEsc;
  });
  return power;
}

/** Working point of a bus that gives a known power; nothing if its batteries cannot, or its constant load browns out. */
function busAt({ p, n }: Equations, w: Float64Array, bus: number, power: number): TrimBus | undefined {
  const voltageV = idealVoltage(w, n, bus) ?? highestRoot(w, p, n, bus, power);
  if (!(voltageV > 0 && voltageV >= p[P.P_BUS + bus * BUS.BUS_STRIDE + BUS.U_BROWN_OUT])) return undefined;
  return { voltageV, currentA: power / voltageV };
}

/** Voltage of an ideal battery that is not empty, if the bus has one. */
function idealVoltage(w: Float64Array, n: Int32Array, bus: number): number | undefined {
  for (let i = 0; i < n[N.N_BATTERIES]; i += 1) {
    const isIdeal = n[N.N_BATTERY_BUS + i] === bus && n[N.N_BATTERY_IDEAL + i] !== 0;
    if (isIdeal && w[W.W_LIMIT + i] > 0) return w[W.W_SOURCE + i];
  }
  return undefined;
}

/** Steady state with every duty at 1: on each bus the voltage at which its motors draw what it gives, by bisection. */
function fullDuty(equations: Equations, w: Float64Array, rotors: readonly Rotor[], weight: number): Trim["full"] {
  const { p, n } = equations;
  const buses = Array.from({ length: n[N.N_BUSES] }, (_, bus): TrimBus => {
    const power = p[P.P_BUS + bus * BUS.BUS_STRIDE + BUS.U_POWER];
    const draw = (volts: number) => {
      let sum = 0;
      for (const rotor of rotors) if (rotor.bus === bus) sum += atFull(rotor, volts).currentA * rotor.invEsc;
      return sum;
    };
    const ideal = idealVoltage(w, n, bus);
    let [low, high] = [0, ideal ?? highestRoot(w, p, n, bus, 0)];
    // What is left for the motors falls with the voltage; 80 halvings end at neighbouring doubles.
    for (let k = 0; k < 80 && ideal === undefined; k += 1) {
      const middle = (low + high) / 2;
      if (balance(w, p, n, bus, power, middle) > draw(middle)) low = middle;
      else high = middle;
    }
    return { voltageV: high, currentA: power / high + draw(high) };
  });
  const full = rotors.map((rotor) => {
    const { thrustN, torqueNm, speedRadS, currentA } = atFull(rotor, buses[rotor.bus].voltageV);
    return { thrustN, torqueNm, speedRadS, duty: 1, currentA };
  });
  return { rotors: full, buses, thrustToWeight: full.reduce((sum, rotor) => sum + rotor.thrustN, 0) / weight };
}

/** Ke·((V − KeΩ)/R − I0) = qΩ² + bΩ, or Ke·(Imax − I0) on the left where the controller limits. */
function atFull(rotor: Rotor, volts: number): Steady {
  const { ke, ohm, idle, friction, torque } = rotor;
  const speedOf = (b: number, c: number) => (Math.sqrt(b * b + 4 * torque * Math.max(0, c)) - b) / (2 * torque);
  let speedRadS = speedOf(friction + (ke * ke) / ohm, ke * (volts / ohm - idle));
  let currentA = (volts - ke * speedRadS) / ohm;
  if (currentA > rotor.maxCurrent) {
    currentA = rotor.maxCurrent;
    speedRadS = speedOf(friction, ke * (rotor.maxCurrent - idle));
  }
  const squared = speedRadS * speedRadS;
  return { thrustN: rotor.thrust * squared, torqueNm: torque * squared, speedRadS, currentA, volts };
}

/** The bus that ends the hover first says how long it lasts. */
function endurance(vehicle: Vehicle, equations: Equations, hover: readonly Steady[], rotors: readonly Rotor[]): number {
  let least = Infinity;
  for (let bus = 0; bus < equations.n[N.N_BUSES]; bus += 1) {
    const power = hoverPower(equations.p, hover, rotors, bus);
    if (power === 0) continue;
    const volts = hover.reduce((most, steady, i) => (rotors[i].bus === bus ? Math.max(most, steady.volts) : most), 0);
    least = Math.min(least, busEndurance(vehicle, equations, bus, { power, volts }));
  }
  return least === Infinity ? 0 : least;
}

/**
 * Time in which a power empties the batteries of a bus from full to their critical threshold, in slices of charge; it ends
 * where they cannot give it, or not at the voltage that it takes.
 */
function busEndurance(
  vehicle: Vehicle,
  equations: Equations,
  bus: number,
  needs: { readonly power: number; readonly volts: number },
): number {
  const { p, n } = equations;
  let coulombs = 0;
  let floor = 0;
  for (let i = 0; i < n[N.N_BATTERIES]; i += 1) {
    if (n[N.N_BATTERY_BUS + i] !== bus) continue;
    coulombs += 1 / p[P.P_BATTERY + i * BATTERY.BATTERY_STRIDE + BATTERY.B_INV_CHARGE];
    floor = Math.max(floor, vehicle.batteries[i].criticalSoc);
  }
  const slices = 100;
  let seconds = 0;
  for (let k = 0; k < slices; k += 1) {
    const soc = 1 - ((1 - floor) * (k + 0.5)) / slices;
    const found = busAt(equations, sourcesAt(equations, { soc }), bus, needs.power);
    if (found === undefined || found.voltageV < needs.volts) break;
    seconds += (coulombs * (1 - floor)) / slices / found.currentA;
  }
  return seconds;
}
