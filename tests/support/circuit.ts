/** Electrical circuits for tests of the bus solve, laid out as the multirotor's equations want them. */
import { BUS, N, N_FIXED_SIZE, P, P_FIXED_SIZE, ROTOR, W, W_SIZE } from "../../packages/core/src/multirotor/memory.ts";
import { batteriesInto } from "../../packages/core/src/multirotor/equations/power/batteries.ts";
import { busVoltagesInto } from "../../packages/core/src/multirotor/equations/power/bus-solve.ts";

export interface Motor {
  readonly speed: number;
  readonly duty: number;
  readonly ohm?: number;
  readonly max?: number;
  readonly kv?: number;
  readonly efficiency?: number;
}

export interface Pack {
  readonly volts: number;
  readonly ohm: number;
  /** Cut-off voltage. */
  readonly cutoff?: number;
}

export interface Circuit {
  readonly motors?: readonly Motor[];
  readonly packs: readonly Pack[];
  readonly power?: number;
  readonly brownOut?: number;
}

export interface Solution {
  readonly volts: number;
  readonly status: number;
  readonly served: number;
  readonly currents: readonly number[];
}

const p = new Float64Array(P_FIXED_SIZE);
const n = new Int32Array(N_FIXED_SIZE);
const w = new Float64Array(W_SIZE);
const x = new Float64Array(64);
const slope = new Float64Array(64);

export const keOf = (kv: number) => 60 / (2 * Math.PI * kv);
const limitOf = (pack: Pack) => Math.max(0, (pack.volts - (pack.cutoff ?? 0)) / pack.ohm);

export function solve(circuit: Circuit): Solution {
  const motors = circuit.motors ?? [];
  n[N.N_MOTORS] = motors.length;
  n[N.N_BATTERIES] = circuit.packs.length;
  n[N.N_BUSES] = 1;
  n[N.N_X_SPEED] = 13;
  n[N.N_X_SOC] = 40;
  n[N.N_X_V1] = 50;
  p[P.P_BUS + BUS.U_POWER] = circuit.power ?? 0;
  p[P.P_BUS + BUS.U_BROWN_OUT] = circuit.brownOut ?? 0;
  motors.forEach((motor, i) => {
    const r = P.P_ROTOR + i * ROTOR.ROTOR_STRIDE;
    x[13 + i] = motor.speed;
    w[W.W_DUTY + i] = motor.duty;
    p[r + ROTOR.R_KE] = keOf(motor.kv ?? 920);
    p[r + ROTOR.R_OHM] = motor.ohm ?? 0.25;
    p[r + ROTOR.R_INV_OHM] = 1 / (motor.ohm ?? 0.25);
    p[r + ROTOR.R_MAX_CURRENT] = motor.max ?? 60;
    p[r + ROTOR.R_INV_ESC] = 1 / (motor.efficiency ?? 0.98);
    p[r + ROTOR.R_DRAW] = 1 / ((motor.efficiency ?? 0.98) * (motor.ohm ?? 0.25));
    p[r + ROTOR.R_MAX_DROP] = (motor.ohm ?? 0.25) * (motor.max ?? 60);
  });
  circuit.packs.forEach((pack, i) => {
    w[W.W_SOURCE + i] = pack.volts;
    w[W.W_CONDUCTANCE + i] = 1 / pack.ohm;
    w[W.W_LIMIT + i] = limitOf(pack);
  });
  busVoltagesInto(w, x, p, n);
  batteriesInto(slope, x, w, p, n);
  return {
    volts: w[W.W_VOLTAGE]!,
    status: w[W.W_STATUS]!,
    served: w[W.W_SERVED]!,
    currents: circuit.packs.map((_, i) => w[W.W_BATTERY_CURRENT + i]!),
  };
}

/** What the loads take at a voltage, written out independently of the plant. */
export function demand(circuit: Circuit, volts: number): number {
  let sum = (circuit.power ?? 0) > 0 ? circuit.power! / volts : 0;
  for (const motor of circuit.motors ?? []) {
    const current = (motor.duty * volts - keOf(motor.kv ?? 920) * motor.speed) / (motor.ohm ?? 0.25);
    sum += (motor.duty * Math.min(Math.max(current, 0), motor.max ?? 60)) / (motor.efficiency ?? 0.98);
  }
  return sum;
}

export function supply(circuit: Circuit, volts: number): number {
  return circuit.packs.reduce((sum, pack) => sum + Math.min(limitOf(pack), (pack.volts - volts) / pack.ohm), 0);
}

/** The highest root of supply − demand by scanning finely downwards, then bisecting: slow, and of another mind. */
export function bisect(circuit: Circuit): number | undefined {
  const top = Math.max(...circuit.packs.map((pack) => pack.volts));
  const g = (volts: number) => supply(circuit, volts) - demand(circuit, volts);
  if (g(top) >= 0) return top;
  const scans = (circuit.power ?? 0) > 0 ? 400 : 1;
  let high = top;
  for (let k = 1; k <= scans; k += 1) {
    const low = top * (1 - k / scans);
    if (g(scans > 1 ? Math.max(low, 1e-12) : low) >= 0) {
      let [a, b] = [low, high];
      for (let i = 0; i < 70; i += 1) {
        const middle = (a + b) / 2;
        if (g(middle) >= 0) a = middle;
        else b = middle;
      }
      return (a + b) / 2;
    }
    high = low;
  }
  return undefined;
}
