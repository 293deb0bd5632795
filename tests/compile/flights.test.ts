/**
 * Whole flights with and without compiled code have equal digests for every writer: with every registered integrator,
 * with built-in and unusual vehicles, and through states in which the reference runs instead.
 */
import { describe, expect, it } from "vitest";
import {
  coreRegistry,
  type RecordedFlight,
  flyFlightNow,
  mustResolve,
  type PlainObject,
  resolveFlight,
} from "@escapement/core";
import { builtInVehicles } from "../../packages/core/src/describe/vehicles/index.ts";
import { integratorKinds } from "../../packages/core/src/integrate/index.ts";
import { isFullVolume, volume } from "../support/volume.ts";
import { oddVehicles } from "./support/vehicles.ts";

const free = { physicsPeriodS: 0 };

function fly(spec: PlainObject, codegen: boolean): RecordedFlight {
  return flyFlightNow(mustResolve(resolveFlight({ file: "test", spec }, coreRegistry)), coreRegistry, { codegen });
}

/** Flies with and without code, compares the digests, and returns the report of the flight with code. */
function flyBoth(spec: PlainObject): string {
  const [made, plain] = [fly(spec, true), fly(spec, false)];
  expect(made.recording.digests).toEqual(plain.recording.digests);
  expect(made.end.stats).toEqual(plain.end.stats);
  expect(plain.end.code).toBe("reference: code generation is switched off");
  return made.end.code;
}

/** Returns a vehicle in the air, moving and turning, under control of the autopilot. */
function inTheAir(vehicle: PlainObject): PlainObject {
  return {
    ...vehicle,
    initial: {
      posNedM: [0, 0, -6],
      velNedMps: [1, -2, 0.5],
      rollPitchYawRad: [0.1, -0.2, 1],
      rateBodyRadS: [0.3, 0.2, -0.4],
      onGround: false,
      hovering: true,
    },
  };
}

const vehicles = Object.entries({
  ...Object.fromEntries(Object.keys(builtInVehicles).map((name) => [name, { extends: name }])),
  ...oddVehicles,
});

/** In `npm test` each vehicle flies with every third integrator, so that each integrator flies every third vehicle. */
const pairs = vehicles.flatMap(([name, vehicle], i) =>
  integratorKinds
    .filter((_, j) => isFullVolume || (i + j) % 3 === 0)
    .map((integrator) => [name, integrator.name, vehicle] as const),
);

describe("compiled code matches the reference with any registered integrator and vehicle", () => {
  it.each(pairs)("%s, %s", (_name, integrator, vehicle) => {
    const timeline = { endS: volume(0.2, 0.4), ...(integrator === "rk45" || integrator === "rk23" ? free : {}) };
    const code = flyBoth({ extends: "mission", vehicle: inTheAir(vehicle), integrator, timeline });
    expect(code).toBe("compiled");
  });

  it("runs the exponential map on the reference, and reports it", () => {
    const spec = { extends: "mission", timeline: { endS: 0.4 } };
    const integrator = { kind: "rk4", attitude: "exponential" };
    expect(flyBoth({ ...spec, integrator })).toBe("reference: the integrator does not use compiled code");
  });
});

describe("compiled code matches the reference in states that it leaves to the reference", () => {
  const start = { extends: "mission", vehicle: inTheAir({ extends: "iris" }), timeline: { endS: 1.8 } };
  const octa = { ...start, vehicle: inTheAir({ extends: "octa" }) };
  const [pack] = builtInVehicles["iris"]!["batteries"] as readonly [PlainObject];

  const states = [
    ["a rotor that jams and frees itself", { ...start, scenario: [{ atS: 0.5, forS: 1, motorJam: { motor: 2 } }] }],
    ["a propeller that chips", { ...start, scenario: [{ atS: 0.5, propellerChip: { motor: 2, share: 0.2 } }] }],
    ["a stopped motor", { ...start, scenario: [{ atS: 0.5, motorOff: { motor: 2 } }] }],
    ["a motor command outside its range", { ...start, scenario: [{ atS: 0.5, motorNoise: { motor: 1, sigma: 0.8 } }] }],
    ["one of two packs disconnected", { ...octa, scenario: [{ atS: 0.5, forS: 1, batteryOff: { battery: 1 } }] }],
    ["the only pack disconnected", { ...start, scenario: [{ atS: 0.5, forS: 0.2, batteryOff: { battery: 1 } }] }],
    [
      "an empty pack",
      { ...start, vehicle: { ...inTheAir({ extends: "iris" }), batteries: [{ ...pack, soc: 0.0006, cutoffV: 1 }] } },
    ],
    ["a crash without autopilot", { ...start, autopilot: "none", stop: { onCrash: false } }],
    ["a start on the ground", { extends: "mission", timeline: { endS: 4 } }],
    ["a drop", { extends: "drop" }],
    [
      "a high altitude",
      {
        ...start,
        vehicle: inTheAir({ extends: "iris", massKg: 1.2 }),
        environment: { origin: { altMslM: 11_000 } },
      },
    ],
    ["strong wind", { ...start, wind: { kind: "constant", windNedMps: [25, -30, 12] } }],
  ] satisfies [string, PlainObject][];
  // In `npm test`, fixed and adaptive steps alternate.
  const cases = states.flatMap(([name, spec], i) =>
    ["rk4", "rk45"]
      .filter((_, j) => isFullVolume || j === i % 2)
      .map((integrator) => [name, integrator, spec] as [string, string, PlainObject]),
  );

  it.each(cases)("%s, %s", (_name, integrator, spec) => {
    expect(flyBoth({ ...spec, integrator })).toBe("compiled");
  });
});
