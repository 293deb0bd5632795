/** The overrides that the flags of `fly` apply to a description, and their order. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { assignedSpec, type Assignment, mustResolve } from "@escapement/core";
import type { FlyFlags } from "./commands/fly.ts";
import { FlightFiles } from "./load/flight-files.ts";
import { registry } from "./registry.ts";
import { assignmentsOf } from "./run.ts";

const folder = mkdtempSync(join(tmpdir(), "escapement-flags-"));
afterAll(() => rmSync(folder, { recursive: true }));
const flags = (over: Partial<FlyFlags>): FlyFlags => ({ set: [], with: [], codegen: true, ...over });
const layerOf = (assignments: readonly Assignment[]) =>
  assignedSpec(assignments, () => ({ spec: {}, filled: undefined }), "command line");

describe("flags of fly", () => {
  it("stock PX4 gets the sensors that it needs; --set and the file override their parameters", async () => {
    const set = ["sensors.gnss.periodS=0.5", "sensors.rangeFinder={}"];
    const assignments = await assignmentsOf(flags({ autopilot: "px4-sitl", set }));
    expect(layerOf(assignments)).toEqual({
      sensors: { imu: {}, magnetometer: {}, barometer: {}, gnss: { periodS: 0.5 }, rangeFinder: {} },
      autopilot: { kind: "px4-sitl" },
    });
    const file = join(folder, "slow.toml");
    writeFileSync(file, 'extends = "hover"\n[sensors.barometer]\nperiodS = 0.1\n[sensors.gnss]\nperiodS = 1\n');
    const { definition } = mustResolve(await new FlightFiles(registry).resolve({ name: file, assignments }));
    const periods = Object.fromEntries(definition.sensors.map(({ kind, params }) => [kind, params["periodS"]]));
    expect(periods).toMatchObject({ barometer: 0.1, gnss: 0.5 });
  });

  it("--autopilot overrides --set, and other autopilots get no sensors", async () => {
    const set = ["autopilot.kind=none", "autopilot.parameters.NAV_ACC_RAD=3"];
    expect(layerOf(await assignmentsOf(flags({ autopilot: "px4-lockstep", set })))).toEqual({
      autopilot: { kind: "px4-lockstep", parameters: { NAV_ACC_RAD: 3 } },
    });
  });
});
