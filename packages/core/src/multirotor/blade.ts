/**
 * Constants of a blade at the momentum level: in hover, for flapping, and for its dependence on the Reynolds number.
 */
import { AIR_DENSITY, AIR_TEMPERATURE, type Environment, gravityAt } from "../world/environment.ts";
import { viscosityOf } from "./equations/rotors/reynolds.ts";
import type { Vehicle } from "./vehicle.ts";

/** Returns the constants of the blade's dependence on the Reynolds number, in the air at the origin. */
export function reynoldsConstants({ propulsion: { level, momentum, radiusM, blades } }: Vehicle, air: Float64Array) {
  if (level !== "momentum") return { scale: 0, liftLoss: 0, dragGain: 0 };
  const chordM = (Math.PI * radiusM * momentum.solidity) / blades;
  return {
    scale: (0.75 * chordM) / (viscosityOf(air[AIR_TEMPERATURE]) * momentum.reynoldsTransition),
    liftLoss: 1 - momentum.lowReynoldsLift,
    dragGain: momentum.lowReynoldsDrag - 1,
  };
}

/** Returns density, temperature and pressure of the air at the origin. */
export function airAtOrigin({ atmosphere, origin }: Environment): Float64Array {
  const air = new Float64Array(3);
  atmosphere.sampleInto(air, Float64Array.of(origin.altMslM));
  return air;
}

/** Smallest density used in the calculation. In air this thin, no rotor speed can carry the vehicle. */
const MIN_DENSITY_KGPM3 = 1e-6;

/** Returns the blade in hover, from which the search for its inflow starts: λ with 2λ² = lift·sat(θ − 1.5λ). */
export function hoverBlade(vehicle: Vehicle, environment: Environment, air: Float64Array) {
  const { level, momentum, radiusM } = vehicle.propulsion;
  if (level !== "momentum") return { inflow: 0, thrustOffset: 0, thrustSlope: 0, inverseUnstalledInflow2: 0 };
  const thrustN = (vehicle.massKg * gravityAt(environment.gravity, environment.origin.altMslM)) / vehicle.rotors.length;
  const { scale, liftLoss } = reynoldsConstants(vehicle, air);
  const density = Math.max(MIN_DENSITY_KGPM3, air[AIR_DENSITY]);
  let lift = (momentum.solidity * momentum.liftSlopePerRad) / 6;
  let inflow = 0;
  // Each round corrects the lift with the rotor speed of the previous one, which reduces the error about tenfold.
  for (let round = 0; round < 8; round += 1) {
    inflow = inflowInHover(momentum, lift);
    const tip2 = thrustN / (2 * density * Math.PI * radiusM * radiusM * inflow * inflow);
    const re2 = scale * scale * density * density * tip2;
    lift = ((momentum.solidity * momentum.liftSlopePerRad) / 6) * (1 - liftLoss / (1 + re2));
  }
  const { angle, thrust, slope } = bladeAt(momentum, inflow);
  const unstalledInflow = (Math.sqrt(2.25 * lift * lift + 8 * lift * momentum.pitchRad) - 1.5 * lift) / 4;
  return {
    inflow,
    thrustOffset: thrust - slope * angle,
    thrustSlope: slope,
    inverseUnstalledInflow2: 1 / (unstalledInflow * unstalledInflow),
  };
}

type Blade = Vehicle["propulsion"]["momentum"];

function inflowInHover(blade: Blade, lift: number): number {
  let low = 0;
  let high = blade.pitchRad / 1.5;
  for (let k = 0; k < 60; k += 1) {
    const middle = (low + high) / 2;
    if (2 * middle * middle < lift * bladeAt(blade, middle).thrust) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Returns the angle of a blade in hover with this inflow, its C_T/lift, and the derivative of C_T/lift with respect to
 * the angle.
 */
function bladeAt({ pitchRad, stallRad }: Blade, inflow: number) {
  const angle = pitchRad - 1.5 * inflow;
  const b = angle / stallRad;
  const root = Math.sqrt(Math.sqrt(1 + b * b * b * b));
  return { angle, thrust: angle / root, slope: 1 / (root * root * root * root * root) };
}

/**
 * Returns the factors that turn an asymmetry of lift into the tilt of the tip-path plane and into the hub moment. They
 * follow from the blade's stiffness number.
 */
export function flappingBlade({ propulsion: { level, momentum, radiusM } }: Vehicle) {
  if (level !== "momentum") return { tilt: 0, crossTilt: 0, moment: 0, crossMoment: 0 };
  const { flapStiffness: stiffness } = momentum;
  const soft = 1 / (1 + stiffness * stiffness);
  const moment = 3 * radiusM;
  return {
    tilt: 8 * soft,
    crossTilt: 8 * stiffness * soft,
    moment: moment * stiffness * soft,
    crossMoment: moment * stiffness * stiffness * soft,
  };
}
