/** `--set key=value`: dotted keys, values in TOML syntax, strings without quotes. */
import { describe, expect, it } from "vitest";
import { assignedSpec } from "@escapement/core";
import { parseOverrides } from "./overrides.ts";

const noBase = () => ({ spec: {}, filled: undefined });

describe("overrides", () => {
  it.each([
    [["wind.kind=none"], { wind: { kind: "none" } }],
    [["vehicle.massKg=1.6", "vehicle.contact.friction=0.5"], { vehicle: { massKg: 1.6, contact: { friction: 0.5 } } }],
    [["wind.meanNedMps=[1, 2.5, -3e-1]"], { wind: { meanNedMps: [1, 2.5, -0.3] } }],
    [["stop.onCrash=false", "seed=7"], { stop: { onCrash: false }, seed: 7 }],
    [['name="a = b"'], { name: "a = b" }],
    [["name=two words"], { name: "two words" }],
    [["mission=square.plan"], { mission: "square.plan" }],
    [["sensors.imu={}"], { sensors: { imu: {} } }],
    [["seed=1", "seed=2"], { seed: 2 }],
    [["wind=ou", "wind.tauS=3"], { wind: { kind: "ou", tauS: 3 } }],
    [
      ["autopilot=px4-sitl", "autopilot.parameters.MPC_XY_CRUISE=2"],
      { autopilot: { kind: "px4-sitl", parameters: { MPC_XY_CRUISE: 2 } } },
    ],
    [["vehicle=octa", "vehicle.massKg=5"], { vehicle: { extends: "octa", massKg: 5 } }],
    [
      ["environment.gravity=constant", "environment.gravity.mps2=9"],
      { environment: { gravity: { kind: "constant", mps2: 9 } } },
    ],
    [["wind.tauS=3", "wind=none"], { wind: "none" }],
    [["a="], { a: "" }],
    [[], {}],
  ])("%j", (assignments, expected) => {
    expect(assignedSpec(parseOverrides(assignments), noBase, "command line")).toEqual(expected);
  });

  it.each(["wind", "=3", "wind..kind=ou", "wind kind=ou", ".a=1", "a.=1"])("rejects %j", (assignment) => {
    expect(() => parseOverrides([assignment])).toThrow(/CLI-001.*is not key=value/);
  });
});
