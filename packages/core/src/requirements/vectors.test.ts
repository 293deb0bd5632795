/** Twenty-three requirements judged by hand. */
import { describe, expect, test } from "vitest";
import { type HeldFlight, verdictOf } from "../../../../tests/support/requirements/held-signals.ts";
import type { VerdictWord } from "./verdict.ts";

const seconds = (...times: number[]) => times.map((s) => Math.round(s * 1e6));

const FLIGHT: HeldFlight = {
  timesUs: seconds(0, 1, 2, 3, 4, 5),
  signals: {
    altitude: { unit: "m", values: [0, 3, 5, 4, 1, 2] },
    tilt: { unit: "deg", values: [5, 40, 20, 10, 30, 15] },
    landed: { unit: "flag", values: [0, 0, 0, 0, 0, 0] },
  },
  events: { motorOff: seconds(1), gust: [] },
};

const UNTIL: HeldFlight = {
  timesUs: seconds(0, 1, 2, 3),
  signals: { x: { unit: "", values: [1, 2, -1, 4] }, y: { unit: "", values: [-3, -1, 2, -2] } },
};

const SHORT: HeldFlight = {
  timesUs: seconds(0, 1, 1.3),
  signals: { x: { unit: "", values: [1, 2, 9] } },
};

const STILL: HeldFlight = {
  timesUs: seconds(0, 1),
  signals: { altitude: { unit: "m", values: [0, 0] } },
};

type Row = readonly [
  id: string,
  flight: HeldFlight,
  text: string,
  low: number,
  high: number,
  verdict: VerdictWord,
  atS: number | undefined,
];

const ROWS: readonly Row[] = [
  ["V1", FLIGHT, "always altitude > -1 m", 1, 1, "holds", 0],
  ["V2", FLIGHT, "always altitude > 0 m", -0, -0, "violated", 0],
  ["V3", FLIGHT, "always altitude >= 0 m", 0, 0, "holds", 0],
  ["V4", FLIGHT, "always altitude > 2 m during 1 s..3 s", 1, 1, "holds", 1],
  ["V5", FLIGHT, "always altitude > 2 m during 1 s..4 s", -1, -1, "violated", 4],
  ["V6", FLIGHT, "always altitude > 2 m during 1 s..3.999999 s", 1, 1, "holds", 1],
  ["V7", FLIGHT, "eventually altitude > 4 m during 0 s..2 s", 1, 1, "holds", 2],
  ["V8", FLIGHT, "eventually altitude > 4 m during 0 s..1.5 s", -1, -1, "violated", 1],
  ["V9", FLIGHT, "never tilt > 45 deg", 5, 5, "holds", 1],
  ["V10", FLIGHT, "always (altitude > 2 m and tilt < 45 deg) during 1 s..3 s", 0.5, 0.5, "holds", 1],
  ["V11", FLIGHT, "within 2 s after motorOff: tilt < 15 deg", 5, 5, "holds", 3],
  ["V12", FLIGHT, "within 1.9 s after motorOff: tilt < 15 deg", -5, -5, "violated", 2],
  ["V13", FLIGHT, "for 2 s after motorOff: tilt < 45 deg", 5, 5, "holds", 1],
  ["V14", FLIGHT, "within 5 s after motorOff: tilt < 5 deg", -5, Infinity, "undecided", 3],
  ["V15", FLIGHT, "for 5 s after motorOff: tilt < 25 deg", -Infinity, -15, "violated", 1],
  ["V16", UNTIL, "at 0 s: x > 0 until y > 0 within 3 s", 1, 1, "holds", 0],
  ["V17", UNTIL, "at 0 s: x > 0 until y > 0 within 1.5 s", -1, -1, "violated", 1],
  ["V18", FLIGHT, "if tilt > 35 deg then within 2 s: for 1 s: tilt < 25 deg", 5, 5, "holds", 2],
  ["V19", FLIGHT, "after motorOff: altitude - altitude at motorOff > -3 m", 1, 1, "holds", 4],
  ["V20", FLIGHT, "within 2 s after gust: tilt < 15 deg", Infinity, Infinity, "untested", undefined],
  ["V21", FLIGHT, "eventually landed", -Infinity, -Infinity, "violated", 0],
  ["V22", SHORT, "always x < 5 during 1.2 s..1.25 s", 3, 3, "holds", 1.2],
  ["V22", SHORT, "always x < 5 during 1.2 s..1.3 s", -4, -4, "violated", 1.3],
  ["V23", STILL, "altitude > 0 m or altitude <= 0 m", 0, 0, "holds", 0],
];

/** 0 / 0 is NaN. */
const NOT_A_NUMBER: HeldFlight = {
  timesUs: seconds(0, 1),
  signals: {
    x: { unit: "", values: [0, 0] },
    y: { unit: "", values: [0, 0] },
    armed: { unit: "flag", values: [0, 0] },
    landed: { unit: "flag", values: [0, 0] },
  },
};

describe("requirements judged by hand", () => {
  test.each(ROWS)("%s", (_id, flight, text, low, high, verdict, atS) => {
    const found = verdictOf(flight, text);
    expect({ low: found.low, high: found.high, verdict: found.verdict }).toEqual({ low, high, verdict });
    expect(found.binding?.tUs).toBe(atS === undefined ? undefined : Math.round(atS * 1e6));
  });

  test.each([
    ["always altitude > 2 m during 1 s..4 s", [1e6, 4e6]],
    ["at 2 s: altitude > 2 m", [2e6, 2e6]],
    ["at 2 s: always altitude > 0 m", [2e6, 5e6]],
    ["within 2 s after motorOff: tilt < 15 deg", [1e6, 3e6]],
    ["from 1 s to 2 s after motorOff: tilt < 15 deg", [2e6, 3e6]],
    ["for 1 s after (altitude > 4 m): tilt < 25 deg", [2e6, 3e6]],
    ["after motorOff: altitude > 0 m", [1e6, 5e6]],
    ["before motorOff: altitude >= 0 m", [0, 1e6]],
    ["never tilt > 45 deg", undefined],
    ["while altitude > 2 m: tilt < 45 deg", undefined],
  ])("%s is decided in the window %j", (text, windowUs) => {
    expect(verdictOf(FLIGHT, text).windowUs).toEqual(windowUs);
  });

  test("the binding predicate is shown in its own unit if the units are mixed", () => {
    const found = verdictOf(FLIGHT, "always (altitude > 2 m and tilt < 45 deg) during 1 s..3 s");
    expect(found.unit).toBeUndefined();
    expect(found.binding).toEqual({ predicate: "tilt < 45 deg", tUs: 1e6, margin: 5, unit: "deg", value: 40 });
  });

  test.each(ROWS)("%s is the same if the monitor is saved and loaded before any one sample", (_id, flight, text) => {
    const whole = verdictOf(flight, text);
    for (const row of flight.timesUs.keys()) expect(verdictOf(flight, text, { interruptAt: row })).toEqual(whole);
  });

  test.each([
    ["always x / y >= 1", false],
    ["always x / y > 1", false],
    ["always x / y <= 1", false],
    ["always x / y < 1", false],
    ["always armed / landed == 1", false],
    ["always armed / landed != 1", true],
    ["always not (armed / landed == 1)", true],
  ])("with NaN, %s: %s, as in IEEE 754", (text, holds) => {
    const margin = holds ? Infinity : -Infinity;
    const verdict = holds ? "holds" : "violated";
    expect(verdictOf(NOT_A_NUMBER, text)).toMatchObject({ low: margin, high: margin, verdict });
  });
});
