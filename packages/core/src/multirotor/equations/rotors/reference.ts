/**
 * Propulsion level "reference": quadratic thrust and torque with an even inflow factor; kept for parity.
 *
 *   T = kT·ρ·Ω²/(1 + c_T·μ²),  Q = kQ·ρ·Ω²/(1 + c_Q·μ²),  μ = Vax/max(1 mm/s, |Ω|·radius).
 * Vax is the air's speed along the thrust direction at the hub; the hub's own velocity ω × r belongs to it unless the
 * vehicle says otherwise. Even in Vax, so climb and descent behave alike: level "momentum" does not have that flaw.
 */
const X_RATE = 10;
const N_ROTORS = 0;
const N_X_SPEED = 13;
const P_HUB_INFLOW = 28;
const P_ROTOR = 64;
const ROTOR_STRIDE = 32;
const R_POS = 0;
const R_AXIS = 3;
const R_RADIUS = 20;
const R_A = 21;
const R_B = 22;
const R_C = 23;
const R_D = 24;
const W_AIR = 9;
const W_RHO = 12;
const W_THRUST = 48;
const W_TORQUE = 60;

export function referenceRotorsInto(w: Float64Array, x: Float64Array, p: Float64Array, n: Int32Array): void {
  const rotors = n[N_ROTORS];
  const speedAt = n[N_X_SPEED];
  const hub = p[P_HUB_INFLOW];
  const wx = x[X_RATE];
  const wy = x[X_RATE + 1];
  const wz = x[X_RATE + 2];
  const vx = w[W_AIR];
  const vy = w[W_AIR + 1];
  const vz = w[W_AIR + 2];
  const rho = w[W_RHO];
  for (let i = 0; i < rotors; i += 1) {
    const r = P_ROTOR + i * ROTOR_STRIDE;
    let ax = vx;
    let ay = vy;
    let az = vz;
    if (hub !== 0) {
      const rx = p[r + R_POS];
      const ry = p[r + R_POS + 1];
      const rz = p[r + R_POS + 2];
      ax -= wy * rz - wz * ry;
      ay -= wz * rx - wx * rz;
      az -= wx * ry - wy * rx;
    }
    const axial = -(ax * p[r + R_AXIS] + ay * p[r + R_AXIS + 1] + az * p[r + R_AXIS + 2]);
    const speed = x[speedAt + i];
    const tip = Math.abs(speed) * p[r + R_RADIUS];
    const mu = axial / (tip > 1e-3 ? tip : 1e-3);
    const mu2 = mu * mu;
    const pressure = rho * speed * speed;
    w[W_THRUST + i] = (p[r + R_A] * pressure) / (1 + p[r + R_C] * mu2);
    w[W_TORQUE + i] = (p[r + R_B] * pressure) / (1 + p[r + R_D] * mu2);
  }
}
