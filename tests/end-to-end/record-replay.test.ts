/**
 * Recording a flight to a file and replaying it gives the recorded motion of the plant bit for bit. The tests replay
 * the start of every built-in flight, and one flight with every integrator. The long suite replays the whole flights
 * with every integrator.
 */
import { describe, expect, it } from "vitest";
import { firstDifference, replayFlight } from "@escapement/core";
import { EARLY_TAKE_OFF } from "../support/early-take-off.ts";
import { FLIGHTS, flyBuiltIn, INTEGRATORS, throughBytes } from "../support/recordings.ts";
import { isFullVolume } from "../support/volume.ts";

const STAGES = ["scenario", "wind", "estimator", "autopilot"] as const;

describe("[L9.6] record and replay agree", () => {
  it.each(FLIGHTS)("from the start of %s", async (name) => {
    const { recording } = flyBuiltIn(name, { timeline: { endS: 2.5 } });
    const read = await throughBytes(recording);
    expect(firstDifference(recording, read)).toBeUndefined();
    expect(read.digests).toEqual(recording.digests);
    expect(replayFlight(read)).toMatchObject({ reproduces: true, changed: [] });
  });

  it.each(INTEGRATORS)("in the air with %s, and with every source live", async (kind) => {
    const isAdaptive = kind === "rk23" || kind === "rk45";
    const { recording } = flyBuiltIn("mission", {
      ...EARLY_TAKE_OFF,
      integrator: { kind },
      timeline: { endS: 2.6, ...(isAdaptive ? { physicsPeriodS: 0 } : {}) },
      scenario: [{ when: "altitudeM > 0.5", gust: { velNedMps: [3, 0, 0] }, forS: 0.4021 }],
    });
    const read = await throughBytes(recording);
    expect(replayFlight(read).reproduces).toBe(true);
    // In `npm test`, each integrator runs one stage live, and all stages together; in the long tests, every stage.
    const chosen = isFullVolume ? STAGES : [STAGES[INTEGRATORS.indexOf(kind) % STAGES.length]!];
    for (const live of [...chosen.map((stage) => [stage]), STAGES]) {
      expect([live, replayFlight(read, { live }).reproduces]).toEqual([live, true]);
    }
  });
});
