/** Rows of steady forward flight: the tilt and the power of a vehicle at a given speed. */
import { steadyFlight } from "../../packages/core/src/analysis/index.ts";
import { referenceEnvironment, rig } from "../support/plant.ts";
import type { ValidationRow } from "./row.ts";

const G = 9.80665;
const SPEED = 15;
/** Tilt and speed of flights at constant speed without wind, from which ArduPilot derives the drag of its models. */
const FLIGHTS = [
  { tiltDeg: 45, speedMps: 15.08 },
  { tiltDeg: 45, speedMps: 20 },
  { tiltDeg: 30, speedMps: 25 },
];
const SOURCE =
  "interval spanned by three flights at constant speed: 3 kg quadrotor, tilt 45° at 15.08 m/s; 5-inch quadrotor, tilt 45° at 20 m/s; Callisto (25.7 kg), tilt 30° at 25 m/s (ArduPilot, SIM_Frame.h and Tools/autotest/models)";
export const LIU =
  "Liu, Sengupta & Kurzhanskiy 2017 (ICUAS): model, with its five fitted constants, of the power that a 3DR IRIS+ drew from its battery in flight tests; evaluated here for a mass of 1.5 kg";

export function forwardFlightRows(): ValidationRow[] {
  return [...tilts(), ...powers()];
}

/** Returns rows of the drag per mass and speed, g·tan(tilt)/V, in 1/s. */
function tilts(): ValidationRow[] {
  const published = FLIGHTS.map(({ tiltDeg, speedMps }) => (G * Math.tan((tiltDeg * Math.PI) / 180)) / speedMps);
  const [low, high] = [Math.min(...published), Math.max(...published)];
  return ["iris", "x500", "hexa", "octa"].map((name) => ({
    area: "Tilt in forward flight",
    quantity: `g·tan(tilt)/V of ${name} at ${SPEED} m/s`,
    source: SOURCE,
    basis: "range" as const,
    published: (low + high) / 2,
    ours: (G * Math.tan(-steadyFlight(rig(name).plant, { speedMps: SPEED }).pitchRad)) / SPEED,
    tolerance: (high - low) / 2,
    unit: "1/s",
  }));
}

/**
 * Returns the power in watts that the measured IRIS+ needs at a speed: (c₁ + c₂)·T^1.5 + c₄·V³. The thrust T carries
 * the weight minus the lift of the airframe, and overcomes the drag. The angle of attack in the lift is taken as zero.
 */
export function measuredIrisPower(speedMps: number, massKg = 1.5): number {
  const lift = 0.0279 * speedMps ** 2;
  const drag = 0.0296 * speedMps ** 2;
  const thrust = Math.hypot(massKg * G - lift, drag);
  return (0.8554 / 0.3051 + 0.3177) * thrust ** 1.5 + 0.0296 * speedMps ** 3;
}

/** Returns the power in watts that our iris needs at sea level. */
export function irisPower(speedMps: number): number {
  const { plant } = rig("iris", {}, referenceEnvironment({ altMslM: 0 }));
  return steadyFlight(plant, { speedMps }).powerW;
}

function powers(): ValidationRow[] {
  return [3, 6, 9, 12].map((speedMps) => {
    const published = measuredIrisPower(speedMps);
    return {
      area: "Power in forward flight",
      quantity: `power of the iris at ${speedMps} m/s`,
      source: LIU,
      published,
      ours: irisPower(speedMps),
      tolerance: 0.15 * published,
      unit: "W",
      ...(speedMps > 10
        ? { outside: "our rotor drag is that of the 3DR X8-M; the drag of the IRIS+ in its flights is a fifth less" }
        : {}),
    };
  });
}
