/**
 * Tests requirements with many cases: random texts, random formulas compared with the definition of the margin, and
 * flights that are judged in flight, in their replay, and after they were resumed.
 */
import { expect, it } from "vitest";
import {
  coreRegistry,
  FlightSession,
  flyFlightNow,
  judgeRecording,
  mustResolve,
  type PlainObject,
  resolveFlight,
  SimError,
} from "@escapement/core";
import { parseRequirement } from "../../packages/core/src/requirements/parser.ts";
import { requirement } from "../../packages/core/src/requirements/requirement.ts";
import { Definition } from "../support/requirements/definition.ts";
import { verdictOf } from "../support/requirements/held-signals.ts";
import { RandomRequirements } from "../support/requirements/random-requirements.ts";
import { randomTexts } from "../support/requirements/random-texts.ts";

it("100 000 random texts are read, or rejected with a typed error that has a location and a fix", () => {
  let refused = 0;
  for (const text of randomTexts(100_000, 7)) {
    try {
      requirement(text);
    } catch (error) {
      expect(error, text).toBeInstanceOf(SimError);
      const { code, where, fix } = error as SimError;
      expect(code, text).toMatch(/^REQUIRE-\d{3}$/);
      expect(where.mark?.column, text).toBeGreaterThan(0);
      expect(fix, text).not.toBe("");
      refused += 1;
    }
  }
  expect(refused).toBeGreaterThan(50_000);
});

it("20 000 random requirements have the margin of the definition, bit for bit, even if they are interrupted", () => {
  const random = new RandomRequirements(11);
  for (let i = 0; i < 20_000; i += 1) {
    const flight = random.flight();
    const text = random.text();
    const expected = new Definition(flight).margin(parseRequirement(text)) ?? "untested";
    const found = verdictOf(flight, text);
    if (expected === "untested") expect(found.verdict, text).toBe("untested");
    else expect([found.low, found.high], text).toEqual(expected);
    expect(verdictOf(flight, text, { interruptAt: random.below(flight.timesUs.length) }), text).toEqual(found);
  }
});

const REQUIREMENTS = [
  "never tilt > 20 deg",
  "always altitude > 2 m during 8 s..14 s",
  "positionError < 1 m and groundSpeed < 3 m/s",
  "after takeoff: eventually altitude > 2.4 m",
  "if tilt > 3 deg then within 2 s: tilt < 2 deg",
  "while armed: batteryVoltage[1] > 13 V",
  "for 2 s after gust: altitude - altitude at gust > -1 m",
  "at 9 s: altitude > 1 m until tilt > 4 deg within 3 s",
  "after arming: norm(rateBody) < 300 deg/s",
];

it.each(Array.from({ length: 24 }, (_, i) => i + 1))(
  "[L12.2] flight %i has the same verdicts in flight, in its replay and after it was resumed",
  (seed) => {
    const spec: PlainObject = {
      extends: "hover",
      seed,
      timeline: { endS: 12 },
      vehicle: { extends: "iris", massKg: 1.4 + 0.01 * seed },
      scenario: [{ name: "gust", atS: 9 + seed / 16, forS: 1, gust: { velNedMps: [seed % 7, seed % 5, 0] } }],
      requirements: REQUIREMENTS,
    };
    const resolved = mustResolve(resolveFlight({ file: "flight", spec }, coreRegistry));
    const online = flyFlightNow(resolved);
    expect(judgeRecording(online.recording, REQUIREMENTS)).toEqual(online.verdicts);
    const session = new FlightSession(resolved);
    session.advance();
    expect(session.result().verdicts).toEqual(online.verdicts);
    for (const tUs of [500_000 * seed, 9_000_000 + 62_500 * seed + 4000]) {
      session.rewindTo(Math.min(tUs, 11_900_000));
      session.advance();
      expect(session.result().verdicts).toEqual(online.verdicts);
    }
  },
);
