/**
 * The effect of a ceiling above a rotor: the rotor draws its air through the gap, whose suction pulls the rotor up.
 *
 * If air enters the disk at speed v, it flows through the gap δ at v·r/2δ at radius r. Its low pressure below the
 * ceiling gives ρA·v²·R²/16δ² of the thrust; momentum gives the rest, ρA·v·w, with the speed w of the far wake. By
 * energy, T = ½ρA·w². So
 *   w = 2γ·v,  γ = ½ + ½·√(1 + R²/8δ²),  v = v_h/γ,
 * and at constant induced power T/T∞ = γ^⅔ (Hsiao & Chirarattananon, "Ceiling effects for hybrid aerial-surface
 * locomotion of small rotorcraft", IEEE/ASME Trans. Mechatronics 2019). γ − 1 fades with tilt and forward speed like
 * the ground effect. Each rotor is treated alone; the air that others draw through the same gap is not modelled. Above
 * the ceiling there is no effect.
 */
import type { Scratch, VehicleConstants } from "../../memory.ts";

/** Minimum gap in radii, because the formula grows without bound as the gap closes. */
const MIN_GAP = 0.1;

/** Divides the decrease of the blade's angle per λi by γ, which fades to 1 with tilt and forward speed. */
export function ceilingInto(w: Scratch, vehicle: VehicleConstants, i: number): void {
  const radius = vehicle.rotors[i].radius;
  const gap = Math.max(MIN_GAP * radius, vehicle.ceiling - w.height[i]);
  const gammaMinus1 = 0.5 * Math.sqrt(1 + (radius * radius) / (8 * (gap * gap))) - 0.5;
  w.angleSlope[i] /= 1 + gammaMinus1 * w.shade[i];
}
