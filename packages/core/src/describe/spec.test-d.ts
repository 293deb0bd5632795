/** The typed API: what a file accepts compiles, what it refuses by key, type or word does not. */
import type { FlightSpec } from "./spec.ts";

const whole: FlightSpec = {
  extends: ["mission", "gusty.toml"],
  seed: 7,
  vehicle: { extends: "iris", massKg: 1.7, contact: { friction: 0.5 }, batteries: [{ capacityAh: 5 }] },
  environment: { origin: { altMslM: 0 }, atmosphere: "us76", gravity: { kind: "uniform", accelerationMps2: 3.7 } },
  timeline: { endS: 20 },
  wind: { kind: "dryden", w20Mps: 8 },
  integrator: "rk45",
  sensors: { imu: true, gnss: { periodS: 0.2 } },
  autopilot: { kind: "embedded", parameters: { MPC_XY_CRUISE: 4 } },
  mission: {
    armAtS: 1,
    items: [{ takeoff: { altitudeM: 10 } }, { command: 16, latDeg: 47, lonDeg: 8, altM: 10 }, { land: true }],
  },
  scenario: [
    { at: "30 s", motorOff: { motor: 2 } },
    { when: "altitudeM > 10", holdS: 1, repeats: true, gust: { velNedMps: [1, 0, 0], shape: "step" }, forS: 2 },
  ],
  stop: { onCrash: false },
  outputs: { logs: [{ file: "a.csv", everyRows: 5 }], paceX: 1 },
};
const short: FlightSpec = { vehicle: "iris", mission: "square.plan", wind: "none" };

// @ts-expect-error -- a misspelt section
const misspelt: FlightSpec = { winds: "none" };
// @ts-expect-error -- a key without its unit
const unitless: FlightSpec = { vehicle: { mass: 1.5 } };
// @ts-expect-error -- a text for a number
const text: FlightSpec = { timeline: { endS: "20 s" } };
// @ts-expect-error -- an unknown action
const action: FlightSpec = { scenario: [{ at: "1 s", motorOf: { motor: 1 } }] };
// @ts-expect-error -- an unknown word
const word: FlightSpec = { commandPolicy: "loose" };

export { whole, short, misspelt, unitless, text, action, word };
