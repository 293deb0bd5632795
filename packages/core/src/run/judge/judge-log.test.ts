/** Tests requirements on logs: values held between samples, unknown values, and substitutes for the true state. */
import { describe, expect, it } from "vitest";
import { judgeLog } from "./judge-log.ts";
import type { LoggedFlight, LoggedSignal } from "./logged-flight.ts";

const S = 1e6;

function signal(timesS: readonly number[], rows: readonly (readonly number[])[]): LoggedSignal {
  const timesUs = Float64Array.from(timesS, (t) => t * S);
  return { timesUs, size: rows[0]!.length, values: Float64Array.from(rows.flat()) };
}

function logOf(signals: Readonly<Record<string, LoggedSignal>>): LoggedFlight {
  return { find: (name) => signals[name], placeOf: (name) => `the topic of ${name}` };
}

const down = (...heights: readonly number[]) => heights.map((height) => [0, 0, -height]);
const FLAT = logOf({
  estPosNed: signal([0.5, 1, 2, 3, 4], down(0, 2, 6, NaN, 1)),
  estVelNed: signal([0.5, 1, 2, 3, 4], down(0, 1, 1, 1, 0)),
  landDetected: signal([0, 1, 4], [[3], [0], [3]]),
  armed: signal([0, 0.8, 4.2], [[0], [1], [0]]),
  batteryVoltage: signal(
    [0, 2],
    [
      [12, 11.5],
      [11, 11.8],
    ],
  ),
});

const judged = (text: string, log = FLAT) => judgeLog(log, [text])[0]!;

describe("[L12.3] a log", () => {
  it.each([
    ["eventually altitude > 5 m", "holds", 1, 2],
    ["eventually altitude > 3 m during 1 s..1.9 s", "violated", -1, 1],
    ["always altitude < 5 m", "violated", -1, 2],
    ["while armed: batteryVoltage[1] >= 11 V", "holds", 0, 2],
    ["within 1 s after takeoff: altitude > 4 m", "holds", 2, 2],
    ["after touchdown: altitude < 3 m", "holds", 2, 4],
    ["altitude at takeoff < 3 m", "holds", 1, 1],
  ])("%s: %s", (text, verdict, margin, atS) => {
    const found = judged(text);
    expect([found.verdict, found.verdict === "violated" ? found.high : found.low, found.binding!.tUs / S]).toEqual([
      verdict,
      margin,
      atS,
    ]);
  });

  it("leaves a requirement undecided if a value that matters is invalid", () => {
    expect(judged("always altitude > -1 m")).toMatchObject({ verdict: "undecided", low: -Infinity, high: 1 });
    expect(judged("always altitude > -1 m").note).toContain("invalid or not logged");
    expect(judged("eventually altitude > 7 m")).toMatchObject({ verdict: "undecided", high: Infinity, low: -1 });
    // The negation of an unknown comparison is unknown too.
    expect(judged("always not altitude > 9 m").verdict).toBe("undecided");
    expect(judged("always ((altitude > 9 m) or armed) during 3 s..3.5 s").verdict).toBe("holds");
    expect(judged("at 1 s: not (altitude < 8 m until altitude > 20 m)").verdict).toBe("undecided");
  });

  it("has no values before the first sample", () => {
    expect(judged("always altitude < 3 m during 0.5 s..1 s").verdict).toBe("holds");
    expect(judged("always altitude < 3 m during 0.4 s..1 s").verdict).toBe("undecided");
    expect(judged("eventually altitude > 1 m during 0 s..1 s").verdict).toBe("holds");
    expect(judged("at 0 s: altitude < 3 m").verdict).toBe("undecided");
  });

  it("has no values after its last sample", () => {
    expect(judged("for 2 s after takeoff: armed").verdict).toBe("holds");
    expect(judged("for 20 s after takeoff: altitude < 7 m").verdict).toBe("undecided");
  });

  it("has a note if estimates replace the true state, and the longest time between its samples", () => {
    expect(judged("eventually altitude > 5 m").note).toBe("the state is the estimate of the autopilot");
    expect(judged("eventually altitude > 5 m").longestSampleGapUs).toBe(S);
    expect(judged("eventually armed").longestSampleGapUs).toBe(3.4 * S);
    const exact = logOf({ posNed: signal([0, 1], down(1, 2)), estPosNed: signal([0, 1], down(9, 9)) });
    expect(judged("eventually altitude > 5 m", exact)).toMatchObject({ verdict: "violated", high: -3 });
    expect(judged("eventually altitude > 5 m", exact).note).toBeUndefined();
  });

  it.each([
    ["never tilt > 20 deg", "tilt needs qBodyToNed, which the log does not have; log the topic of qBodyToNed or"],
    ["never windNed.n > 2 m/s", "the log has no windNed; log the topic of windNed"],
    [
      "never impact > 1 m/s",
      "impact needs contactForceNed, which the log does not have; log the topic of contactForceNed",
    ],
    ["after missionItem 2: landed", "missionItem 2 needs missionReached"],
    ["batteryVoltage[3] > 10 V", "there is no batteryVoltage[3]"],
  ])("%s is undecided, because the log has no such value", (text, note) => {
    const found = judged(text);
    expect(found.verdict).toBe("undecided");
    expect(found.note).toContain(note);
  });

  it("has no events of a scenario", () => {
    expect(() => judged("within 2 s after engineOut: landed")).toThrow(
      expect.objectContaining({ code: "REQUIRE-005", fix: "use one of: takeoff, touchdown, arming, disarming" }),
    );
  });
});
