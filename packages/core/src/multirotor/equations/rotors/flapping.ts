/**
 * The in-plane force and the flapping moment on a rotor's hub, caused by air that moves in the rotor's plane.
 *
 * The advancing blade lifts more than the retreating one, in proportion to f = μ·(θ/3 − λ/4). A blade with the
 * stiffness number S = 8(ν² − 1)/γ (flap frequency ν per revolution, Lock number γ) responds once per revolution:
 * harmonic balance of β″ + (γ/8)β′ + ν²β = γ·f·sin ψ tilts the tip-path plane backwards by 8f/(1 + S²) and towards the
 * retreating side by 8f·S/(1 + S²). The thrust tilts with it, and the moment on the hub is ½σa·ρA(ΩR)²R·f times S/(1 +
 * S²) nose up and times S²/(1 + S²) towards the retreating side. The sideways parts depend on the spin and cancel
 * between rotors that turn in opposite directions. (Leishman, Principles of Helicopter Aerodynamics, 2006, ch. 4;
 * Hoffmann, Huang, Waslander & Tomlin 2007; Mahony, Kumar & Corke 2012; Bangura & Mahony 2012.)
 *
 * The drag of the blades and of the tilted lift is added, −c_H·ρA·ΩR·v⊥ (Martin & Salaün 2010; Faessler, Franchi &
 * Scaramuzza 2018), with c_H from identified vehicles. The factor 1/(1 + μ²) bounds f, whose formula is valid for
 * μ < 0.3.
 */
import type { Scratch, VehicleConstants } from "../../memory.ts";
import { plusTerm } from "../terms.ts";

/**
 * Whether a rotor's axis differs from the body's z axis. If it does not, in-plane vectors have no component along z.
 */
export function leans(rotor: VehicleConstants["rotors"][number]): boolean {
  return rotor.axis[0] !== 0 || rotor.axis[1] !== 0;
}

/**
 * Replaces the in-plane air velocity at hub i with the in-plane force, and computes the moment. `massFlow` is ρA·ΩR.
 */
export function flappingInto(w: Scratch, vehicle: VehicleConstants, i: number, massFlow: number): void {
  const rotor = vehicle.rotors[i];
  const flap = vehicle.flapping;
  const ax = rotor.axis[0];
  const ay = rotor.axis[1];
  const az = rotor.axis[2];
  const px = w.inPlane[3 * i];
  const py = w.inPlane[3 * i + 1];
  // Axis × air velocity points to the left of a vehicle that flies forward.
  let sx = -az * py;
  let sy = az * px;
  // The factor f of the header, divided by μ.
  const unit = (rotor.momentum.pitch * (1 / 3) - 0.25 * (w.climb[i] + w.inflow[i])) * (1 - w.advance[i]);
  const lean = w.thrustCoefficient[i] * unit;
  const along = massFlow * (rotor.momentum.inPlane + flap.tilt * lean);
  const aside = massFlow * (rotor.direction * flap.crossTilt * lean);
  const asymmetry = w.lift[i] * unit;
  const raise = -massFlow * (flap.moment * asymmetry);
  const roll = massFlow * (rotor.direction * flap.crossMoment * asymmetry);
  if (leans(rotor)) {
    const pz = w.inPlane[3 * i + 2];
    sx = plusTerm(sx, ay, pz);
    sy = plusTerm(sy, -ax, pz);
    const sz = plusTerm(plusTerm(0, ax, py), -ay, px);
    w.inPlane[3 * i + 2] = along * pz + aside * sz;
    w.hubMoment[3 * i + 2] = raise * sz + roll * pz;
  }
  w.inPlane[3 * i] = along * px + aside * sx;
  w.inPlane[3 * i + 1] = along * py + aside * sy;
  w.hubMoment[3 * i] = raise * sx + roll * px;
  w.hubMoment[3 * i + 1] = raise * sy + roll * py;
}
