/**
 * Rigid-body equations in NED with the rotors' angular momentum. They are evaluated last.
 *
 * F and M are the force and moment of the rotors and of the airframe's drag in body axes, and H is the rotors' angular
 * momentum relative to the body (M includes −Ḣ, the reaction to its rate in body axes):
 *   ṗ = v,  v̇ = (R·F + F_contact − c_d·(v − wind))/m + g,
 *   q̇ = ½ q ⊗ (0, ω),  ω̇ = I⁻¹·(M + M_contact − d∘ω_air − ω × (I·ω + H)).
 * With the air's velocity past the vehicle v_air = Rᵀ(wind − v), the airframe's quadratic drag in body axes is
 * ½ρ|v_air|·(CdA)∘v_air. It acts at the centre of pressure and is part of F and M. c_d is the linear drag of simple
 * vehicle models such as `iris-reference`, the same in every direction. d is the angular damping about each body axis,
 * and ω_air is the angular velocity relative to the air.
 */
import { quatDerivativeInto } from "../../../math/quat.ts";
import type { Input, Scratch, State, VehicleConstants } from "../../memory.ts";
import { plusTerm } from "../terms.ts";

/** Adds the airframe's quadratic drag to the force and moment of the rotors. */
export function bodyDragInto(w: Scratch, vehicle: VehicleConstants): void {
  const ax = w.airVelocity[0];
  const ay = w.airVelocity[1];
  const az = w.airVelocity[2];
  const pressure = 0.5 * w.density[0] * Math.sqrt(ax * ax + ay * ay + az * az);
  const fx = pressure * vehicle.dragArea[0] * ax;
  const fy = pressure * vehicle.dragArea[1] * ay;
  const fz = pressure * vehicle.dragArea[2] * az;
  const cx = vehicle.dragCentre[0];
  const cy = vehicle.dragCentre[1];
  const cz = vehicle.dragCentre[2];
  w.force[0] += fx;
  w.force[1] += fy;
  w.force[2] += fz;
  w.moment[0] += plusTerm(plusTerm(0, cy, fz), -cz, fy);
  w.moment[1] += plusTerm(plusTerm(0, cz, fx), -cx, fz);
  w.moment[2] += plusTerm(plusTerm(0, cx, fy), -cy, fx);
}

/** Computes the derivatives of position, velocity, attitude and body rates. */
export function bodyInto(dx: State, x: State, u: Input, w: Scratch, vehicle: VehicleConstants): void {
  const drag = vehicle.linearDrag;
  const inverseMass = vehicle.inverseMass;
  for (let i = 0; i < 3; i += 1) {
    let force = w.rotation[3 * i + 2] * w.force[2];
    if (vehicle.hasSideForce !== 0) force = w.rotation[3 * i] * w.force[0] + w.rotation[3 * i + 1] * w.force[1] + force;
    dx.posNed[i] = x.velNed[i];
    dx.velNed[i] = plusTerm(force + w.contactForceNed[i], -drag, x.velNed[i] - u.windNed[i]) * inverseMass;
  }
  dx.velNed[2] += w.gravity[0];

  quatDerivativeInto(dx.qBodyToNed, x.qBodyToNed, x.rateBody);

  const wx = x.rateBody[0];
  const wy = x.rateBody[1];
  const wz = x.rateBody[2];
  const xx = vehicle.inertia[0];
  const yy = vehicle.inertia[1];
  const zz = vehicle.inertia[2];
  const xy = vehicle.inertia[3];
  const xz = vehicle.inertia[4];
  const yz = vehicle.inertia[5];
  // h = I·ω + H, and m = M + M_contact − d∘ω_air − ω × h.
  const hx = plusTerm(plusTerm(xx * wx, xy, wy), xz, wz) + w.spin[0];
  const hy = plusTerm(plusTerm(yy * wy, xy, wx), yz, wz) + w.spin[1];
  const hz = plusTerm(plusTerm(0, xz, wx), yz, wy) + zz * wz + w.spin[2];
  const damping = vehicle.angularDamping;
  const mx = plusTerm(w.moment[0] + w.contactMoment[0], -damping[0], w.airRate[0]) - (wy * hz - wz * hy);
  const my = plusTerm(w.moment[1] + w.contactMoment[1], -damping[1], w.airRate[1]) - (wz * hx - wx * hz);
  const mz = plusTerm(w.moment[2] + w.contactMoment[2], -damping[2], w.airRate[2]) - (wx * hy - wy * hx);
  const inverse = vehicle.inverseInertia;
  dx.rateBody[0] = plusTerm(plusTerm(inverse[0] * mx, inverse[3], my), inverse[4], mz);
  dx.rateBody[1] = plusTerm(plusTerm(inverse[1] * my, inverse[3], mx), inverse[5], mz);
  dx.rateBody[2] = plusTerm(plusTerm(0, inverse[4], mx), inverse[5], my) + inverse[2] * mz;
}
