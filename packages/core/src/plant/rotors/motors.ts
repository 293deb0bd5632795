/**
 * Electronic speed controllers and motors at their bus voltage, and what the rotors do to the airframe.
 *
 *   I = clamp((d·V − Ke·Ω)/R, 0, Imax),  τ = Ke·max(0, I − I0),  J·Ω̇ = τ − Q − b·Ω,  I_bus = d·I/η.
 * Current is quasi-static (no inductance) and never negative (no regeneration). A rotor speed is a magnitude: at rest it
 * cannot turn backwards. A jammed rotor is braked in a few milliseconds; its angular momentum goes to the airframe.
 *
 * On the airframe act the thrust −T·a at the hub, the in-plane force, the reaction ±Q about the axis and, through the
 * angular momentum H = Σ J·s·Ω·a (s = −direction) and its rate, the gyroscopic moment and the reaction to spin-up.
 */
const N_ROTORS = 0;
const N_BUSES = 2;
const N_MOTORS = 6;
const N_X_SPEED = 13;
const N_U_JAM = 19;
const N_ROTOR_BUS = 44;
const P_JAM_RATE = 29;
const P_ROTOR = 64;
const ROTOR_STRIDE = 32;
const R_POS = 0;
const R_AXIS = 3;
const R_ARM = 6;
const R_DIR = 9;
const R_INERTIA = 10;
const R_INV_INERTIA = 11;
const R_KE = 12;
const R_INV_OHM = 13;
const R_IDLE = 15;
const R_FRICTION = 16;
const R_MAX_CURRENT = 17;
const R_INV_ESC = 18;
const W_FORCE = 16;
const W_MOMENT = 19;
const W_SPIN = 22;
const W_SPIN_DOT = 25;
const W_DUTY = 36;
const W_THRUST = 48;
const W_TORQUE = 60;
const W_CURRENT = 72;
const W_SPEED_DOT = 84;
const W_IN_PLANE = 96;
const W_VOLTAGE = 132;
const W_LOAD = 140;
const W_SERVED = 148;

/** Winding currents, rotor accelerations and the load of each bus. */
export function motorsInto(
  dx: Float64Array,
  x: Float64Array,
  u: Float64Array,
  w: Float64Array,
  p: Float64Array,
  n: Int32Array,
): void {
  const buses = n[N_BUSES];
  for (let bus = 0; bus < buses; bus += 1) {
    w[W_LOAD + bus] = w[W_VOLTAGE + bus] > 0 ? w[W_SERVED + bus] / w[W_VOLTAGE + bus] : 0;
  }
  const motors = n[N_MOTORS];
  const speedAt = n[N_X_SPEED];
  for (let i = 0; i < motors; i += 1) {
    const r = P_ROTOR + i * ROTOR_STRIDE;
    const bus = n[N_ROTOR_BUS + i];
    const duty = w[W_DUTY + i];
    const speed = x[speedAt + i];
    const drop = duty * w[W_VOLTAGE + bus] - p[r + R_KE] * speed;
    const current = Math.max(0, Math.min(p[r + R_MAX_CURRENT], drop * p[r + R_INV_OHM]));
    const torque = p[r + R_KE] * Math.max(0, current - p[r + R_IDLE]);
    let speedDot = (torque - w[W_TORQUE + i] - p[r + R_FRICTION] * speed) * p[r + R_INV_INERTIA];
    if (u[n[N_U_JAM] + i] !== 0) speedDot = -speed * p[P_JAM_RATE];
    if (speed <= 0 && speedDot < 0) speedDot = 0;
    w[W_CURRENT + i] = current;
    w[W_SPEED_DOT + i] = speedDot;
    w[W_LOAD + bus] += duty * current * p[r + R_INV_ESC];
    dx[speedAt + i] = speedDot;
  }
}

/** Force, moment and angular momentum of all rotors in body axes. */
export function wrenchInto(w: Float64Array, x: Float64Array, p: Float64Array, n: Int32Array): void {
  const rotors = n[N_ROTORS];
  const motors = n[N_MOTORS];
  const speedAt = n[N_X_SPEED];
  let fx = 0;
  let fy = 0;
  let fz = 0;
  let mx = 0;
  let my = 0;
  let mz = 0;
  for (let i = 0; i < rotors; i += 1) {
    const r = P_ROTOR + i * ROTOR_STRIDE;
    const thrust = w[W_THRUST + i];
    const reaction = p[r + R_DIR] * w[W_TORQUE + i];
    fx -= thrust * p[r + R_AXIS];
    fy -= thrust * p[r + R_AXIS + 1];
    fz -= thrust * p[r + R_AXIS + 2];
    mx += thrust * p[r + R_ARM] + reaction * p[r + R_AXIS];
    my += thrust * p[r + R_ARM + 1] + reaction * p[r + R_AXIS + 1];
    mz += thrust * p[r + R_ARM + 2] + reaction * p[r + R_AXIS + 2];
  }
  w[W_FORCE] = fx;
  w[W_FORCE + 1] = fy;
  w[W_FORCE + 2] = fz;
  w[W_MOMENT] = mx;
  w[W_MOMENT + 1] = my;
  w[W_MOMENT + 2] = mz;

  let hx = 0;
  let hy = 0;
  let hz = 0;
  let gx = 0;
  let gy = 0;
  let gz = 0;
  for (let i = 0; i < motors; i += 1) {
    const r = P_ROTOR + i * ROTOR_STRIDE;
    const inertia = -p[r + R_DIR] * p[r + R_INERTIA];
    const spin = inertia * x[speedAt + i];
    const spinDot = inertia * w[W_SPEED_DOT + i];
    hx += spin * p[r + R_AXIS];
    hy += spin * p[r + R_AXIS + 1];
    hz += spin * p[r + R_AXIS + 2];
    gx += spinDot * p[r + R_AXIS];
    gy += spinDot * p[r + R_AXIS + 1];
    gz += spinDot * p[r + R_AXIS + 2];
  }
  w[W_SPIN] = hx;
  w[W_SPIN + 1] = hy;
  w[W_SPIN + 2] = hz;
  w[W_SPIN_DOT] = gx;
  w[W_SPIN_DOT + 1] = gy;
  w[W_SPIN_DOT + 2] = gz;
}

/** Adds the in-plane forces at the hubs, which only the momentum level has. */
export function inPlaneInto(w: Float64Array, p: Float64Array, n: Int32Array): void {
  const rotors = n[N_ROTORS];
  for (let i = 0; i < rotors; i += 1) {
    const r = P_ROTOR + i * ROTOR_STRIDE;
    const at = W_IN_PLANE + 3 * i;
    w[W_FORCE] += w[at];
    w[W_FORCE + 1] += w[at + 1];
    w[W_FORCE + 2] += w[at + 2];
    w[W_MOMENT] += p[r + R_POS + 1] * w[at + 2] - p[r + R_POS + 2] * w[at + 1];
    w[W_MOMENT + 1] += p[r + R_POS + 2] * w[at] - p[r + R_POS] * w[at + 2];
    w[W_MOMENT + 2] += p[r + R_POS] * w[at + 1] - p[r + R_POS + 1] * w[at];
  }
}
