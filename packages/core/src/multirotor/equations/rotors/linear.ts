/**
 * Propulsion level "linear": thrust proportional to the actuator's output, no rotor speed and no electrical side.
 *
 * T = T_max·duty, Q = k_m·T. With a first-order actuator this is the plant that PX4's reference flights were flown on.
 */
const N_ROTORS = 0;
const P_ROTOR = 64;
const ROTOR_STRIDE = 32;
const R_A = 21;
const R_B = 22;
const W_DUTY = 36;
const W_THRUST = 48;
const W_TORQUE = 60;

export function linearRotorsInto(w: Float64Array, p: Float64Array, n: Int32Array): void {
  const rotors = n[N_ROTORS];
  for (let i = 0; i < rotors; i += 1) {
    const r = P_ROTOR + i * ROTOR_STRIDE;
    const thrust = p[r + R_A] * w[W_DUTY + i];
    w[W_THRUST + i] = thrust;
    w[W_TORQUE + i] = p[r + R_B] * thrust;
  }
}
