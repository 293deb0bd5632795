/** The typed API: everything that a file accepts compiles; a wrong key, type, word, kind, name or parameter fails. */
import { defineKind, defineParams } from "../../params/index.ts";
import type { WindModel } from "../../sources/wind/index.ts";
import type { RecordedFlight } from "../../run/result.ts";
import { type FlightSpec, ofKind, unchecked } from "./spec.ts";

export const whole: FlightSpec = {
  extends: ["mission", "gusty.toml"],
  seed: 7,
  vehicle: { extends: "iris", massKg: 1.7, contact: { friction: 0.5 }, batteries: [{ capacityAh: 5 }] },
  environment: { origin: { altMslM: 0 }, atmosphere: "us76", gravity: { kind: "uniform", accelerationMps2: 3.7 } },
  timeline: { endS: 20 },
  wind: { kind: "dryden", w20Mps: 8 },
  integrator: "rk45",
  estimator: { kind: "truth", delayS: 0.01 },
  sensors: { imu: true, gnss: { periodS: 0.2 } },
  autopilot: { kind: "embedded", schedule: "px4-library", parameters: { MPC_XY_CRUISE: 4, CA_ROTOR0_PX: 0.1 } },
  mission: {
    armAtS: 1,
    items: [{ takeoff: { altitudeM: 10 } }, { command: 16, latDeg: 47, lonDeg: 8, altM: 10 }, { land: true }],
  },
  scenario: [
    { at: "30 s", motorOff: { motor: 2 } },
    { atS: 31, motorLoss: { motor: 2, gain: 0.5 } },
    { at: "32 s", wind: { kind: "dryden", w20Mps: 8 } },
    { at: "33 s", wind: "none" },
    { at: "34 s", estimator: { delayS: 0.012 } },
    { at: "35 s", sensor: { kind: "gnss", latencyS: 0.2 } },
    { at: "36 s", vehicle: { massKg: 1.2, batteries: [{ resistanceOhm: 0.1 }], drag: { linearNSPerM: 0.2 } } },
    { at: "37 s", integrator: { kind: "rk45", toleranceScale: 0.1 } },
    { at: "38 s", reseed: { seed: 8 } },
    { when: "altitudeM > 10", holdS: 1, repeats: true, gust: { velNedMps: [1, 0, 0], shape: "step" }, forS: 2 },
  ],
  stop: { onCrash: false },
  outputs: { logs: [{ file: "a.csv", everyRows: 5 }], paceX: 1 },
};
export const short: FlightSpec = { vehicle: "iris", mission: "square.plan", wind: "none" };
export const parts: FlightSpec = { wind: { kind: "sum", dryden: [{ w20Mps: 5 }], gust: [{}] } };
export const ofExtended: FlightSpec = { extends: "hover", wind: { w20Mps: 8 }, integrator: { maxStepUs: 500 } };

const thermal = defineKind({
  name: "thermal",
  about: "Rising air.",
  version: 1,
  params: defineParams({ upMps: { type: "number", unit: "m/s", about: "Rise." } }),
  make: (): WindModel => ({ sampleInto() {}, save() {}, load() {} }),
});
export const own: FlightSpec = { wind: ofKind(thermal, { upMps: 4 }), extends: unchecked("a flight of mine") };

// Each of these entries has one error.
export const wrong: readonly FlightSpec[] = [
  // @ts-expect-error -- a misspelled section
  { winds: "none" },
  // @ts-expect-error -- a key without its unit
  { vehicle: { mass: 1.5 } },
  // @ts-expect-error -- a misspelled key in a section of the vehicle
  { vehicle: { contact: { frction: 0.5 } } },
  // @ts-expect-error -- a string for a number
  { timeline: { endS: "20 s" } },
  // @ts-expect-error -- an unknown action
  { scenario: [{ at: "1 s", motorOf: { motor: 1 } }] },
  // @ts-expect-error -- an unknown wind in an event
  { scenario: [{ at: "1 s", wind: { kind: "drydn" } }] },
  // @ts-expect-error -- a parameter of another wind in an event
  { scenario: [{ at: "1 s", wind: { kind: "dryden", tauS: 1 } }] },
  // @ts-expect-error -- a sensor without its kind in an event
  { scenario: [{ at: "1 s", sensor: { latencyS: 0.2 } }] },
  // @ts-expect-error -- a misspelled key of the vehicle in an event
  { scenario: [{ at: "1 s", vehicle: { masKg: 1 } }] },
  // @ts-expect-error -- the state at the start, in an event
  { scenario: [{ at: "1 s", vehicle: { initial: { hovering: true } } }] },
  // @ts-expect-error -- a reseed without a number
  { scenario: [{ at: "1 s", reseed: { seed: "8" } }] },
  // @ts-expect-error -- an unknown parameter of an action
  { scenario: [{ at: "1 s", motorOff: { moter: 1 } }] },
  // @ts-expect-error -- an unknown parameter of an action
  { scenario: [{ at: "1 s", motorLoss: { motor: 1, gian: 0.5 } }] },
  // @ts-expect-error -- an unknown word
  { scenario: [{ at: "1 s", sensorFault: { sensor: "gyro", fault: "stuk" } }] },
  // @ts-expect-error -- an unknown word
  { commandPolicy: "loose" },
  // @ts-expect-error -- an unknown flight
  { extends: "mision" },
  // @ts-expect-error -- an unknown flight among others
  { extends: ["mission", "hovr"] },
  // @ts-expect-error -- an unknown vehicle
  { vehicle: "irs" },
  // @ts-expect-error -- an unknown vehicle to start from
  { vehicle: { extends: "irs" } },
  // @ts-expect-error -- an unknown wind
  { wind: "drydn" },
  // @ts-expect-error -- an unknown wind
  { wind: { kind: "drydn" } },
  // @ts-expect-error -- an unknown parameter of a wind
  { wind: { kind: "dryden", w20Mp: 8 } },
  // @ts-expect-error -- a parameter of another wind
  { wind: { kind: "constant", w20Mps: 8 } },
  // @ts-expect-error -- an unknown parameter of a part of a wind
  { wind: { kind: "sum", dryden: [{ w20Mp: 5 }] } },
  // @ts-expect-error -- an unknown integrator
  { integrator: "rk5" },
  // @ts-expect-error -- an unknown parameter of an integrator
  { integrator: { kind: "rk45", maxStep: 500 } },
  // @ts-expect-error -- an unknown parameter of an estimator
  { estimator: { kind: "truth", delay: 0.01 } },
  // @ts-expect-error -- an unknown gravity
  { environment: { gravity: "unifrom" } },
  // @ts-expect-error -- an unknown sensor
  { sensors: { imo: true } },
  // @ts-expect-error -- an unknown parameter of a sensor
  { sensors: { gnss: { period: 0.2 } } },
  // @ts-expect-error -- an unknown key of an autopilot
  { autopilot: { kind: "embedded", shedule: "default" } },
  // @ts-expect-error -- an unknown parameter of PX4
  { autopilot: { parameters: { MPC_XY_CRUSE: 4 } } },
  // @ts-expect-error -- an unknown key of an output
  { outputs: { logs: [{ fil: "a.csv" }] } },
  // @ts-expect-error -- an unknown key of a mission item
  { mission: { items: [{ takeoff: { altitude: 10 } }] } },
  // @ts-expect-error -- an unknown parameter of a user-defined kind
  { wind: ofKind(thermal, { up: 4 }) },
];

export function signals(flight: RecordedFlight): void {
  flight.signal("posNed");
  flight.signal("motorCommand");
  flight.signal(unchecked("a state of mine"));
  // @ts-expect-error -- an unknown signal
  flight.signal("posned");
}
