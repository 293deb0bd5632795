/**
 * Propulsion level "momentum": blade-element thrust balanced with momentum theory at every instant.
 *
 * In units of the tip speed ΩR, with climb λc, in-plane speed μ and induced velocity λi:
 *   blade      C_T = (σa/6)·sat(θ·(1 + 1.5m) − 1.5·(λc + g·λi)),  m = μ²/(1 + μ²)
 *   momentum   C_T = 2·λi·√(μ² + (λi·φ(λc/λi))²)
 *   power      C_P = C_T·(λc + κ·g·λi) + (σ·Cd0/8)·(1 + 4.65m)
 * T = ρA(ΩR)²C_T, Q = ρA(ΩR)²R·C_P (Glauert 1926; Leishman, Principles of Helicopter Aerodynamics, 2006, §2.13–2.14, 3.5,
 * 5.4). m bounds the advance-ratio terms, which hold for μ < 0.3; sat(A) = A/(1 + (A/stall)⁴)^¼ the lift of a stalled blade.
 *
 * φ is axial momentum theory with its gap closed. Climb: φ = 1 + r. Windmill state (r ≤ −2): φ = −1 − r. Between them,
 * where momentum theory fails (vortex ring), φ follows the measured curve vi/vh = 1 − 1.125x − 1.372x² − 1.718x³ −
 * 0.655x⁴, x = Vc/vh (Leishman §2.13.3), rewritten by φ = (vh/vi)², r = Vc/vi and fitted so that value and slope join
 * both branches; it reproduces vi/vh within 0.075 at equal r. λi·φ grows with λi, so the balance has one root.
 *
 * Two steps of Halley's method find it (`inflow.ts`), without a branch, from the tangents of both sides at hover; where
 * they did not end at it the root is searched in its bracket.
 *
 * Ground effect: g = (1 − s)^1.5, s = (R/4z)²·cos²tilt/(1 + (μ/λh)²), which gives Cheeseman and Bennett's T/T∞ =
 * 1/(1 − (R/4z)²) at constant induced power (ARC R&M 3021, 1955), for z ≥ R/2. In-plane drag (H-force):
 * −c_H·ρA·ΩR·v⊥ at the hub (Martin & Salaün 2010; Faessler, Franchi & Scaramuzza 2018).
 */
import { bladeInto, halleyInto, isInflowFound, searchInflowInto, startInflowInto } from "./inflow.ts";

const X_POS = 0;
const X_RATE = 10;
const N_ROTORS = 0;
const N_X_SPEED = 13;
const P_HUB_INFLOW = 28;
const P_INV_HOVER2 = 44;
const P_ROTOR = 64;
const ROTOR_STRIDE = 32;
const R_POS = 0;
const R_AXIS = 3;
const R_RADIUS = 20;
const R_AREA = 21;
const R_PITCH = 23;
const R_INDUCED = 25;
const R_PROFILE = 26;
const R_IN_PLANE = 27;
const R_GROUND = 28;
const W_ROTATION = 0;
const W_AIR = 9;
const W_RHO = 12;
const W_THRUST = 48;
const W_TORQUE = 60;
const W_IN_PLANE = 96;
const W_INDUCED = 192;
const W_INFLOW = 204;
const W_CLIMB = 216;
const W_ACROSS = 228;
const W_ADVANCE = 240;
const W_ANGLE = 252;
const W_SLOPE = 264;
const W_BLADE = 288;

/** Slowest tip speed, m/s, that ratios are formed with; forces still vanish with the true one. */
const LEAST_TIP = 0.1;

export function momentumRotorsInto(w: Float64Array, x: Float64Array, p: Float64Array, n: Int32Array): void {
  const rotors = n[N_ROTORS];
  for (let i = 0; i < rotors; i += 1) {
    flowInto(w, x, p, n, i);
    startInflowInto(w, p, i);
  }
  // One step of all rotors before the next: their long chains of roots and quotients then run side by side.
  for (let k = 0; k < 2; k += 1) {
    for (let i = 0; i < rotors; i += 1) bladeInto(w, p, i);
    for (let i = 0; i < rotors; i += 1) halleyInto(w, p, i);
  }
  for (let i = 0; i < rotors; i += 1) {
    if (!isInflowFound(w, i)) searchInflowInto(w, p, i);
    forcesInto(w, x, p, n, i);
  }
}

/** The air past the hub in units of the tip speed, and the blade's angle in it. */
function flowInto(w: Float64Array, x: Float64Array, p: Float64Array, n: Int32Array, i: number): void {
  const r = P_ROTOR + i * ROTOR_STRIDE;
  const hub = p[P_HUB_INFLOW];
  const wx = hub * x[X_RATE];
  const wy = hub * x[X_RATE + 1];
  const wz = hub * x[X_RATE + 2];
  const rx = p[r + R_POS];
  const ry = p[r + R_POS + 1];
  const rz = p[r + R_POS + 2];
  const nx = p[r + R_AXIS];
  const ny = p[r + R_AXIS + 1];
  const nz = p[r + R_AXIS + 2];
  // Along the axis (away from the thrust) it is climb.
  const ax = w[W_AIR] - (wy * rz - wz * ry);
  const ay = w[W_AIR + 1] - (wz * rx - wx * rz);
  const az = w[W_AIR + 2] - (wx * ry - wy * rx);
  const climb = ax * nx + ay * ny + az * nz;
  const px = ax - climb * nx;
  const py = ay - climb * ny;
  const pz = az - climb * nz;
  const across2 = px * px + py * py + pz * pz;
  w[W_IN_PLANE + 3 * i] = px;
  w[W_IN_PLANE + 3 * i + 1] = py;
  w[W_IN_PLANE + 3 * i + 2] = pz;

  const radius = p[r + R_RADIUS];
  const tip = Math.max(LEAST_TIP, Math.abs(x[n[N_X_SPEED] + i]) * radius);
  const down = w[W_ROTATION + 6] * nx + w[W_ROTATION + 7] * ny + w[W_ROTATION + 8] * nz;
  const height = -(x[X_POS + 2] + w[W_ROTATION + 6] * rx + w[W_ROTATION + 7] * ry + w[W_ROTATION + 8] * rz);
  const above = 4 * Math.max(0.5 * radius, height);
  const shadow = radius * Math.max(0, down);
  // 1/tip, m and s have denominators tip, a = tip² + v² and b = above²·(tip² + v²/λh²): one quotient for all three.
  const tip2 = tip * tip;
  const a = tip2 + across2;
  const b = above * above * (tip2 + across2 * p[P_INV_HOVER2]);
  const inverse = 1 / (tip * a * b);
  const invTip = inverse * (a * b);
  const m = across2 * (inverse * (tip * b));
  const s = p[r + R_GROUND] * (shadow * shadow) * (inverse * (tip * tip2 * a));
  const lc = climb * invTip;
  w[W_CLIMB + i] = lc;
  w[W_ADVANCE + i] = m;
  w[W_ACROSS + i] = across2 * (invTip * invTip);
  w[W_ANGLE + i] = p[r + R_PITCH] * (1 + 1.5 * m) - 1.5 * lc;
  w[W_SLOPE + i] = 1.5 * ((1 - s) * Math.sqrt(1 - s));
}

/** Thrust, torque and in-plane force at the inflow found. */
function forcesInto(w: Float64Array, x: Float64Array, p: Float64Array, n: Int32Array, i: number): void {
  const r = P_ROTOR + i * ROTOR_STRIDE;
  const radius = p[r + R_RADIUS];
  const speed = Math.abs(x[n[N_X_SPEED] + i]) * radius;
  const li = w[W_INFLOW + i];
  const ct = w[W_BLADE + i];
  // 1.5·g is the slope of the blade's angle over λi.
  const g = w[W_SLOPE + i] * (2 / 3);
  const cp = ct * (w[W_CLIMB + i] + p[r + R_INDUCED] * g * li) + p[r + R_PROFILE] * (1 + 4.65 * w[W_ADVANCE + i]);
  const mass = w[W_RHO] * p[r + R_AREA];
  const pressure = mass * speed * speed;
  const inPlane = p[r + R_IN_PLANE] * mass * speed;
  w[W_THRUST + i] = pressure * ct;
  w[W_TORQUE + i] = pressure * radius * cp;
  w[W_IN_PLANE + 3 * i] = inPlane * w[W_IN_PLANE + 3 * i];
  w[W_IN_PLANE + 3 * i + 1] = inPlane * w[W_IN_PLANE + 3 * i + 1];
  w[W_IN_PLANE + 3 * i + 2] = inPlane * w[W_IN_PLANE + 3 * i + 2];
  w[W_INDUCED + i] = li * Math.max(LEAST_TIP, speed);
}
