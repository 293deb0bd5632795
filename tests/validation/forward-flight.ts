/** Rows of steady forward flight: the tilt of a vehicle at a given speed. */
import { steadyFlight } from "../../packages/core/src/analysis/index.ts";
import { rig } from "../support/plant.ts";
import type { ValidationRow } from "./row.ts";

const G = 9.80665;
const SPEED = 15;
/** Tilt and speed of flights at constant speed without wind, by which ArduPilot sets the drag of its models. */
const FLIGHTS = [
  { tiltDeg: 45, speedMps: 15.08 },
  { tiltDeg: 45, speedMps: 20 },
  { tiltDeg: 30, speedMps: 25 },
];
const SOURCE =
  "range of flights at constant speed: 3 kg quadrotor 45° at 15.08 m/s, 5-inch quadrotor 45° at 20 m/s, Callisto (25.7 kg) 30° at 25 m/s (ArduPilot, SIM_Frame.h and Tools/autotest/models)";

/** Returns rows of the drag per mass and speed, g·tan(tilt)/V, in 1/s. */
export function forwardFlightRows(): ValidationRow[] {
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
