/**
 * Propulsion level "linear": thrust is proportional to the actuator's output, without rotor speed or electrical system.
 *
 * T = T_max·duty, Q = k_m·T. With a first-order actuator this is the plant of PX4's reference flights.
 */
import type { Scratch, VehicleConstants } from "../../memory.ts";

export function linearRotorsInto(w: Scratch, vehicle: VehicleConstants): void {
  for (let i = 0; i < vehicle.rotorCount; i += 1) {
    const rotor = vehicle.rotors[i].linear;
    const thrust = rotor.maxThrust * w.duty[i];
    w.thrust[i] = thrust;
    w.torque[i] = rotor.torqueRatio * thrust;
  }
}
