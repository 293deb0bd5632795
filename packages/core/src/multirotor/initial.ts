/**
 * The state in which a multirotor starts: resting on its feet, or anywhere, still or trimmed for hover.
 */
import { quatFromEulerInto } from "../math/index.ts";
import type { Multirotor } from "./plant.ts";
import { N, P, POINT, X } from "./memory.ts";

export function initialState(x: Float64Array, plant: Multirotor): void {
  const { vehicle, layout } = plant;
  const { posNedM, velNedMps, rollPitchYawRad, rateBodyRadS, onGround, hovering } = vehicle.initial;
  x.fill(0);
  x.set(posNedM, X.X_POS);
  x.set(velNedMps, X.X_VEL);
  const [rollRad, pitchRad, yawRad] = rollPitchYawRad;
  quatFromEulerInto(x.subarray(X.X_Q, X.X_Q + 4), { rollRad, pitchRad, yawRad });
  x.set(rateBodyRadS, X.X_RATE);
  if (onGround) x[X.X_POS + 2] += restingDown(x, plant);
  const at = (name: string) => layout.find(name)?.offset ?? -1;
  const soc = vehicle.batteries.map((battery) => battery.soc);
  const v1V = vehicle.batteries.map((battery) => (battery.model === "ideal" ? 0 : battery.v1V));
  if (soc.length > 0) {
    x.set(soc, at("batterySoc"));
    x.set(v1V, at("batteryV1"));
  }
  if (!hovering) return;
  const altitudeM = plant.packed.p[P.P_ORIGIN_ALTITUDE] - x[X.X_POS + 2];
  plant.trim({ altitudeM, soc, v1V }).rotors.forEach((rotor, i) => {
    x[X.X_MOTOR + i] = rotor.duty;
    if (at("rotorSpeed") >= 0) x[at("rotorSpeed") + i] = rotor.speedRadS;
  });
}

/**
 * How far the centre of mass lies below d = 0 when the lowest points carry the weight in this attitude: their depths
 * then sum to m·g/k. Without contact points the origin itself.
 */
function restingDown(x: Float64Array, plant: Multirotor): number {
  const { p, n } = plant.packed;
  const count = n[N.N_POINTS];
  if (count === 0) return 0;
  const depths = new Float64Array(plant.seamCount!);
  const trial = x.slice();
  trial[X.X_POS + 2] = 0;
  plant.seamsInto!(depths, new Float64Array(1), trial, trial);
  const below = Array.from(depths.subarray(0, count)).sort((a, b) => b - a);
  const h = p[P.P_ORIGIN_ALTITUDE];
  const stretch = 1 + p[P.P_GRAVITY + 3] * h;
  const g = (p[P.P_GRAVITY] + h * (p[P.P_GRAVITY + 1] + h * p[P.P_GRAVITY + 2])) / (stretch * stretch);
  const needed = (g * plant.vehicle.massKg) / p[P.P_POINT + POINT.C_STIFFNESS];
  // With the k lowest points in the ground, Σ(depth_i + down) = needed; more points join until the next stays clear.
  let sum = 0;
  for (let k = 1; k <= count; k += 1) {
    sum += below[k - 1];
    const down = (needed - sum) / k;
    if (k === count || below[k] + down <= 0) return down;
  }
  return 0;
}
