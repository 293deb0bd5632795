/** Verdicts of flights have the same bits online, in a replay and after a resume, and judging changes no flight. */
import { describe, expect, it } from "vitest";
import { coreRegistry } from "../../describe/registry.ts";
import { mustResolve, resolveFlight } from "../../describe/resolve/resolve.ts";
import { parseMeasure } from "../../requirements/measure.ts";
import { flyFlightNow } from "../fly-flight.ts";
import { judgeRecording } from "./judge-recording.ts";
import { FlightSession } from "../session/session.ts";

const REQUIREMENTS = [
  "never tilt > 60 deg",
  "always altitude > 2 m during 6 s..9 s",
  "within 3 s after motorLoss: tilt < 5 deg",
  "for 2 s after weak: altitude - altitude at weak > -3 m",
  "after takeoff: eventually altitude > 2.4 m",
  "if tilt > 3 deg then within 2 s: tilt < 2 deg",
  "while armed: batteryVoltage[1] > 13 V",
  "within 60 s after weak: landed",
  "within 1 s after gust: tilt < 1 deg",
  "after arming: norm(rateBody) < 300 deg/s",
];

const SPEC = {
  extends: "hover",
  timeline: { endS: 9 },
  scenario: [
    { name: "weak", atS: 7, forS: 0.5, motorLoss: { motor: 2, gain: 0.8 } },
    { name: "high", when: "altitudeM > 1.5", forS: 0.2, gust: { velNedMps: [1, 0, 0] } },
  ],
};

function resolve(spec: object) {
  return mustResolve(resolveFlight({ file: "flight", spec: spec as never }, coreRegistry));
}

describe("a judged flight", () => {
  const plain = flyFlightNow(resolve(SPEC));
  const judged = flyFlightNow(resolve({ ...SPEC, requirements: REQUIREMENTS }));

  it("[L12.1] has the bits of the flight without requirements, and the same hash", () => {
    expect(judged.digests).toEqual(plain.digests);
    expect(judged.resolved.hash).toBe(plain.resolved.hash);
    expect(judged.end.boundaries).toBe(plain.end.boundaries);
    expect(judged.resolved.judged.hash).not.toBe(plain.resolved.judged.hash);
  });

  it("has one verdict per requirement", () => {
    expect(judged.verdicts.map(({ text }) => text)).toEqual(REQUIREMENTS);
    expect(new Set(judged.verdicts.map(({ verdict }) => verdict))).toContain("undecided");
    expect(judged.verdicts[0]).toMatchObject({ verdict: "holds", unit: "deg", longestSampleGapUs: 4000 });
    expect(judged.verdicts[8]!.verdict).not.toBe("untested");
  });

  it("[L12.2] has the same verdicts in a replay, bit for bit", () => {
    expect(judgeRecording(plain.recording, REQUIREMENTS)).toEqual(judged.verdicts);
    expect(plain.judge(REQUIREMENTS[2]!)).toEqual(judged.verdicts[2]);
  });

  it("has the same verdicts without code generated for its vehicle", () => {
    const asWritten = flyFlightNow(resolve({ ...SPEC, requirements: REQUIREMENTS }), coreRegistry, {
      codegen: false,
    });
    expect(asWritten.verdicts).toEqual(judged.verdicts);
  });

  it("[L12.2] has the same verdicts if it is resumed from a checkpoint", () => {
    const session = new FlightSession(resolve({ ...SPEC, requirements: REQUIREMENTS }));
    session.advance();
    const whole = session.result().verdicts;
    expect(whole).toEqual(judged.verdicts);
    for (const tUs of [1_002_000, 7_100_000]) {
      session.rewindTo(tUs);
      session.advance();
      expect(session.result().verdicts).toEqual(whole);
    }
  });

  it("[L12.3] is undecided about times that were not flown", () => {
    const { verdict, low, high } = plain.judge("always altitude > 2 m during 8 s..20 s");
    expect({ verdict, low }).toEqual({ verdict: "undecided", low: -Infinity });
    expect(high).toBeGreaterThan(0);
  });

  it("has measures", () => {
    const measures = ["max tilt", "time of weak", "count of high", "first time altitude > 1 m"].map((text) =>
      parseMeasure(text),
    );
    const { measures: found, extremes } = flyFlightNow(resolve(SPEC), coreRegistry, {
      measures,
    });
    expect(found[0]!.value).toBeGreaterThanOrEqual(extremes.tiltMaxDeg);
    expect(found[1]).toEqual({ name: "time of weak", text: "time of weak", unit: "s", value: 7 });
    expect(found[2]!.value).toBe(1);
    expect(found[3]!.value).toBeGreaterThan(0);
  });
});

describe("requirements in a description", () => {
  it("alsoRequire adds to the requirements of the extended flight", () => {
    const below = { extends: "hover", requirements: ["never tilt > 60 deg"] };
    const resolution = resolveFlight(
      { file: "top", spec: { extends: "below", alsoRequire: ["altitude > -1 m"] } },
      coreRegistry,
      (name) => (name === "below" ? { file: "below", spec: below } : { file: name, spec: coreRegistry.flights[name]! }),
    );
    expect(mustResolve(resolution).judged.requirements.map(({ text }) => text)).toEqual([
      "never tilt > 60 deg",
      "altitude > -1 m",
    ]);
  });

  it.each([
    [["always altitude > 2"], "REQUIRE-003", "requirements[0]"],
    [["landed", { text: "altitud > 2 m" }], "REQUIRE-002", "requirements[1].text"],
    [["within 2 s after motrOff: landed"], "REQUIRE-005", "requirements[0]"],
    [["batteryVoltage[3] > 12 V"], "REQUIRE-011", "requirements[0]"],
    [["pitotPressure > 1 Pa"], "REQUIRE-011", "requirements[0]"],
    [["landed", "landed"], "REQUIRE-012", "requirements[1]"],
    [[{ text: "landed", severety: "warning" }], "FLIGHT-002", "requirements[0].severety"],
    [[3], "FLIGHT-004", "requirements[0]"],
    ["landed", "FLIGHT-008", "requirements"],
  ])("%j is rejected with %s", (requirements, code, key) => {
    const { errors } = resolveFlight({ file: "f", spec: { ...SPEC, requirements } as never }, coreRegistry);
    expect(errors.map((error) => [error.code, error.where.key])).toEqual([[code, key]]);
  });
});
