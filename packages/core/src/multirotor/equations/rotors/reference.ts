/**
 * Propulsion level "reference": quadratic thrust and torque with an even inflow factor, kept to reproduce
 * PX4Lockstep.jl.
 *
 *   T = kT·ρ·Ω²/(1 + c_T·μ²),  Q = kQ·ρ·Ω²/(1 + c_Q·μ²),  μ = Vax/max(1 mm/s, |Ω|·radius).
 * Vax is the air's speed along the thrust direction at the hub. It includes the hub's own velocity ω × r unless the
 * vehicle's `hubInflow` is false. The factor is even in Vax, so climb and descent have the same effect, unlike in level
 * "momentum".
 */
import type { Scratch, State, VehicleConstants } from "../../memory.ts";
import { plusTerm } from "../terms.ts";

export function referenceRotorsInto(w: Scratch, x: State, vehicle: VehicleConstants): void {
  const hasHubInflow = vehicle.hubInflow !== 0;
  const wx = w.airRate[0];
  const wy = w.airRate[1];
  const wz = w.airRate[2];
  const density = w.density[0];
  for (let i = 0; i < vehicle.rotorCount; i += 1) {
    const rotor = vehicle.rotors[i];
    const coefficients = rotor.reference;
    let ax = w.airVelocity[0];
    let ay = w.airVelocity[1];
    let az = w.airVelocity[2];
    if (hasHubInflow) {
      const rx = rotor.position[0];
      const ry = rotor.position[1];
      const rz = rotor.position[2];
      ax -= wy * rz - wz * ry;
      ay -= wz * rx - wx * rz;
      az -= wx * ry - wy * rx;
    }
    const axial = -(plusTerm(plusTerm(0, rotor.axis[0], ax), rotor.axis[1], ay) + rotor.axis[2] * az);
    const speed = x.rotorSpeed[i];
    const tipSpeed = Math.abs(speed) * rotor.radius;
    const mu = axial / (tipSpeed > 1e-3 ? tipSpeed : 1e-3);
    const mu2 = mu * mu;
    const pressure = density * speed * speed;
    w.thrust[i] = (coefficients.thrust * pressure) / (1 + coefficients.thrustInflow * mu2);
    w.torque[i] = (coefficients.torque * pressure) / (1 + coefficients.torqueInflow * mu2);
  }
}
