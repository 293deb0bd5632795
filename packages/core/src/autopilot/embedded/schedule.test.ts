/** Tests the schedule: presets, other tick lengths, and rejection of periods that are not whole ticks. */
import { describe, expect, it } from "vitest";
import { makeSchedule } from "./schedule.ts";

describe("schedule", () => {
  it("runs navigator and position control every 52 and 12 ms from the second tick for PX4's library, by default every 48 and 8 ms", () => {
    const library = makeSchedule({ tickUs: 4000, preset: "px4-library" });
    expect(library.navigator).toEqual({ period: 13, phase: 1 });
    expect(library.position).toEqual({ period: 3, phase: 1 });
    expect(library.trajectory).toEqual({ period: 1, phase: 0 });
    const usual = makeSchedule({ tickUs: 4000, preset: "default" });
    expect(usual.navigator).toEqual({ period: 12, phase: 0 });
    expect(usual.trajectory).toEqual({ period: 5, phase: 0 });
    expect(usual.position).toEqual({ period: 2, phase: 0 });
    expect(usual.landDetector).toEqual({ period: 5, phase: 0 });
  });

  it("rounds default periods to the nearest multiple of a different tick", () => {
    const slow = makeSchedule({ tickUs: 20000, preset: "default" });
    expect(slow.position.period).toBe(1);
    expect(slow.navigator.period).toBe(2);
  });

  it("rejects a requested period that is not a multiple of the tick, and names the two nearest", () => {
    expect(() => makeSchedule({ tickUs: 4000, preset: "default", periodsS: { position: 0.01 } })).toThrow(
      /AUTOPILOT-003.*0\.008 s or 0\.012 s/,
    );
    expect(() => makeSchedule({ tickUs: 4000, preset: "default", periodsS: { position: 0.001 } })).toThrow(/0\.004 s/);
    expect(() => makeSchedule({ tickUs: 4000, preset: "default", phases: { position: 0.5 } })).toThrow(/whole number/);
    expect(makeSchedule({ tickUs: 4000, preset: "default", periodsS: { position: 0.012 } }).position.period).toBe(3);
  });
});
