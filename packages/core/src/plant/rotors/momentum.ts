/**
 * Propulsion level "momentum": blade-element thrust balanced with momentum theory at every instant.
 *
 * In units of the tip speed ΩR, with climb λc, in-plane speed μ and induced velocity λi:
 *   blade      C_T = (σa/6)·sat(θ·(1 + 1.5m) − 1.5·(λc + g·λi)),  m = μ²/(1 + μ²)
 *   momentum   C_T = 2·λi·√(μ² + (λi·φ(λc/λi))²)
 *   power      C_P = C_T·(λc + κ·g·λi) + (σ·Cd0/8)·(1 + 4.65m)
 * T = ρA(ΩR)²C_T, Q = ρA(ΩR)²R·C_P (Glauert 1926; Leishman, Principles of Helicopter Aerodynamics, 2006, §2.13–2.14, 3.5,
 * 5.4). m bounds the advance-ratio terms, which hold for μ < 0.3; sat bounds the lift of a stalled blade.
 *
 * φ is axial momentum theory with its gap closed. Climb: φ = 1 + r. Windmill state (r ≤ −2): φ = −1 − r. Between them,
 * where momentum theory fails (vortex ring), φ follows the measured curve vi/vh = 1 − 1.125x − 1.372x² − 1.718x³ −
 * 0.655x⁴, x = Vc/vh (Leishman §2.13.3), rewritten by φ = (vh/vi)², r = Vc/vi and fitted so that value and slope join
 * both branches; it reproduces vi/vh within 0.075 at equal r. λi·φ grows with λi, so the balance has one root in a known
 * bracket, which Newton's iteration, kept inside by bisection, finds in four or five steps.
 *
 * Ground effect: g = (1 − s)^1.5, s = (R/4z)²·cos²tilt/(1 + (μ/λh)²), which gives Cheeseman and Bennett's T/T∞ =
 * 1/(1 − (R/4z)²) at constant induced power (ARC R&M 3021, 1955), for z ≥ R/2. In-plane drag (H-force):
 * −c_H·ρA·ΩR·v⊥ at the hub (Martin & Salaün 2010; Faessler, Franchi & Scaramuzza 2018).
 *
 * One function, long because a call costs as much as an iteration.
 */
const X_POS = 0;
const X_RATE = 10;
const N_ROTORS = 0;
const N_X_SPEED = 13;
const P_HUB_INFLOW = 28;
const P_ROTOR = 64;
const ROTOR_STRIDE = 32;
const R_POS = 0;
const R_AXIS = 3;
const R_RADIUS = 20;
const R_AREA = 21;
const R_LIFT = 22;
const R_PITCH = 23;
const R_INV_STALL = 24;
const R_INDUCED = 25;
const R_PROFILE = 26;
const R_IN_PLANE = 27;
const R_GROUND = 28;
const R_HOVER_INFLOW = 29;
const W_ROTATION = 0;
const W_AIR = 9;
const W_RHO = 12;
const W_THRUST = 48;
const W_TORQUE = 60;
const W_IN_PLANE = 96;
const W_INDUCED = 192;

/** Slowest tip speed, m/s, that ratios are formed with; forces still vanish with the true one. */
const LEAST_TIP = 0.1;
const MOST_ITERATIONS = 12;

// φ(r) = 1 + r + r²/2 + r²(r + 2)²·(V0 + V1·r + V2·r²) for −2 < r < 0.
const V0 = -0.934;
const V1 = -0.9415;
const V2 = -0.2015;

export function momentumRotorsInto(w: Float64Array, x: Float64Array, p: Float64Array, n: Int32Array): void {
  const rotors = n[N_ROTORS];
  const speedAt = n[N_X_SPEED];
  const hub = p[P_HUB_INFLOW];
  const wx = hub * x[X_RATE];
  const wy = hub * x[X_RATE + 1];
  const wz = hub * x[X_RATE + 2];
  const rho = w[W_RHO];
  for (let i = 0; i < rotors; i += 1) {
    const r = P_ROTOR + i * ROTOR_STRIDE;
    const rx = p[r + R_POS];
    const ry = p[r + R_POS + 1];
    const rz = p[r + R_POS + 2];
    const nx = p[r + R_AXIS];
    const ny = p[r + R_AXIS + 1];
    const nz = p[r + R_AXIS + 2];
    // Air past the hub; along the axis (away from the thrust) it is climb.
    const ax = w[W_AIR] - (wy * rz - wz * ry);
    const ay = w[W_AIR + 1] - (wz * rx - wx * rz);
    const az = w[W_AIR + 2] - (wx * ry - wy * rx);
    const climb = ax * nx + ay * ny + az * nz;
    const px = ax - climb * nx;
    const py = ay - climb * ny;
    const pz = az - climb * nz;

    const radius = p[r + R_RADIUS];
    const speed = Math.abs(x[speedAt + i]) * radius;
    const invTip = 1 / Math.max(LEAST_TIP, speed);
    const lc = climb * invTip;
    const mu2 = (px * px + py * py + pz * pz) * (invTip * invTip);
    const m = mu2 / (1 + mu2);

    // Ground effect on the induced velocity.
    const down = w[W_ROTATION + 6] * nx + w[W_ROTATION + 7] * ny + w[W_ROTATION + 8] * nz;
    const height = -(x[X_POS + 2] + w[W_ROTATION + 6] * rx + w[W_ROTATION + 7] * ry + w[W_ROTATION + 8] * rz);
    const near = radius / (4 * Math.max(0.5 * radius, height));
    const hover = p[r + R_HOVER_INFLOW];
    const upright = Math.max(0, down);
    const s = (p[r + R_GROUND] * near * near * upright * upright) / (1 + mu2 / (hover * hover));
    const g = (1 - s) * Math.sqrt(1 - s);

    const lift = p[r + R_LIFT];
    const angle0 = p[r + R_PITCH] * (1 + 1.5 * m) - 1.5 * lc;
    const slope = 1.5 * g;
    const invStall = p[r + R_INV_STALL];

    // Root of 2·λi·√(μ² + F²) − C_T(λi) between 0 and the λi at which the blade gives no thrust.
    const end = angle0 / slope;
    let low = Math.min(0, end);
    let high = Math.max(0, end);
    let li = Math.max(low, Math.min(high, end > 0 ? hover : -hover));
    for (let k = 0; k < MOST_ITERATIONS; k += 1) {
      let flow = li + lc;
      let flowSlope = 1;
      if (li * lc < 0) {
        if (Math.abs(lc) >= 2 * Math.abs(li)) {
          flow = -flow;
          flowSlope = -1;
        } else {
          const q = lc / li;
          const t = q + 2;
          const c = V0 + q * (V1 + q * V2);
          const a = q * q * t * t;
          const phi = 1 + q + 0.5 * q * q + a * c;
          const phiSlope = 1 + q + (2 * q * t * t + 2 * q * q * t) * c + a * (V1 + 2 * V2 * q);
          flow = li * phi;
          flowSlope = phi - q * phiSlope;
        }
      }
      const through = Math.sqrt(mu2 + flow * flow);
      const angle = angle0 - slope * li;
      const b = angle * invStall;
      const b4 = 1 + b * b * b * b;
      const root = Math.sqrt(Math.sqrt(b4));
      const residual = 2 * li * through - (lift * angle) / root;
      const gradient =
        2 * through + (2 * li * flow * flowSlope) / Math.max(1e-9, through) + (lift * slope) / (root * b4);
      if (residual > 0) high = li;
      else low = li;
      const newton = li - residual / gradient;
      const next = newton >= low && newton <= high ? newton : 0.5 * (low + high);
      const moved = Math.abs(next - li);
      li = next;
      // Newton's error squares itself: a step of 1e-8 leaves one of 1e-16.
      if (moved <= 1e-8 * Math.abs(li) + 1e-15) break;
    }

    const angle = angle0 - slope * li;
    const b = angle * invStall;
    const ct = (lift * angle) / Math.sqrt(Math.sqrt(1 + b * b * b * b));
    const cp = ct * (lc + p[r + R_INDUCED] * g * li) + p[r + R_PROFILE] * (1 + 4.65 * m);
    const mass = rho * p[r + R_AREA];
    const pressure = mass * speed * speed;
    const inPlane = p[r + R_IN_PLANE] * mass * speed;
    w[W_THRUST + i] = pressure * ct;
    w[W_TORQUE + i] = pressure * radius * cp;
    w[W_IN_PLANE + 3 * i] = inPlane * px;
    w[W_IN_PLANE + 3 * i + 1] = inPlane * py;
    w[W_IN_PLANE + 3 * i + 2] = inPlane * pz;
    w[W_INDUCED + i] = li * Math.max(LEAST_TIP, speed);
  }
}
