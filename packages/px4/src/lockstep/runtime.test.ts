/**
 * The foreign-function interface, tested with our own small library: interface checks, parameters, layouts, publishers
 * and subscribers, missions, time, and every way in which a call can fail.
 */
import { SIGNALS, type SimError } from "@escapement/core";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildFixture, noCompiler } from "../testing/fixture-library.ts";
import { ABI_VERSION, loadAbi } from "./abi.ts";
import { LockstepDriver } from "./driver.ts";
import { loadMission, writeItem } from "./mission.ts";
import { REFERENCE_RATES } from "./rates.ts";
import { LockstepRuntime } from "./runtime.ts";

const fixture = noCompiler === undefined ? buildFixture() : undefined;
afterAll(() => fixture?.remove());

let runtime: LockstepRuntime | undefined;
afterEach(() => {
  runtime?.close();
  runtime = undefined;
  setFailure("");
});

/** Sets the variable that the fixture reads with getenv; Node's process.env sets it for the whole process. */
function setFailure(words: string): void {
  process.env.LOCKSTEP_FIXTURE = words;
}

function open(failure = ""): LockstepRuntime {
  setFailure(failure);
  runtime = new LockstepRuntime({ abi: loadAbi(fixture!.path), rates: REFERENCE_RATES });
  return runtime;
}

const origin = { latDeg: 47.397742, lonDeg: 8.545594, altM: 488 };
const item = {
  command: 16,
  frame: "relative" as const,
  p1: 2,
  p2: 3,
  p3: 0,
  p4: Number.NaN,
  latDeg: 47.4,
  lonDeg: 8.5,
  altM: 12,
  autoContinue: true,
};

describe("lockstep library", () => {
  beforeEach(({ skip }) => skip(noCompiler !== undefined, noCompiler));

  it("is rejected if its interface version or sizes differ, or if it is not a library", () => {
    expect(ABI_VERSION).toBe(3);
    setFailure("abi");
    expect(() => loadAbi(fixture!.path)).toThrow(/LOCKSTEP-003.*version 2/);
    setFailure("sizes");
    expect(() => loadAbi(fixture!.path)).toThrow(/LOCKSTEP-003.*0, 0, 40/);
    expect(() => loadAbi(import.meta.filename)).toThrow(/LOCKSTEP-002/);
  });

  it("allows one runtime at a time", () => {
    open();
    expect(() => open()).toThrow(/LOCKSTEP-004/);
    runtime!.close();
    expect(() => open("create-fails")).toThrow(/LOCKSTEP-005/);
    open();
  });

  it("switches autosave off, then sets parameters of both types and reads them", () => {
    const px4 = open();
    // If autosave were still on, the fixture would hang here, like PX4 on Linux.
    px4.setParameter("CA_ROTOR_COUNT", 4);
    px4.setParameter("NAV_ACC_RAD", 2);
    px4.setParameter("MPC_XY_CRUISE", 3.25);
    expect(["CA_ROTOR_COUNT", "NAV_ACC_RAD", "MPC_XY_CRUISE"].map((name) => px4.parameter(name))).toEqual([4, 2, 3.25]);
    px4.applyParameters();
  });

  it("names function, parameter, code and meaning when a parameter is rejected", () => {
    const px4 = open();
    expect(() => px4.setParameter("NO_SUCH", 1)).toThrow(
      /LOCKSTEP-006.*param_set_i32 \(NO_SUCH = 1\) returned -2: unknown parameter/,
    );
    expect(() => px4.setParameter("CA_ROTOR_COUNT", 1.5)).toThrow(
      /param_set_f32 \(CA_ROTOR_COUNT = 1\.5\).*-3: parameter of a different type/,
    );
    const fixOf = (name: string, value: number) => {
      try {
        px4.setParameter(name, value);
      } catch (error) {
        return (error as SimError).fix;
      }
      return "";
    };
    for (const value of [1, 1.5]) expect(fixOf("NO_SUCH", value)).toMatch(/spelling/);
    expect(fixOf("CA_ROTOR_COUNT", 1.5)).toMatch(/whole number/);
    expect([px4.setIfKnown("NO_SUCH", 1), px4.setIfKnown("MPC_XY_CRUISE", 4)]).toEqual([false, true]);
    expect(() => px4.setIfKnown("CA_ROTOR_COUNT", 1.5)).toThrow(/-3/);
    expect(() => px4.parameter("NO_SUCH")).toThrow(/param_get_i32.*-2/);
  });

  it("confirms layouts by hash and size, and rejects other layouts", () => {
    expect(open().layout("vehicle_status").size).toBe(80);
    expect(() => runtime!.layout("no_such_topic")).toThrow(/LOCKSTEP-006.*no_such_topic.*unknown topic/);
    runtime!.close();
    expect(() => open("wrong-hash").publisher("vehicle_status")).toThrow(
      /UORB-002.*0xf779fa64.*0xf779fa65.*PX4_MSG_DIR/s,
    );
    runtime!.close();
    expect(() => open("wrong-size").publisher("vehicle_status")).toThrow(/LOCKSTEP-008.*88 bytes.*80/);
  });

  it("publishes queued messages and returns PX4's messages", () => {
    const px4 = open();
    const position = px4.publisher("vehicle_local_position");
    const motors = px4.subscriber("actuator_motors");
    expect(motors.read()).toBe(false);
    position.message.setF32(position.message.at.z, -5);
    position.publish();
    px4.step(Float64Array.of(4000));
    expect(motors.isUpdated()).toBe(true);
    expect(motors.read()).toBe(true);
    expect(motors.message.f32(motors.message.at.control, 0)).toBeCloseTo(0.5, 6);
    expect(motors.message.f32(motors.message.at.control, 4)).toBeNaN();
    expect(motors.isUpdated()).toBe(false);
    position.message.setF32(position.message.at.z, 0);
    position.publish();
    px4.step(Float64Array.of(8000));
    motors.read();
    expect(motors.message.f32(motors.message.at.control, 0)).toBeCloseTo(0.75, 6);
    expect(motors.message.u64(motors.message.at.timestamp)).toBe(8000);
  });

  it("does not publish PX4's own topics", () => {
    expect(() => open().publisher("vehicle_command")).toThrow(/LOCKSTEP-009/);
  });

  it("steps only forward in time, from above 0, in whole microseconds", () => {
    const px4 = open();
    for (const bad of [0, -4000, 4000.5, Number.NaN]) {
      expect(() => px4.step(Float64Array.of(bad))).toThrow(/LOCKSTEP-007/);
    }
    px4.step(Float64Array.of(4000));
    expect(() => px4.step(Float64Array.of(4000))).toThrow(/LOCKSTEP-007.*4000 µs.*4000 µs/);
    px4.step(Float64Array.of(4001));
  });

  it("reports a failed step with its time and meaning", () => {
    const px4 = open("step-fails:2");
    px4.step(Float64Array.of(4000));
    expect(() => px4.step(Float64Array.of(8000))).toThrow(
      /LOCKSTEP-006.*step_uorb \(at 8000 µs\) returned -3: a message could not be published/,
    );
  });

  it("exchanges all topics in one tick without interference", () => {
    const cell = () => new Float64Array(3);
    const estimate = {
      posNed: Float64Array.of(3, 4, -5),
      velNed: cell(),
      accNed: cell(),
      qBodyToNed: Float64Array.of(1, 0, 0, 0),
      rateBody: cell(),
      rateDotBody: cell(),
      valid: SIGNALS.estValid.values.posZ,
    };
    const driver = new LockstepDriver({
      runtime: open(),
      origin,
      batteries: 2,
      estimate,
      navigatorTicks: 10,
      positionTicks: 2,
      flightTaskTicks: 3,
    });
    const local = runtime!.subscriber("vehicle_local_position");
    const positionsAt = [4, 8, 12, 16].map((ms) => {
      driver.tick(Float64Array.of(10_000_000 + 1000 * ms));
      local.read();
      return local.message.u64(local.message.at.timestamp) - 10_000_000;
    });
    expect(positionsAt).toEqual([4000, 4000, 4000, 16_000]);
    expect(driver.motors.read()).toBe(true);
    expect(driver.takeoffStatus.read()).toBe(true);
    const global = runtime!.subscriber("vehicle_global_position");
    global.read();
    expect(global.message.f64(global.message.at.lat)).toBeCloseTo(47.397742 + 3 / 111_194.93, 9);
    expect(global.message.f32(global.message.at.alt)).toBe(493);
    expect(global.message.u8(global.message.at.lat_lon_valid)).toBe(0);
    expect(global.message.u8(global.message.at.alt_valid)).toBe(1);
    const { at } = local.message;
    const flags = [at.xy_valid, at.z_valid, at.v_xy_valid, at.v_z_valid, at.heading_good_for_control];
    expect(flags.map((flag) => local.message.u8(flag))).toEqual([0, 1, 0, 0, 0]);
    const home = runtime!.subscriber("home_position");
    home.read();
    expect(home.message.u64(home.message.at.timestamp)).toBe(10_004_000);
  });

  it("stores missions exactly, with free headings, hold times and jumps", () => {
    const px4 = open();
    const abi = loadAbi(fixture!.path);
    px4.step(Float64Array.of(10_000_000));
    const jump = { ...item, command: 177, frame: "mission" as const, p1: 1, p2: 3, latDeg: 0, lonDeg: 0, altM: 0 };
    const items = [{ ...item, command: 22 }, item, { ...item, command: 19, p1: 220 }, jump, { ...item, command: 21 }];
    loadMission(px4, abi, { items }, "exact");
    const stored = new Uint8Array(56);
    const view = new DataView(stored.buffer);
    items.forEach((wanted, index) => {
      abi.readStored!(6, index, stored, 56);
      const expected = new DataView(new ArrayBuffer(56));
      writeItem(expected, wanted);
      expect(Buffer.from(stored).toString("hex")).toBe(Buffer.from(expected.buffer).toString("hex"));
    });
    abi.readStored!(6, 2, stored, 56);
    expect([view.getUint16(44, true), view.getFloat32(16, true)]).toEqual([19, 220]);
    expect(view.getFloat32(28, true)).toBeNaN();
    abi.readStored!(6, 3, stored, 56);
    expect([view.getInt16(46, true), view.getUint16(48, true), view.getUint16(52, true) & 15]).toEqual([1, 3, 2]);
  });

  it("converts a mission for the plain reader: loiter times become holds, and headings follow the legs", () => {
    const px4 = open();
    const abi = loadAbi(fixture!.path);
    px4.step(Float64Array.of(10_000_000));
    const items = [item, { ...item, command: 19, p1: 220, lonDeg: 8.6 }];
    loadMission(px4, abi, { items }, "reader");
    const stored = new DataView(new ArrayBuffer(56));
    abi.readStored!(6, 1, new Uint8Array(stored.buffer), 56);
    expect([stored.getUint16(44, true), stored.getFloat32(16, true)]).toEqual([16, 220]);
    expect(stored.getFloat32(28, true)).toBeCloseTo(Math.PI / 2, 6);
    expect(() => loadMission(px4, abi, { items: [{ ...item, command: 178 }] }, "reader")).toThrow(
      /LOCKSTEP-011.*178.*exact/s,
    );
    expect(() => loadMission(px4, abi, { items: [{ ...item, command: 18 }] }, "exact")).toThrow(
      /LOCKSTEP-011.*fixed-wing/s,
    );
  });

  it("does not write into a store with a different layout", () => {
    const px4 = open("other-store");
    px4.step(Float64Array.of(10_000_000));
    expect(() => loadMission(px4, loadAbi(fixture!.path), { items: [item] }, "exact")).toThrow(
      /LOCKSTEP-011.*unexpected format/,
    );
  });
});
