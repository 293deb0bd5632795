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
const R_SPIN = 10;
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
const W_DUTY = 36;
const W_THRUST = 48;
const W_TORQUE = 60;
const W_CURRENT = 72;
const W_BACK_EMF = 84;
const W_IN_PLANE = 96;
const W_VOLTAGE = 132;
const W_LOAD = 140;
const W_SERVED = 148;

/**
 * Winding currents and rotor accelerations; force, moment and angular momentum of all rotors in body axes. The moment
 * holds the reaction to spin-up: about the axis acts direction·(Q + J·Ω̇), which is what the motor gives less friction.
 */
export function motorsInto(dx: Float64Array, x: Float64Array, w: Float64Array, p: Float64Array, n: Int32Array): void {
  const rotors = n[N_ROTORS];
  const spins = n[N_MOTORS] !== 0;
  const speedAt = n[N_X_SPEED];
  let fx = 0;
  let fy = 0;
  let fz = 0;
  let mx = 0;
  let my = 0;
  let mz = 0;
  let hx = 0;
  let hy = 0;
  let hz = 0;
  for (let i = 0; i < rotors; i += 1) {
    const r = P_ROTOR + i * ROTOR_STRIDE;
    const ax = p[r + R_AXIS];
    const ay = p[r + R_AXIS + 1];
    const az = p[r + R_AXIS + 2];
    const thrust = w[W_THRUST + i];
    let reaction = w[W_TORQUE + i];
    if (spins) {
      const speed = x[speedAt + i];
      const free = (w[W_DUTY + i] * w[W_VOLTAGE + n[N_ROTOR_BUS + i]] - w[W_BACK_EMF + i]) * p[r + R_INV_OHM];
      const most = p[r + R_MAX_CURRENT];
      const current = free < 0 ? 0 : free > most ? most : free;
      const useful = current - p[r + R_IDLE];
      const torque = useful > 0 ? p[r + R_KE] * useful : 0;
      let net = torque - reaction - p[r + R_FRICTION] * speed;
      if (speed <= 0 && net < 0) net = 0;
      const spin = p[r + R_SPIN] * speed;
      w[W_CURRENT + i] = current;
      dx[speedAt + i] = net * p[r + R_INV_INERTIA];
      reaction += net;
      hx += spin * ax;
      hy += spin * ay;
      hz += spin * az;
    }
    const moment = p[r + R_DIR] * reaction;
    fx -= thrust * ax;
    fy -= thrust * ay;
    fz -= thrust * az;
    mx += thrust * p[r + R_ARM] + moment * ax;
    my += thrust * p[r + R_ARM + 1] + moment * ay;
    mz += thrust * p[r + R_ARM + 2] + moment * az;
  }
  w[W_FORCE] = fx;
  w[W_FORCE + 1] = fy;
  w[W_FORCE + 2] = fz;
  w[W_MOMENT] = mx;
  w[W_MOMENT + 1] = my;
  w[W_MOMENT + 2] = mz;
  w[W_SPIN] = hx;
  w[W_SPIN + 1] = hy;
  w[W_SPIN + 2] = hz;
}

/** Jammed rotors are braked instead; corrects what `motorsInto` made of them. */
export function jamsInto(
  dx: Float64Array,
  x: Float64Array,
  u: Float64Array,
  w: Float64Array,
  p: Float64Array,
  n: Int32Array,
): void {
  for (let i = 0; i < n[N_MOTORS]; i += 1) {
    if (u[n[N_U_JAM] + i] === 0) continue;
    const r = P_ROTOR + i * ROTOR_STRIDE;
    const speed = x[n[N_X_SPEED] + i];
    const speedDot = speed > 0 ? -speed * p[P_JAM_RATE] : 0;
    const moment = -p[r + R_SPIN] * (speedDot - dx[n[N_X_SPEED] + i]);
    dx[n[N_X_SPEED] + i] = speedDot;
    w[W_MOMENT] += moment * p[r + R_AXIS];
    w[W_MOMENT + 1] += moment * p[r + R_AXIS + 1];
    w[W_MOMENT + 2] += moment * p[r + R_AXIS + 2];
  }
}

/** Total load of each bus: needed for ideal batteries and for outputs. */
export function loadsInto(w: Float64Array, p: Float64Array, n: Int32Array): void {
  for (let bus = 0; bus < n[N_BUSES]; bus += 1) {
    w[W_LOAD + bus] = w[W_VOLTAGE + bus] > 0 ? w[W_SERVED + bus] / w[W_VOLTAGE + bus] : 0;
  }
  for (let i = 0; i < n[N_MOTORS]; i += 1) {
    w[W_LOAD + n[N_ROTOR_BUS + i]] += w[W_DUTY + i] * w[W_CURRENT + i] * p[P_ROTOR + i * ROTOR_STRIDE + R_INV_ESC];
  }
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
