/**
 * Tests with a real stock PX4: it becomes ready, arms, accepts the mission, flies and lands in strict lockstep.
 * Skipped, with the reason, if PX4_SITL_BIN is not set. No exact numbers: stock PX4 is not repeatable.
 */
import { coreRegistry, mustResolve, resolveFlight } from "@escapement/core";
import type { PlainObject } from "@escapement/core";
import { beforeEach, describe, expect, it } from "vitest";
import { px4Kinds } from "../kinds.ts";
import { NAV_STATE } from "../modes.ts";
import { flySitl } from "./fly-sitl.ts";

const isHere = (process.env.PX4_SITL_BIN ?? "") !== "";
const registry = coreRegistry.with(px4Kinds);

function fly(over: PlainObject) {
  const sensors = { imu: {}, magnetometer: {}, barometer: {}, gnss: {} };
  const spec = { extends: "mission", autopilot: "px4-sitl", sensors, ...over };
  return flySitl(mustResolve(resolveFlight({ file: "test", spec }, registry)), { registry });
}

describe("a real stock PX4", () => {
  beforeEach(({ skip }) => skip(!isHere, "PX4_SITL_BIN is not set"));

  it(
    "flies missions to their end, several vehicles side by side, without a missed answer",
    { timeout: 300_000 },
    async () => {
      const flights = await Promise.all([fly({ seed: 1 }), fly({ seed: 2 })]);
      for (const { flight, report } of flights) {
        expect(flight.outcome).toBe("completed");
        expect(flight.signal("missionFinished").values.at(-1)).toBe(1);
        expect(report.frames).toBeGreaterThan(10_000);
        expect(report.missed).toBe(0);
        expect(report.readyAtS).toBeGreaterThan(0);
      }
      expect(flights[0].report.instance).not.toBe(flights[1].report.instance);
    },
  );

  it("holds where a leg of the mission enters what its fence excludes", { timeout: 300_000 }, async () => {
    const items = [{ takeoff: { altitudeM: 10 } }, { waypoint: { northM: 60, altitudeM: 10 } }, { land: true }];
    const middle = { latDeg: 47.397742 + 30 / 111_195, lonDeg: 8.545594 };
    const fence = { circles: [{ ...middle, radiusM: 8, inclusion: false }] };
    const { flight } = await fly({ mission: { items, fence }, timeline: { endS: 60 } });
    expect(flight.signal("navState").values.at(-1)).toBe(NAV_STATE.hold);
    const [north] = flight.signal("posNed").at(60);
    expect(north).toBeGreaterThan(20);
    expect(north).toBeLessThan(40);
  });

  it("lands when satellite navigation fails in flight, and goes on when it is back", { timeout: 300_000 }, async () => {
    const scenario = [{ atS: 25, forS: 10, sensorFault: { sensor: "gnss", fault: "drop-out" } }];
    const { flight } = await fly({ scenario });
    expect([...flight.signal("navState").values]).toContain(NAV_STATE.land);
    expect(flight.outcome).toBe("completed");
  });
});
