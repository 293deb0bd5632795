/**
 * Lift and drag of a blade section as functions of the Reynolds number.
 *
 * The boundary layer of a small propeller separates early, so it has less lift and more drag at low speed. With Re =
 * ρ·0.75ΩR·c/μ at 75 % of the radius, chord c = π·R·σ/blades and the viscosity μ of the air at the origin,
 *   a = a∞·(1 − l·s),  Cd0 = Cd0∞·(1 + d·s),  s = 1/(1 + (Re/Re_t)²),
 * with l = `liftLoss` and d = `dragGain`. s falls from 1 to 0 around Re_t. The static thrust coefficient of propellers
 * of 10 and 11 inches shows this transition between 2000 and 6500 rpm (UIUC Propeller Database, Brandt & Selig 2011). s
 * is smooth in Ω, even at rest.
 */
import type { Scratch, State, VehicleConstants } from "../../memory.ts";

/** Computes σa/6 and σ·Cd0/8 of rotor i at its speed. */
export function sectionInto(w: Scratch, x: State, vehicle: VehicleConstants, i: number): void {
  const rotor = vehicle.rotors[i];
  const reynolds = vehicle.reynolds;
  const re = reynolds.scale * w.density[0] * (x.rotorSpeed[i] * rotor.radius);
  const low = 1 / (1 + re * re);
  w.lift[i] = rotor.momentum.lift * (1 - reynolds.liftLoss * low);
  w.profile[i] = rotor.momentum.profile * (1 + reynolds.dragGain * low);
}

/**
 * Returns the dynamic viscosity of air in Pa·s (Sutherland's law with the constants of the U.S. Standard Atmosphere).
 */
export function viscosityOf(temperatureK: number): number {
  return (1.458e-6 * temperatureK * Math.sqrt(temperatureK)) / (temperatureK + 110.4);
}
