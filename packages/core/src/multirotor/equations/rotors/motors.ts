/**
 * Electronic speed controllers and motors at their bus voltage, and the forces and moments of the rotors on the
 * airframe.
 *
 *   I = clamp((d·V − Ke·Ω)/R, 0, Imax),  τ = Ke·max(0, I − I0),  J·Ω̇ = τ − Q − b·Ω,  I_bus = d·I/η.
 * Current is quasi-static (no inductance) and never negative (no regeneration). A rotor speed is a magnitude, so a
 * rotor cannot turn backwards. A jammed rotor is braked in a few milliseconds; its angular momentum goes to the
 * airframe.
 *
 * The rotors exert on the airframe the thrust −T·a at the hub, the in-plane force, and the reaction ±Q about the axis.
 * Their angular momentum H = Σ J·s·Ω·a (s = −direction) adds the gyroscopic moment; its rate adds the reaction to
 * spin-up.
 */
import type { Input, Scratch, State, VehicleConstants } from "../../memory.ts";
import { plusTerm } from "../terms.ts";
import { leans } from "./flapping.ts";

/**
 * Computes winding currents and rotor accelerations, and the force, moment and angular momentum of all rotors in body
 * axes. The moment includes the reaction to spin-up: direction·(Q + J·Ω̇) about the axis, which is the motor's torque
 * minus friction.
 */
export function motorsInto(dx: State, x: State, w: Scratch, vehicle: VehicleConstants): void {
  const hasMotors = vehicle.motorCount !== 0;
  let fx = 0;
  let fy = 0;
  let fz = 0;
  let mx = 0;
  let my = 0;
  let mz = 0;
  let hx = 0;
  let hy = 0;
  let hz = 0;
  for (let i = 0; i < vehicle.rotorCount; i += 1) {
    const rotor = vehicle.rotors[i];
    const ax = rotor.axis[0];
    const ay = rotor.axis[1];
    const az = rotor.axis[2];
    const thrust = w.thrust[i];
    let reaction = w.torque[i];
    if (hasMotors) {
      const speed = x.rotorSpeed[i];
      const unlimited = (w.duty[i] * w.busVoltage[rotor.bus] - w.backEmf[i]) * rotor.inverseResistance;
      const maxCurrent = rotor.maxCurrent;
      const current = unlimited < 0 ? 0 : unlimited > maxCurrent ? maxCurrent : unlimited;
      const useful = current - rotor.idleCurrent;
      const torque = useful > 0 ? rotor.backEmfConstant * useful : 0;
      let net = torque - reaction - rotor.friction * speed;
      if (speed <= 0 && net < 0) net = 0;
      const spin = rotor.spinInertia * speed;
      w.current[i] = current;
      dx.rotorSpeed[i] = net * rotor.inverseInertia;
      reaction += net;
      hx = plusTerm(hx, ax, spin);
      hy = plusTerm(hy, ay, spin);
      hz = plusTerm(hz, az, spin);
    }
    const moment = rotor.direction * reaction;
    fx = plusTerm(fx, -ax, thrust);
    fy = plusTerm(fy, -ay, thrust);
    fz = plusTerm(fz, -az, thrust);
    mx += plusTerm(rotor.arm[0] * thrust, ax, moment);
    my += plusTerm(rotor.arm[1] * thrust, ay, moment);
    mz += plusTerm(az * moment, rotor.arm[2], thrust);
  }
  w.force[0] = fx;
  w.force[1] = fy;
  w.force[2] = fz;
  w.moment[0] = mx;
  w.moment[1] = my;
  w.moment[2] = mz;
  w.spin[0] = hx;
  w.spin[1] = hy;
  w.spin[2] = hz;
}

/**
 * Brakes jammed rotors: replaces the accelerations that `motorsInto` computed for them, and adds the difference to the
 * moment. The winding currents do not change.
 */
export function jamsInto(dx: State, x: State, u: Input, w: Scratch, vehicle: VehicleConstants): void {
  for (let i = 0; i < vehicle.motorCount; i += 1) {
    if (u.motorJam[i] === 0) continue;
    const rotor = vehicle.rotors[i];
    const speed = x.rotorSpeed[i];
    const speedDot = speed > 0 ? -speed * vehicle.jamRate : 0;
    const moment = -rotor.spinInertia * (speedDot - dx.rotorSpeed[i]);
    dx.rotorSpeed[i] = speedDot;
    for (let k = 0; k < 3; k += 1) w.moment[k] += moment * rotor.axis[k];
  }
}

/**
 * Reduces the thrust of propellers with a chipped blade. Lift per unit of span grows with the square of the radius,
 * so a blade that lost the fraction s of its radius keeps (1 − s)³ of its thrust. Its torque decreases by the same
 * factor; the in-plane force does not change.
 */
export function chipsInto(w: Scratch, u: Input, vehicle: VehicleConstants): void {
  for (let i = 0; i < vehicle.rotorCount; i += 1) {
    const remaining = 1 - u.propellerChip[i];
    const factor = 1 - vehicle.bladeShare * (1 - remaining * remaining * remaining);
    w.thrust[i] *= factor;
    w.torque[i] *= factor;
  }
}

/** Computes the total load of each bus, for ideal batteries and for outputs. */
export function loadsInto(w: Scratch, vehicle: VehicleConstants): void {
  for (let bus = 0; bus < vehicle.busCount; bus += 1) {
    w.busLoad[bus] = w.busVoltage[bus] > 0 ? w.servedPower[bus] / w.busVoltage[bus] : 0;
  }
  for (let i = 0; i < vehicle.motorCount; i += 1) {
    const rotor = vehicle.rotors[i];
    w.busLoad[rotor.bus] += w.duty[i] * w.current[i] * rotor.inverseEfficiency;
  }
}

/** Adds the in-plane forces and the moments at the hubs, which only the momentum level has. */
export function inPlaneInto(w: Scratch, vehicle: VehicleConstants): void {
  for (let i = 0; i < vehicle.rotorCount; i += 1) {
    const position = vehicle.rotors[i].position;
    const fx = w.inPlane[3 * i];
    const fy = w.inPlane[3 * i + 1];
    w.force[0] += fx;
    w.force[1] += fy;
    w.moment[0] += w.hubMoment[3 * i] - position[2] * fy;
    w.moment[1] += w.hubMoment[3 * i + 1] + position[2] * fx;
    w.moment[2] += position[0] * fy - position[1] * fx;
    if (leans(vehicle.rotors[i])) {
      const fz = w.inPlane[3 * i + 2];
      w.force[2] += fz;
      w.moment[0] += position[1] * fz;
      w.moment[1] -= position[0] * fz;
      w.moment[2] += w.hubMoment[3 * i + 2];
    }
  }
}
