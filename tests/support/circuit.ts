/**
 * Solves electrical circuits for tests of the bus solver. A circuit is converted to constants of the multirotor's
 * equations.
 */
import {
  FIXED_N,
  FIXED_P,
  SCRATCH_SIZE,
  scratchView,
  stateView,
  vehicleConstants,
} from "../../packages/core/src/multirotor/memory.ts";
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

const empty = vehicleConstants(new Float64Array(FIXED_P), new Int32Array(FIXED_N));
const offsets = { ...empty.offsets, rotorSpeed: 13, batterySoc: 40, batteryV1: 50 };
const w = scratchView(new Float64Array(SCRATCH_SIZE));
const x = stateView(new Float64Array(64), { ...empty, offsets });
const slope = stateView(new Float64Array(64), { ...empty, offsets });

export const keOf = (kv: number) => 60 / (2 * Math.PI * kv);
const limitOf = (pack: Pack) => Math.max(0, (pack.volts - (pack.cutoff ?? 0)) / pack.ohm);

export function solve(circuit: Circuit): Solution {
  const motors = circuit.motors ?? [];
  const vehicle = {
    ...empty,
    motorCount: motors.length,
    batteryCount: circuit.packs.length,
    busCount: 1,
    buses: [{ power: circuit.power ?? 0, brownOut: circuit.brownOut ?? 0 }],
    rotors: motors.map(({ kv = 920, ohm = 0.25, max = 60, efficiency = 0.98 }, i) => ({
      ...empty.rotors[i]!,
      backEmfConstant: keOf(kv),
      resistance: ohm,
      inverseResistance: 1 / ohm,
      maxCurrent: max,
      inverseEfficiency: 1 / efficiency,
      draw: 1 / (efficiency * ohm),
      maxDrop: ohm * max,
    })),
  };
  motors.forEach((motor, i) => {
    x.rotorSpeed[i] = motor.speed;
    w.duty[i] = motor.duty;
  });
  circuit.packs.forEach((pack, i) => {
    w.sourceVoltage[i] = pack.volts;
    w.conductance[i] = 1 / pack.ohm;
    w.currentLimit[i] = limitOf(pack);
  });
  busVoltagesInto(w, x, vehicle);
  batteriesInto(slope, x, w, vehicle);
  return {
    volts: w.busVoltage[0]!,
    status: w.failedBus[0]!,
    served: w.servedPower[0]!,
    currents: [...w.batteryCurrent.subarray(0, circuit.packs.length)],
  };
}

/** Returns the current of all loads at a voltage, computed independently of the plant. */
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

/** Finds the highest root of supply − demand by a fine downward scan and bisection, independently of the plant. */
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
