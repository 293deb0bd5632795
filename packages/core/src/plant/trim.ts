/**
 * Hover trim: thrusts that carry the weight without a moment, the rotor speeds that give them, and the electrical
 * working point; and the steady state at full duty.
 *
 * In still air thrust and torque grow with the square of rotor speed at every level, so one evaluation of the plant's own
 * rotor equations gives both coefficients. Currents follow from torque, and the bus voltage from the power all motors
 * take: V = (J + √(J² − 4GP))/(2G) with G = Σ1/R, J = ΣV0/R, the same root as the bus solve.
 */
import type { StateLayout } from "../state/index.ts";
import { airInto } from "./body/air.ts";
import { plantErrors } from "./errors.ts";
import { BATTERY, BUS, N, P, ROTOR, W, W_SIZE, X } from "./multirotor-layout.ts";
import { sourcesInto } from "./power/batteries.ts";
import { momentumRotorsInto } from "./rotors/momentum.ts";
import { referenceRotorsInto } from "./rotors/reference.ts";
import type { Vehicle } from "./vehicle.ts";

export interface TrimOptions {
  /** Default: the origin's. */
  readonly altitudeM?: number;
  /** State of charge of all batteries; default 1, with relaxed RC pairs. */
  readonly soc?: number;
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
  /** Hover time from full to the critical threshold of the batteries; 0 without batteries. */
  readonly enduranceS: number;
  readonly full: {
    readonly rotors: readonly TrimRotor[];
    readonly buses: readonly TrimBus[];
    readonly thrustToWeight: number;
  };
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
  const { weight, rotors, sources } = still(equations, altitudeM, options.soc ?? 1);
  const thrusts = hoverThrusts(vehicle, p, weight);
  if (n[N.N_MOTORS] === 0) return linearTrim(vehicle, thrusts, weight);
  const hover = rotors.map((rotor, i) => atThrust(rotor, thrusts[i]));
  const buses = sources.map((source, bus) => hoverBus(source, hover, rotors, bus));
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
    enduranceS: endurance(vehicle, equations, altitudeM, hover, rotors),
    full: fullDuty(rotors, sources, weight),
  };
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
  const full = thrusts.map(() => rotor(maxThrustN));
  return {
    rotors: thrusts.map(rotor),
    buses: [],
    powerW: 0,
    enduranceS: 0,
    full: { rotors: full, buses: [], thrustToWeight: (full.length * maxThrustN) / weight },
  };
}

interface Source {
  /** Σ1/R and ΣV0/R of the batteries; an ideal one has infinite conductance, and `ideal` is its voltage. */
  readonly g: number;
  readonly j: number;
  readonly ideal: number;
  readonly power: number;
}

/** Weight, rotor coefficients and sources at an altitude, in still air and away from the ground. */
function still(
  equations: Equations,
  altitudeM: number,
  soc: number,
): { weight: number; rotors: Rotor[]; sources: Source[] } {
  const { p, n, layout } = equations;
  const w = new Float64Array(W_SIZE);
  const x = new Float64Array(layout.size);
  const u = new Float64Array(4096);
  const speed = 100;
  x[X.X_POS + 2] = p[P.P_ORIGIN_ALTITUDE] - altitudeM;
  x[X.X_Q] = 1;
  if (n[N.N_MOTORS] > 0) x.fill(speed, n[N.N_X_SPEED], n[N.N_X_SPEED] + n[N.N_ROTORS]);
  if (n[N.N_BATTERIES] > 0) x.fill(soc, n[N.N_X_SOC], n[N.N_X_SOC] + n[N.N_BATTERIES]);
  u.fill(1, n[N.N_U_CONNECTED], n[N.N_U_CONNECTED] + n[N.N_BATTERIES]);
  airInto(w, x, u, p, n);
  sourcesInto(w, x, u, p, n);
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
  const sources = Array.from({ length: n[N.N_BUSES] }, (_, bus): Source => {
    let [g, j, ideal] = [0, 0, 0];
    for (let i = 0; i < n[N.N_BATTERIES]; i += 1) {
      if (n[N.N_BATTERY_BUS + i] !== bus) continue;
      g += w[W.W_CONDUCTANCE + i];
      j += w[W.W_CONDUCTANCE + i] * w[W.W_SOURCE + i];
      if (n[N.N_BATTERY_IDEAL + i] !== 0) ideal = w[W.W_SOURCE + i];
    }
    return { g, j, ideal, power: p[P.P_BUS + bus * BUS.BUS_STRIDE + BUS.U_POWER] };
  });
  return { weight: w[W.W_GRAVITY] / p[P.P_INV_MASS], rotors, sources };
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

/** Working point of a bus whose motors take a known power. */
function hoverBus(source: Source, hover: readonly Steady[], rotors: readonly Rotor[], bus: number): TrimBus {
  let power = source.power;
  hover.forEach((steady, i) => {
    if (rotors[i].bus === bus) power += steady.volts * steady.currentA * rotors[i].invEsc;
  });
  if (source.ideal > 0) return { voltageV: source.ideal, currentA: power / source.ideal };
  const inside = source.j * source.j - 4 * source.g * power;
  if (!(inside >= 0)) {
    throw plantErrors.noTrim({
      what: `hovering takes ${power.toFixed(1)} W from bus ${bus + 1}, which can give ${((source.j * source.j) / (4 * source.g)).toFixed(1)} W`,
      fix: "give a stronger battery or a lighter vehicle",
    });
  }
  const voltageV = (source.j + Math.sqrt(inside)) / (2 * source.g);
  return { voltageV, currentA: power / voltageV };
}

/** Steady state with every duty at 1: on each bus the voltage at which its motors draw what it gives, by bisection. */
function fullDuty(rotors: readonly Rotor[], sources: readonly Source[], weight: number): Trim["full"] {
  const buses = sources.map((source, bus): TrimBus => {
    let [low, high] = [0, source.ideal > 0 ? source.ideal : source.j / source.g];
    const load = (volts: number) => {
      let sum = source.power / volts;
      for (const rotor of rotors) if (rotor.bus === bus) sum += atFull(rotor, volts).currentA * rotor.invEsc;
      return sum;
    };
    if (source.ideal > 0) return { voltageV: high, currentA: load(high) };
    // Falls from high to low; 80 halvings end at neighbouring doubles.
    for (let k = 0; k < 80; k += 1) {
      const middle = (low + high) / 2;
      if (source.j - source.g * middle > load(middle)) low = middle;
      else high = middle;
    }
    return { voltageV: high, currentA: load(high) };
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

/** Time to empty the first bus's batteries down to their critical threshold, in slices of one percent of charge. */
function endurance(
  vehicle: Vehicle,
  equations: Equations,
  altitudeM: number,
  hover: readonly Steady[],
  rotors: readonly Rotor[],
): number {
  const { p, n } = equations;
  let least = Infinity;
  for (let bus = 0; bus < n[N.N_BUSES]; bus += 1) {
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
      const { currentA } = hoverBus(still(equations, altitudeM, soc).sources[bus], hover, rotors, bus);
      if (currentA > 0) seconds += (coulombs * (1 - floor)) / slices / currentA;
    }
    if (seconds > 0) least = Math.min(least, seconds);
  }
  return least === Infinity ? 0 : least;
}
