/**
 * Branches of flights with PX4 that are rejected before PX4 starts. `time-travel.test.ts` flies a branch with the
 * library.
 */
import { describe, expect, it } from "vitest";
import { mustResolve, resolveFlight, SimError } from "@escapement/core";
import { flyBranchWithPx4 } from "./px4-branch.ts";
import { registry } from "./registry.ts";

async function refusalOf(kind: string): Promise<SimError> {
  const spec = {
    extends: "mission",
    autopilot: { kind },
    sensors: { imu: {}, gnss: {}, barometer: {}, magnetometer: {} },
  };
  const branch = mustResolve(resolveFlight({ file: "test", spec }, registry));
  const parent = { hash: "", recording: undefined, atUs: 0 };
  try {
    await flyBranchWithPx4(branch, parent, branch.settings.outputs);
  } catch (error) {
    if (error instanceof SimError) return error;
  }
  throw new Error("the branch was not rejected");
}

describe("a branch of a flight with PX4", () => {
  it("is rejected for stock PX4, and the error lists alternatives", async () => {
    const { code, what, fix } = await refusalOf("px4-sitl");
    expect(code).toBe("CLI-023");
    expect(what).toContain("does not repeat");
    expect(fix).toContain("branch --save");
  });

  it("needs a recording of the library's flight", async () => {
    expect(await refusalOf("px4-lockstep")).toMatchObject({
      code: "CLI-023",
      fix: expect.stringContaining("--record"),
    });
  });
});
