/**
 * Which flights with the PX4 library are rejected before their process starts, and which custom parts such flights may
 * use.
 */
import { describe, expect, it } from "vitest";
import { mustResolve, type Kinds, type PlainObject, resolveFlight } from "@escapement/core";
import { registry } from "./registry.ts";
import { checkLibraryFlight, sitlOptions } from "./px4.ts";

const still = registry.winds.find(({ name }) => name === "none")!;

function check(spec: PlainObject, own: Partial<Kinds> = {}): () => void {
  const parts = registry.with(own);
  const flight = { extends: "mission", autopilot: "px4-lockstep", ...spec };
  const resolved = mustResolve(resolveFlight({ file: "test", spec: flight }, parts));
  return () => checkLibraryFlight(resolved, parts, resolved.settings.outputs);
}

describe("a flight with the PX4 library", () => {
  it("cannot be paced", () => {
    expect(check({})).not.toThrow();
    expect(check({ outputs: { paceX: 1 } })).toThrow(/CLI-012.*cannot be paced.*outputs\.paceX/);
  });

  it("cannot use custom parts, not even under the name of a built-in one", () => {
    const mine = { winds: [{ ...still, name: "mine" }] };
    expect(check({ wind: "mine" }, mine)).toThrow(/CLI-012.*"mine" is a custom part.*wind/);
    expect(check({ wind: "none" }, { winds: [{ ...still }] })).toThrow(/CLI-012.*"none"/);
    const { sensors } = registry;
    const imu = { ...sensors.find(({ name }) => name === "imu")! };
    expect(check({ sensors: { imu: {} } }, { sensors: [imu] })).toThrow(/CLI-012.*sensors\.imu/);
  });

  it("can use custom vehicles, and ignores custom parts that the flight does not name", () => {
    const own = { winds: [{ ...still, name: "mine" }], vehicles: { heavy: { extends: "iris", massKg: 1.9 } } };
    expect(check({ vehicle: "heavy", wind: "none" }, own)).not.toThrow();
  });
});

describe("flags for stock PX4", () => {
  it("become run options", () => {
    expect(sitlOptions({}, "embedded", false)).toEqual({});
    expect(sitlOptions({ px4Instance: "3", px4ReplyMs: "900", px4Log: "own.ulg" }, "px4-sitl", true)).toEqual({
      instance: 3,
      limits: { replyMs: 900 },
      logFile: "own.ulg",
    });
    expect(sitlOptions({ px4Attach: true }, "px4-sitl", false)).toEqual({ program: false });
  });

  it("are rejected for a different autopilot, out of range, and if PX4's log cannot be found", () => {
    expect(() => sitlOptions({ px4Attach: true }, "embedded", false)).toThrow(/CLI-018.*--px4-attach.*embedded/);
    for (const px4Instance of ["10", "-1", "x", "", "1.5"]) {
      expect(() => sitlOptions({ px4Instance }, "px4-sitl", false)).toThrow(/CLI-018.*whole number from 0 to 9/);
    }
    expect(() => sitlOptions({ px4ReplyMs: "2000" }, "px4-sitl", false)).toThrow(/CLI-018.*from 1 to 1000/);
    expect(() => sitlOptions({ px4Log: "a.ulg", px4Attach: true }, "px4-sitl", false)).toThrow(
      /CLI-018.*omit --px4-log/,
    );
  });
});
