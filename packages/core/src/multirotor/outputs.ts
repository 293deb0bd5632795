/**
 * What the multirotor tells after an evaluation of its right-hand side, in the order of the signal table.
 *
 * This is part of the equations that code is made of: outputs are evaluated at every tick of the autopilot. What follows
 * from the charge alone, and the air's temperature and pressure, is not: the plant fills those places itself.
 */
import { loadsInto } from "./equations/rotors/motors.ts";

const X_VEL = 3;
const X_RATE = 10;
const N_ROTORS = 0;
const N_BATTERIES = 1;
const N_BUSES = 2;
const N_MOTORS = 6;
const N_U_CONNECTED = 20;
const N_BATTERY_BUS = 64;
const P_ROTOR = 64;
const ROTOR_STRIDE = 32;
const R_DIR = 9;
const W_ROTATION = 0;
const W_AIR = 9;
const W_RHO = 12;
const W_GRAVITY = 13;
const W_CONTACT = 28;
const W_THRUST = 48;
const W_TORQUE = 60;
const W_CURRENT = 72;
const W_VOLTAGE = 132;
const W_LOAD = 140;
const W_BATTERY_CURRENT = 180;
const W_OUTPUTS = 336;

/** Signals of one number a battery: voltage, current, remaining, warning. */
const PER_BATTERY = 4;
/** Density, temperature, pressure. */
const OF_AIR = 3;

export function outputsInto(w: Float64Array, dx: Float64Array, u: Float64Array, p: Float64Array, n: Int32Array): void {
  loadsInto(w, p, n);
  let at = W_OUTPUTS;
  for (let i = 0; i < n[N_BATTERIES]; i += 1) {
    const connected = u[n[N_U_CONNECTED] + i] !== 0;
    w[at + i] = connected ? w[W_VOLTAGE + n[N_BATTERY_BUS + i]] : 0;
    w[at + n[N_BATTERIES] + i] = connected ? w[W_BATTERY_CURRENT + i] : 0;
  }
  at += PER_BATTERY * n[N_BATTERIES];
  const hasMotors = n[N_MOTORS] > 0;
  for (let i = 0; i < n[N_ROTORS]; i += 1) {
    w[at + i] = w[W_THRUST + i];
    w[at + n[N_ROTORS] + i] = p[P_ROTOR + i * ROTOR_STRIDE + R_DIR] * w[W_TORQUE + i];
    w[at + 2 * n[N_ROTORS] + i] = hasMotors ? w[W_CURRENT + i] : 0;
  }
  at += 3 * n[N_ROTORS];
  for (let i = 0; i < n[N_BUSES]; i += 1) {
    w[at + i] = w[W_VOLTAGE + i];
    w[at + n[N_BUSES] + i] = w[W_LOAD + i];
  }
  at += 2 * n[N_BUSES];
  w[at] = w[W_RHO];
  at += OF_AIR;
  const an = dx[X_VEL];
  const ae = dx[X_VEL + 1];
  const ad = dx[X_VEL + 2] - w[W_GRAVITY];
  for (let i = 0; i < 3; i += 1) {
    w[at + i] = w[W_AIR + i];
    w[at + 3 + i] = dx[X_VEL + i];
    w[at + 6 + i] = dx[X_RATE + i];
    w[at + 9 + i] = w[W_ROTATION + i] * an + w[W_ROTATION + 3 + i] * ae + w[W_ROTATION + 6 + i] * ad;
    w[at + 12 + i] = w[W_CONTACT + i];
  }
}
