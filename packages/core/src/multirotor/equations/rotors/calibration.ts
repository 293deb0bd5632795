/**
 * Calibrates the reference level: finds the thrust coefficient at which full duty gives the requested thrust.
 *
 * At duty 1 and voltage V, a motor without idle current settles at Kt·(V − Ke·Ω)/R = k_m·T + b·Ω, with the torque
 * constant Kt = Ke, the torque ratio k_m and the friction b. So
 *   Ω = (Kt·V/R − k_m·T)/(b + Kt·Ke/R),  kT = T/(ρ·Ω²).
 * The solution is closed, because the requested thrust determines the torque. If k_m·T exceeds Kt·V/R, there is no such
 * speed, and the error names the largest possible thrust.
 */
import { plantErrors } from "../../errors.ts";
import type { Vehicle } from "../../vehicle.ts";

export function calibrateThrust(vehicle: Vehicle, hoverThrustN: number): number {
  const { motor, reference } = vehicle.propulsion;
  const ke = 60 / (2 * Math.PI * motor.kvRpmPerV);
  const stall = (ke * reference.nominalVoltageV) / motor.resistanceOhm;
  const target = reference.thrustMultiple * hoverThrustN;
  const speed = (stall - reference.torqueRatioM * target) / (motor.frictionNmSPerRad + (ke * ke) / motor.resistanceOhm);
  if (!(speed > 0)) {
    throw plantErrors.unreachableThrust({
      what: `each rotor must give ${target.toFixed(2)} N at full duty, but this motor at ${reference.nominalVoltageV} V reaches at most ${(stall / reference.torqueRatioM).toFixed(2)} N with a propeller of torque ratio ${reference.torqueRatioM} m`,
      where: { key: "propulsion.reference" },
      fix: "use a smaller thrustMultiple, or correct nominalVoltageV, torqueRatioM or the motor",
    });
  }
  return target / (reference.nominalDensityKgM3 * speed * speed);
}
