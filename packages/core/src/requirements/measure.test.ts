/** Measures of hand-made flights. */
import { expect, test } from "vitest";
import { parseMeasure } from "./measure.ts";
import { type HeldFlight, judgeHeld } from "../../../../tests/support/requirements/held-signals.ts";

const FLIGHT: HeldFlight = {
  timesUs: [0, 1e6, 2e6, 4e6],
  signals: { altitude: { unit: "m", values: [0, 3, -1, 5] }, landed: { unit: "flag", values: [1, 0, 0, 0] } },
  events: { kick: [1e6, 4e6], gust: [] },
};

test.each([
  ["max altitude", 5],
  ["min altitude", -1],
  ["final altitude", 5],
  // The altitude is 0 m for 1 s, 3 m for 1 s and −1 m for 2 s.
  ["mean altitude", 0.25],
  ["rms altitude", Math.sqrt((9 + 2) / 4)],
  ["max altitude during 500 ms..900 ms", 0],
  ["max altitude during 1.5 s..3 s", 3],
  ["mean altitude during 1.5 s..2.5 s", 1],
  ["final altitude during 0 s..3 s", -1],
  ["max altitude during 5 s..6 s", null],
  ["max (altitude - altitude at kick)", 0],
  ["min altitude - altitude at kick", -4],
  ["max altitude at gust", null],
  ["first time altitude > 2 m", 1],
  ["first time (for 1 s: altitude < 2 m)", 2],
  ["first time (for 9 s: altitude < 2 m)", null],
  ["first time landed", 0],
  ["time of kick", 1],
  ["time of gust", null],
  ["count of kick", 2],
  ["count of (altitude > 2 m)", 2],
] as const)("%s is %d", (text, expected) => {
  const measures = [parseMeasure(text, "m")];
  for (const interruptAt of [-1, 0, 1, 2, 3]) {
    const [found] = judgeHeld(FLIGHT, { requirements: [], measures }, { interruptAt }).measureResults();
    expect(found!.value, String(interruptAt)).toBe(expected);
  }
});

test("a measure has the unit of its value", () => {
  expect(parseMeasure("max altitude").unit).toBe("m");
  expect(parseMeasure("count of takeoff").unit).toBe("");
  expect(parseMeasure("first time landed").unit).toBe("s");
});
