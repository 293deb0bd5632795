/** The cold path of the bus solve: a typed error with the whole circuit in it. */
import type { SimError } from "../../../errors/index.ts";
import { plantErrors } from "../../errors.ts";
import { BUS, N, P, ROTOR, W } from "../../memory.ts";

export function circuitError(
  timeS: Float64Array,
  x: Float64Array,
  w: Float64Array,
  p: Float64Array,
  n: Int32Array,
): SimError {
  const bus = w[W.W_STATUS] - 1;
  const parts: string[] = [];
  for (let i = 0; i < n[N.N_BATTERIES]; i += 1) {
    if (n[N.N_BATTERY_BUS + i] !== bus) continue;
    const soc = x[n[N.N_X_SOC] + i];
    parts.push(
      `battery ${i + 1}: source ${w[W.W_SOURCE + i]} V, conductance ${w[W.W_CONDUCTANCE + i]} S, at most ${w[W.W_LIMIT + i]} A, charge ${soc}`,
    );
  }
  for (let i = 0; i < n[N.N_MOTORS]; i += 1) {
    if (n[N.N_ROTOR_BUS + i] !== bus) continue;
    const r = P.P_ROTOR + i * ROTOR.ROTOR_STRIDE;
    parts.push(
      `motor ${i + 1}: duty ${w[W.W_DUTY + i]}, speed ${x[n[N.N_X_SPEED] + i]} rad/s, Ke ${p[r + ROTOR.R_KE]} V.s/rad, ${p[r + ROTOR.R_OHM]} ohm, at most ${p[r + ROTOR.R_MAX_CURRENT]} A`,
    );
  }
  const power = p[P.P_BUS + bus * BUS.BUS_STRIDE + BUS.U_POWER];
  return plantErrors.impossibleCircuit({
    what: `bus ${bus + 1} has no working point: constant power ${power} W; ${parts.join("; ")}`,
    where: { tUs: Math.round(timeS[0] * 1e6), stage: "integrate" },
    fix: "give the bus a brownOutV above 0, a smaller avionicsW, or a stronger battery; if a value above is not finite, look for an unstable step",
  });
}
