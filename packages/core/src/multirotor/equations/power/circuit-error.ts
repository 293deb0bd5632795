/** Makes the error that is thrown if a bus has no working point. Its text contains every value of the circuit. */
import type { SimError } from "../../../errors/index.ts";
import { plantErrors } from "../../errors.ts";
import type { Scratch, State, VehicleConstants } from "../../memory.ts";

export function circuitError(timeS: Float64Array, x: State, w: Scratch, vehicle: VehicleConstants): SimError {
  const bus = w.failedBus[0] - 1;
  const parts: string[] = [];
  for (let i = 0; i < vehicle.batteryCount; i += 1) {
    if (vehicle.batteries[i].bus !== bus) continue;
    parts.push(
      `battery ${i + 1}: source ${w.sourceVoltage[i]} V, conductance ${w.conductance[i]} S, at most ${w.currentLimit[i]} A, charge ${x.batterySoc[i]}`,
    );
  }
  for (let i = 0; i < vehicle.motorCount; i += 1) {
    const rotor = vehicle.rotors[i];
    if (rotor.bus !== bus) continue;
    parts.push(
      `motor ${i + 1}: duty ${w.duty[i]}, speed ${x.rotorSpeed[i]} rad/s, Ke ${rotor.backEmfConstant} V.s/rad, ${rotor.resistance} ohm, at most ${rotor.maxCurrent} A`,
    );
  }
  return plantErrors.impossibleCircuit({
    what: `bus ${bus + 1} has no working point: constant power ${vehicle.buses[bus].power} W; ${parts.join("; ")}`,
    where: { tUs: Math.round(timeS[0] * 1e6), stage: "integrate" },
    fix: "give the bus a brownOutV above 0, a smaller avionicsW, or a stronger battery; if a value above is not finite, look for an unstable step",
  });
}
