/**
 * The initial state of a multirotor: on the ground or in the air, with its motors off or trimmed for hover.
 */
import { quatFromEulerInto } from "../math/index.ts";
import { stateView } from "./memory.ts";
import type { Multirotor } from "./plant.ts";

export function initialState(x: Float64Array, plant: Multirotor): void {
  const { vehicle, constants } = plant;
  const { posNedM, velNedMps, rollPitchYawRad, rateBodyRadS, onGround, hovering } = vehicle.initial;
  const state = stateView(x, constants);
  x.fill(0);
  state.posNed.set(posNedM);
  state.velNed.set(velNedMps);
  const [rollRad, pitchRad, yawRad] = rollPitchYawRad;
  quatFromEulerInto(state.qBodyToNed, { rollRad, pitchRad, yawRad });
  state.rateBody.set(rateBodyRadS);
  if (onGround) state.posNed[2] += restingDown(x, plant);
  const soc = vehicle.batteries.map((battery) => battery.soc);
  const v1V = vehicle.batteries.map((battery) => (battery.model === "ideal" ? 0 : battery.v1V));
  if (soc.length > 0) {
    state.batterySoc.set(soc);
    state.batteryV1.set(v1V);
  }
  if (!hovering) return;
  const altitudeM = constants.originAltitude - state.posNed[2];
  plant.trim({ altitudeM, soc, v1V }).rotors.forEach((rotor, i) => {
    state.motorOutput[i] = rotor.duty;
    if (constants.motorCount > 0) state.rotorSpeed[i] = rotor.speedRadS;
  });
}

/**
 * Returns the down coordinate of the centre of mass at which the lowest contact points carry the weight in this
 * attitude; their depths then sum to m·g/k. Returns 0 without contact points.
 */
function restingDown(x: Float64Array, plant: Multirotor): number {
  const { pointCount, gravity, originAltitude: h, points } = plant.constants;
  if (pointCount === 0) return 0;
  const depths = new Float64Array(plant.seamCount!);
  const trial = x.slice();
  stateView(trial, plant.constants).posNed[2] = 0;
  plant.seamsInto!(depths, new Float64Array(1), trial, trial);
  const below = Array.from(depths.subarray(0, pointCount)).sort((a, b) => b - a);
  const scale = 1 + gravity[3] * h;
  const g = (gravity[0] + h * (gravity[1] + h * gravity[2])) / (scale * scale);
  const needed = (g * plant.vehicle.massKg) / points[0].stiffness;
  // With the k lowest points in contact, Σ(depth_i + down) = needed. Add points until the next one is above the ground.
  let sum = 0;
  for (let k = 1; k <= pointCount; k += 1) {
    sum += below[k - 1];
    const down = (needed - sum) / k;
    if (k === pointCount || below[k] + down <= 0) return down;
  }
  return 0;
}
