/**
 * The built-in flights. Each demonstrates one feature and is both a golden flight and an example.
 *
 * A description can name them in `extends`. They are ordinary descriptions and set only values that differ from the
 * defaults.
 */
import type { PlainObject } from "../../params/index.ts";
import { iris } from "../vehicles/iris.ts";
import { farAndHold, longHold, square, steps, upAndHold } from "./missions.ts";

const noWind = { kind: "none" };

/** Returns a vehicle's battery packs with some numbers changed, e.g. to describe used packs. */
function packs(vehicle: PlainObject, changes: PlainObject): PlainObject[] {
  return (vehicle["batteries"] as readonly PlainObject[]).map((battery) => ({ ...battery, ...changes }));
}

function squareFrom(altMslM: number): PlainObject {
  return {
    name: `altitude-${altMslM}`,
    about: `The square mission from ${altMslM} m.`,
    extends: "altitude",
    environment: { origin: { altMslM } },
  };
}

export const builtInFlights = {
  mission: {
    name: "mission",
    about: "The default flight: take-off, a square, return over its centre, and landing.",
    vehicle: "iris",
    mission: { items: square },
    timeline: { endS: 120 },
  },
  hover: {
    name: "hover",
    about: "Holds 10 m in Dryden turbulence.",
    vehicle: "iris",
    mission: { items: upAndHold },
    wind: { kind: "dryden" },
    timeline: { endS: 60 },
    stop: { onLanding: false },
  },
  "motor-out": {
    name: "motor-out",
    about: "A quadrotor loses a motor in flight and comes down.",
    extends: "mission",
    scenario: [{ atS: 20, motorOff: { motor: 2 } }],
    timeline: { endS: 60 },
  },
  "octa-motor-out": {
    name: "octa-motor-out",
    about: "An octorotor loses a motor in flight and finishes its mission.",
    extends: "mission",
    vehicle: "octa",
    scenario: [{ atS: 20, motorOff: { motor: 2 } }],
  },
  "battery-rtl": {
    name: "battery-rtl",
    about: "A worn battery becomes critical away from home: return and landing.",
    vehicle: { extends: "iris", batteries: packs(iris, { soc: 0.3, lowSoc: 0.27, criticalSoc: 0.22 }) },
    autopilot: { parameters: { BAT_LOW_THR: 0.27, BAT_CRIT_THR: 0.22, RTL_RETURN_ALT: 20 } },
    mission: { items: farAndHold },
    timeline: { endS: 240 },
  },
  gust: {
    name: "gust",
    about: "A gust of 8 m/s for three seconds during a waypoint turn.",
    extends: "mission",
    scenario: [{ when: "missionReached == 2", forS: 3, gust: { velNedMps: [0, 8, 0] } }],
  },
  drop: {
    name: "drop",
    about: "Dropped from a metre with motors off: comes to rest on its feet.",
    vehicle: { extends: "iris", initial: { posNedM: [0, 0, -1] } },
    autopilot: "none",
    estimator: "truth",
    wind: noWind,
    timeline: { endS: 5 },
    stop: { onCrash: false },
  },
  altitude: {
    name: "altitude",
    about: "The square mission from sea level; variants start at 1000, 2000 and 3000 m.",
    extends: "mission",
    environment: { origin: { altMslM: 0 } },
  },
  "altitude-1000": squareFrom(1000),
  "altitude-2000": squareFrom(2000),
  "altitude-3000": squareFrom(3000),
  step: {
    name: "step",
    about: "Steps of position, height and yaw in still air, each given time to settle.",
    vehicle: "iris",
    mission: { items: steps },
    wind: noWind,
    timeline: { endS: 90 },
  },
  "long-hold": {
    name: "long-hold",
    about: "A hold of 220 s on the way: endurance of the battery.",
    vehicle: "iris",
    mission: { items: longHold },
    timeline: { endS: 400 },
  },
} as const satisfies Readonly<Record<string, PlainObject>>;
