/**
 * Ground effect of a multirotor: the effect that the other rotors, and the fountain between them, have on a rotor.
 *
 * The images of all rotors act on a rotor at height z over the ground. With d_j its distance from rotor j (0 for
 * itself) and b the largest distance between two rotors,
 *   T∞/T = 1 − s,  s = Σ_j R²z/(2·(d_j² + 4z²)^1.5) + 2·K_b·R²z/(b² + 4z²)^1.5
 * at constant induced power (Sánchez-Cuevas, Heredia & Ollero 2017, "Characterization of the aerodynamic ground effect
 * and its influence in multirotor control", Int. J. Aerospace Eng.). The first term is Cheeseman and Bennett's (R/4z)²,
 * which `momentum.ts` includes at every height. The last term is the fountain of air that rises between the rotors; K_b
 * is measured. All terms except the first fade out between 6 and 12 radii, with three continuous derivatives at both
 * ends, so that they need not be computed in higher flight.
 */
import { MAX_COUNTS, type Scratch, type VehicleConstants } from "../../memory.ts";
import type { Vehicle } from "../../vehicle.ts";

/** Heights in radii at which the terms begin to fade, and above which they are zero. */
const FADE_FROM = 6;
const FADE_TO = 12;
/** Largest s. Without this limit, rotors that overlap would reverse their inflow. */
const MAX_S = 0.7;

/**
 * Computes the decrease of the blade's angle per λi with all terms, for each rotor that is low enough. The function is
 * not inlined into compiled code, because vehicles seldom fly so low.
 */
export function groundsInto(w: Scratch, vehicle: VehicleConstants): void {
  const rotors = vehicle.rotorCount;
  if (vehicle.serial !== measuredSerial) measureDistances(vehicle);
  for (let i = 0; i < rotors; i += 1) if (w.height[i] < vehicle.ground.reach) groundInto(w, vehicle, i, rotors - 1);
}

function groundInto(w: Scratch, vehicle: VehicleConstants, i: number, others: number): void {
  const { radius } = vehicle.rotors[i];
  const { fountain, span2 } = vehicle.ground;
  const r2 = radius * radius;
  const z = Math.max(0.5 * radius, w.height[i]);
  const z4 = 4 * z * z;
  let images = 0;
  for (let j = i * others; j < (i + 1) * others; j += 1) {
    const distance2 = distances2[j] + z4;
    images += 0.5 * (1 / (distance2 * Math.sqrt(distance2)));
  }
  const across2 = span2 + z4;
  const t = Math.max(0, (z / radius - FADE_FROM) / (FADE_TO - FADE_FROM));
  const fade = Math.max(0, 1 - t * t * t * t);
  const added = r2 * z * (images + 2 * fountain * (1 / (across2 * Math.sqrt(across2)))) * (fade * fade * fade * fade);
  const s = Math.min(MAX_S, w.shade[i] * (r2 / (4 * z4) + added));
  w.angleSlope[i] = 1.5 * ((1 - s) * Math.sqrt(1 - s));
}

/** Serial number of the vehicle that was evaluated last, and, for each of its rotors, d_j² of the other rotors. */
let measuredSerial = 0;
const distances2 = new Float64Array(MAX_COUNTS.rotors * MAX_COUNTS.rotors);

function measureDistances(vehicle: VehicleConstants): void {
  const hubs = Array.from({ length: vehicle.rotorCount }, (_, i) => vehicle.rotors[i].position);
  const others = (a: Float64Array) => hubs.filter((b) => b !== a);
  distances2.set(
    hubs.flatMap((a) => others(a).map((b) => (b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]))),
  );
  measuredSerial = vehicle.serial;
}

/** Returns the constants of the ground effect of a vehicle. */
export function groundConstants({ rotors, propulsion: { radiusM, momentum } }: Vehicle) {
  const distances2 = rotors.flatMap(({ positionM: a }) =>
    rotors.map(({ positionM: b }) => (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])),
  );
  const isOn = momentum.groundEffect && momentum.groundModel === "multirotor" && rotors.length > 1;
  return { reach: isOn ? FADE_TO * radiusM : 0, fountain: momentum.fountain, span2: Math.max(...distances2) };
}
