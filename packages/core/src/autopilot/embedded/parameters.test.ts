/** Tests parameters: PX4's defaults, rejection of unknown names and impossible values, dependencies, checkpoints. */
import { describe, expect, it, vi } from "vitest";
import { Snapshot } from "../../snapshot/index.ts";
import { EmbeddedAutopilot } from "./autopilot.ts";
import { PARAMETER_TABLE } from "./parameter-table.ts";
import { Parameters, parameterSpecs } from "./parameters.ts";

const rotors = [{ posBody: [0.1, 0.2, 0], axisBody: [0, 0, -1], torqueRatioM: -0.06, channel: 2, relativeThrust: 0.5 }];

describe("parameters", () => {
  it("have PX4's defaults, every one inside its own range", () => {
    const p = new Parameters(rotors);
    expect(p.get("MPC_XY_CRUISE")).toBe(5);
    expect(p.get("MC_ROLLRATE_P")).toBe(0.15);
    expect(p.get("COM_LOW_BAT_ACT")).toBe(3);
    for (const [name, spec] of parameterSpecs(rotors)) {
      expect(spec.default, name).toBeGreaterThanOrEqual(spec.min);
      expect(spec.default, name).toBeLessThanOrEqual(spec.max);
      expect(spec.about, name).toMatch(/\.$/);
    }
  });

  it("take the rotors from the vehicle unless they are given", () => {
    const p = new Parameters(rotors, { CA_ROTOR0_PY: 0.3 });
    expect(p.get("CA_ROTOR_COUNT")).toBe(1);
    expect(p.get("CA_ROTOR0_PX")).toBe(0.1);
    expect(p.get("CA_ROTOR0_PY")).toBe(0.3);
    expect(p.get("CA_ROTOR0_KM")).toBe(-0.06);
    expect(p.get("CA_ROTOR0_CT")).toBe(3.25);
  });

  it("reject unknown names, with a similar name as a suggestion, and values that the control laws cannot use", () => {
    expect(() => new Parameters(rotors, { MPC_XY_CRUSE: 4 })).toThrow(/AUTOPILOT-001.*"MPC_XY_CRUISE"/);
    expect(() => new Parameters(rotors, { EKF2_REQ_GPS_H_OR_SO: 4 })).toThrow(/AUTOPILOT-001/);
    expect(() => new Parameters(rotors, { MPC_TILTMAX_AIR: 120 })).toThrow(/AUTOPILOT-002.*from 1 to 89/);
    expect(() => new Parameters(rotors, { MPC_USE_HTE: 0.5 })).toThrow(/whole number/);
    expect(() => new Parameters(rotors, { MPC_XY_P: NaN })).toThrow(/AUTOPILOT-002/);
  });

  it("are bounded by other parameters, and some set several others, as in PX4", () => {
    const p = new Parameters(rotors, { MPC_XY_VEL_MAX: 4, MPC_LAND_ALT1: 3, MPC_Z_VEL_MAX_DN: 0.5 });
    expect(p.get("MPC_XY_CRUISE")).toBe(4);
    expect(p.get("MPC_LAND_ALT1")).toBe(5);
    expect(p.get("MPC_Z_V_AUTO_DN")).toBe(0.5);
    expect(p.get("MPC_LAND_SPEED")).toBe(0.5);
    const all = new Parameters(rotors, { MPC_XY_VEL_ALL: 7, MPC_Z_VEL_ALL: 2, SYS_VEHICLE_RESP: 1 });
    expect(all.get("MPC_XY_CRUISE")).toBe(7);
    expect(all.get("MPC_Z_VEL_MAX_DN")).toBe(1.5);
    expect(all.get("MPC_ACC_HOR")).toBe(15);
    expect(all.get("MPC_TILTMAX_AIR")).toBe(70);
  });

  it("survive a checkpoint with their changes", () => {
    const p = new Parameters(rotors);
    p.set("MPC_XY_CRUISE", 3);
    const fresh = new Parameters(rotors);
    Snapshot.of(p).into(fresh);
    expect(fresh.get("MPC_XY_CRUISE")).toBe(3);
  });

  it("are all read by the code, or allow only one value", () => {
    const get = vi.spyOn(Parameters.prototype, "get");
    const origin = { latDeg: 47, lonDeg: 8, altM: 0 };
    new EmbeddedAutopilot({ periodUs: 4000, rotors, origin }, { preset: "default", gyroFilter: true });
    const read = new Set<string>(get.mock.calls.map(([name]) => name));
    get.mockRestore();
    const unread = Object.entries(PARAMETER_TABLE).filter(([name, { min, max }]) => min !== max && !read.has(name));
    // For multirotors, both allocation methods give the same result.
    expect(unread.map(([name]) => name)).toEqual(["CA_METHOD"]);
  });

  it("have unique names", () => {
    const names = Object.keys(PARAMETER_TABLE);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(100);
  });
});
