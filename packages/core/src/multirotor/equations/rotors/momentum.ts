/**
 * Propulsion level "momentum": blade-element thrust balanced with momentum theory at every instant.
 *
 * In units of the tip speed ΩR, with climb λc, in-plane speed μ and induced velocity λi:
 *   blade      C_T = (σa/6)·sat(θ·(1 + 1.5m) − 1.5·(λc + g·λi)),  m = μ²/(1 + μ²)
 *   momentum   C_T = 2·λi·√(μ² + (λi·φ(λc/λi))²)
 *   power      C_P = C_T·(λc + κ·g·λi) + (σ·Cd0/8)·(1 + 4.65m)
 * T = ρA(ΩR)²C_T, Q = ρA(ΩR)²R·C_P (Glauert 1926; Leishman, Principles of Helicopter Aerodynamics, 2006, §2.13–2.14,
 * 3.5, 5.4). a and Cd0 depend on the Reynolds number (`reynolds.ts`). m bounds the advance-ratio terms, which are valid
 * for μ < 0.3; sat(A) = A/(1 + (A/stall)⁴)^¼ bounds the lift of a stalled blade.
 *
 * In climb and in the windmill state (r ≤ −2), φ(r) follows from axial momentum theory: 1 + r and −1 − r. Between the
 * two, momentum theory fails. There φ follows measurements (`throughflow.ts`), and the vortex ring reduces the thrust
 * (`descent.ts`).
 *
 * Two steps of Halley's method, without a branch, find the root (`inflow.ts`). They start from the tangents of both
 * sides at hover. If they do not converge, `descent.ts` searches for the root.
 *
 * Ground effect: g = (1 − s)^1.5, s = (R/4z)²·cos²tilt/(1 + (μ/λh)²), which gives Cheeseman and Bennett's T/T∞ = 1/(1 −
 * (R/4z)²) at constant induced power (ARC R&M 3021, 1955), for z ≥ R/2. `ground.ts` has the effect of the other rotors
 * near the ground, `ceiling.ts` that of a ceiling, `flapping.ts` the in-plane force and the hub moment.
 */
import { ceilingInto } from "./ceiling.ts";
import { finishInflowsInto, mayHaveRing, ringInto, wholeInflowInto } from "./descent.ts";
import { flappingInto, leans } from "./flapping.ts";
import { groundsInto } from "./ground.ts";
import { bladeInto, halleyInto, isInflowFound, startInflowInto } from "./inflow.ts";
import { axialFlowInto, isAxialFlow, throughflowInto } from "./throughflow.ts";
import type { Input, Scratch, State, VehicleConstants } from "../../memory.ts";
import { plusTerm } from "../terms.ts";
import { sectionInto } from "./reynolds.ts";

/** Smallest tip speed in m/s for ratios. Forces use the true tip speed and vanish with it. */
const MIN_TIP_MPS = 0.1;
/**
 * Compiled code of vehicles with more rotors calls `wholeInflowInto`, because V8 does not optimise a function into
 * which it is inlined so many times.
 */
const MAX_INLINED_ROTORS = 6;

export function momentumRotorsInto(w: Scratch, x: State, u: Input, vehicle: VehicleConstants): void {
  const rotors = vehicle.rotorCount;
  let isLow = false;
  for (let i = 0; i < rotors; i += 1) {
    flowInto(w, x, vehicle, i);
    if (w.height[i] < vehicle.ground.reach) isLow = true;
  }
  if (isLow) groundsInto(w, vehicle);
  for (let i = 0; i < rotors; i += 1) {
    if (vehicle.hasCeiling !== 0 && w.height[i] < vehicle.ceiling) ceilingInto(w, vehicle, i);
    sectionInto(w, x, vehicle, i);
  }
  if (rotors <= MAX_INLINED_ROTORS) inflowsInto(w, vehicle);
  else for (let i = 0; i < rotors; i += 1) wholeInflowInto(w, vehicle, i);
  for (let i = 0; i < rotors; i += 1) {
    if (mayHaveRing(w, i)) ringInto(w, u, vehicle, i);
    forcesInto(w, x, vehicle, i);
  }
}

/**
 * Makes each step for all rotors before the next step, so that their long chains of roots and divisions run in
 * parallel.
 */
function inflowsInto(w: Scratch, vehicle: VehicleConstants): void {
  const rotors = vehicle.rotorCount;
  for (let i = 0; i < rotors; i += 1) startInflowInto(w, vehicle, i);
  for (let k = 0; k < 2; k += 1) {
    for (let i = 0; i < rotors; i += 1) bladeInto(w, vehicle, i);
    let isAxial = true;
    for (let i = 0; i < rotors; i += 1) if (!isAxialFlow(w, i)) isAxial = false;
    // One branch for all rotors, because they nearly always descend or climb together.
    if (isAxial) for (let i = 0; i < rotors; i += 1) axialFlowInto(w, i);
    else for (let i = 0; i < rotors; i += 1) throughflowInto(w, i);
    for (let i = 0; i < rotors; i += 1) halleyInto(w, vehicle, i);
  }
  let isFound = true;
  for (let i = 0; i < rotors; i += 1) if (!isInflowFound(w, i)) isFound = false;
  if (!isFound) finishInflowsInto(w, vehicle);
}

/** Computes the air velocity at the hub in units of the tip speed, and the blade's angle. */
function flowInto(w: Scratch, x: State, vehicle: VehicleConstants, i: number): void {
  const rotor = vehicle.rotors[i];
  const hub = vehicle.hubInflow;
  const wx = hub * w.airRate[0];
  const wy = hub * w.airRate[1];
  const wz = hub * w.airRate[2];
  const rx = rotor.position[0];
  const ry = rotor.position[1];
  const rz = rotor.position[2];
  const nx = rotor.axis[0];
  const ny = rotor.axis[1];
  const nz = rotor.axis[2];
  // The component along the axis (opposite to the thrust) is the climb.
  const ax = w.airVelocity[0] - (wy * rz - wz * ry);
  const ay = w.airVelocity[1] - (wz * rx - wx * rz);
  const az = w.airVelocity[2] - (wx * ry - wy * rx);
  const climb = plusTerm(plusTerm(0, nx, ax), ny, ay) + nz * az;
  const px = plusTerm(ax, -nx, climb);
  const py = plusTerm(ay, -ny, climb);
  let across2 = px * px + py * py;
  if (leans(rotor)) {
    const pz = plusTerm(az, -nz, climb);
    across2 += pz * pz;
    w.inPlane[3 * i + 2] = pz;
  }
  w.inPlane[3 * i] = px;
  w.inPlane[3 * i + 1] = py;

  const radius = rotor.radius;
  const tip = Math.max(MIN_TIP_MPS, Math.abs(x.rotorSpeed[i]) * radius);
  const down = plusTerm(plusTerm(0, nx, w.rotation[6]), ny, w.rotation[7]) + nz * w.rotation[8];
  const height = -(x.posNed[2] + w.rotation[6] * rx + w.rotation[7] * ry + w.rotation[8] * rz);
  const fourZ = 4 * Math.max(0.5 * radius, height);
  const upright = Math.max(0, down);
  // 1/tip, m and s have the denominators tip, a = tip² + v² and b = fourZ²·(tip² + v²/λh²); one division serves all
  // three.
  const tip2 = tip * tip;
  const a = tip2 + across2;
  const b = fourZ * fourZ * (tip2 + across2 * vehicle.hover.inverseUnstalledInflow2);
  const inverse = 1 / (tip * a * b);
  const invTip = inverse * (a * b);
  const m = across2 * (inverse * (tip * b));
  // `shade` is cos²tilt/(1 + (μ/λh)²) divided by (4z)².
  const shade = rotor.momentum.groundEffect * (upright * upright) * (inverse * (tip * tip2 * a));
  const s = radius * radius * shade;
  const lc = climb * invTip;
  w.height[i] = height;
  w.shade[i] = shade * (fourZ * fourZ);
  w.climb[i] = lc;
  w.advance[i] = m;
  w.across2[i] = across2 * (invTip * invTip);
  w.bladeAngle[i] = rotor.momentum.pitch * (1 + 1.5 * m) - 1.5 * lc;
  w.angleSlope[i] = 1.5 * ((1 - s) * Math.sqrt(1 - s));
}

/** Computes thrust, torque and in-plane force at the inflow that was found. */
function forcesInto(w: Scratch, x: State, vehicle: VehicleConstants, i: number): void {
  const rotor = vehicle.rotors[i];
  const radius = rotor.radius;
  const speed = Math.abs(x.rotorSpeed[i]) * radius;
  const blade = rotor.momentum;
  const li = w.inflow[i];
  const ct = w.thrustCoefficient[i];
  // `angleSlope` is 1.5·g.
  const g = w.angleSlope[i] * (2 / 3);
  const cp = ct * (w.climb[i] + blade.inducedFactor * g * li) + w.profile[i] * (1 + 4.65 * w.advance[i]);
  const mass = w.density[0] * blade.diskArea;
  const pressure = mass * speed * speed;
  w.thrust[i] = pressure * ct;
  w.torque[i] = pressure * radius * cp;
  flappingInto(w, vehicle, i, mass * speed);
  w.inducedVelocity[i] = li * Math.max(MIN_TIP_MPS, speed);
}
