/**
 * Replay and comparison: the recorded configuration reproduces the plant, changes are listed, and integrators are
 * ranked.
 */
import { describe, expect, it } from "vitest";
import { flyNow, type Observer } from "../../engine/index.ts";
import { firstDifference, type Recording, recordingUntil, ulpsBetween } from "../../record/index.ts";
import { codeOf } from "../../../../../tests/support/flights.ts";
import { assemble } from "../assemble.ts";
import { compareReplays } from "./compare.ts";
import { flyFlightNow } from "../fly-flight.ts";
import { coreRegistry } from "../../describe/registry.ts";
import { type DigestMark, replayFlight } from "./replay-flight.ts";
import type { ChosenKind } from "../../describe/definition/definition.ts";
import { mustResolve, resolveFlight } from "../../describe/resolve/resolve.ts";

const spec = {
  extends: "mission",
  timeline: { endS: 6 },
  scenario: [{ atS: 5.003, forS: 0.3, gust: { velNedMps: [4, 0, 0] } }],
};
const fly = (extra: object = {}) =>
  flyFlightNow(mustResolve(resolveFlight({ file: "test", spec: { ...spec, ...extra } }, coreRegistry)));
const integrator = (name: string, params: object = {}): ChosenKind => {
  const kind = { kind: name, ...params };
  return mustResolve(resolveFlight({ file: "test", spec: { integrator: kind } }, coreRegistry)).definition.integrator;
};

/** Returns the plant digest at every whole second, as a recording file contains it. */
function marksOf(recording: Recording): DigestMark[] {
  const { definition } = mustResolve(resolveFlight({ file: "test", spec }, coreRegistry));
  const marks: DigestMark[] = [];
  const watch: Observer = {
    observe: ({ frame }) => {
      if (frame[0]! % 1e6 === 0) marks.push([frame[0]!, fingerprint.result().plant]);
    },
    save: () => {},
    load: () => {},
  };
  const { flight, fingerprint: made } = assemble(definition, coreRegistry, { observers: [watch] });
  const fingerprint = made!;
  flyNow(flight);
  expect(fingerprint.result().plant).toBe(recording.digests.plant);
  return marks;
}

describe("replay", () => {
  const flight = fly();

  it("reproduces the recorded plant bit for bit, and reports it", () => {
    const result = replayFlight(flight.recording);
    expect(result).toMatchObject({ reproduces: true, changed: [], plantDigest: flight.recording.digests.plant });
  });

  it.each(["scenario", "wind", "estimator", "autopilot"] as const)("reproduces it with the %s live", (stage) => {
    expect(replayFlight(flight.recording, { live: [stage] }).reproduces).toBe(true);
  });

  it("names the changed parts", () => {
    const result = replayFlight(flight.recording, { integrator: integrator("rk45") });
    expect(result.reproduces).toBe(false);
    expect(result.changed).toEqual(["integrator"]);
  });

  it("rejects a vehicle with other parts, even if its state has the same layout", () => {
    const { vehicle } = mustResolve(resolveFlight({ file: "test", spec }, coreRegistry)).definition;
    const changes = { vehicle: { ...vehicle, buses: [...vehicle.buses, { ...vehicle.buses[0]!, name: "spare" }] } };
    expect(codeOf(() => replayFlight(flight.recording, { changes }))).toBe("RECORD-007");
  });

  it("finds when the bits begin to differ, from the digests at the marks", () => {
    const marks = marksOf(flight.recording);
    expect(marks.length).toBeGreaterThan(5);
    expect(replayFlight(flight.recording, { marks })).toMatchObject({ reproduces: true });
    expect(replayFlight(flight.recording, { marks }).differsUs).toBeUndefined();
    const wrong = marks.map(([tUs, plant], i) => [tUs, i < 3 ? plant : "0000"] as const);
    expect(replayFlight(flight.recording, { marks: wrong }).differsUs).toBe(marks[3]![0]);
  });

  it("verifies the beginning of a recording by the digests at the marks if there is no final digest", () => {
    const part = recordingUntil(flight.recording, 4_500_000);
    const marks = marksOf(flight.recording).filter(([tUs]) => tUs <= part.endUs);
    expect(replayFlight(part).reproduces).toBe(false);
    expect(replayFlight(part, { marks }).reproduces).toBe(true);
    expect(replayFlight(part, { marks, integrator: integrator("euler") })).toMatchObject({
      reproduces: false,
      changed: ["integrator"],
    });
    expect(replayFlight(part, { marks: [...marks, [99e6, "0000"]] }).reproduces).toBe(false);
  });

  it("ranks integrators by their error against a reference with tight tolerances", () => {
    const tight = { label: "tight", options: { integrator: integrator("rk45", { toleranceScale: 1e-4 }) } };
    const variants = ["euler", "rk23", "rk4", "rk45"].map((label) => ({
      label,
      options: { integrator: integrator(label) },
    }));
    const { rows } = compareReplays(fly({ integrator: "rk4" }).recording, { variants, reference: tight });
    const error = Object.fromEntries(rows.map(({ label, errors }) => [label, errors.position!.max]));
    expect(error["euler"]!).toBeGreaterThan(100 * error["rk4"]!);
    for (const name of ["position", "velocity", "attitude", "rate", "soc", "v1"] as const) {
      const order = rows.map(({ label, errors }) => ({ label, rms: errors[name]!.rms })).sort((a, b) => b.rms - a.rms);
      expect([name, ...order.map(({ label }) => label)]).toEqual([name, "euler", "rk23", "rk4", "rk45"]);
    }
    expect(error["rk4"]!).toBeLessThan(1e-4);
    expect(rows.find(({ label }) => label === "rk4")!.reproduces).toBe(true);
    expect(rows.every(({ errors }) => errors.rotor !== undefined && errors.soc !== undefined)).toBe(true);
  });
});

describe("first difference", () => {
  it("finds none between equal flights", () => {
    expect(firstDifference(fly().recording, fly().recording)).toBeUndefined();
  });

  it("names the boundary, stage and signal at which a flight with another seed differs", () => {
    const found = firstDifference(fly().recording, fly({ seed: 2 }).recording);
    expect(found).toMatchObject({ tUs: 0, stage: "wind", signal: "windBaseNed" });
    expect(found!.ulps).toBeGreaterThan(0);
  });

  it("names the dimensions in which another vehicle differs, and compares nothing else", () => {
    const hexa = fly({ vehicle: "hexa" }).recording;
    expect(firstDifference(fly().recording, hexa)).toMatchObject({
      tUs: 0,
      stage: "vehicle",
      signal: "rotors",
      a: 4,
      b: 6,
    });
  });

  it("names the event at which a flight with another scenario differs", () => {
    const other = fly({ scenario: [{ atS: 5.003, forS: 0.3, gust: { velNedMps: [4.5, 0, 0] } }] });
    expect(firstDifference(fly().recording, other.recording)).toMatchObject({
      tUs: 5_003_000,
      stage: "scenario",
      signal: "windGustNed",
      a: 4,
      b: 4.5,
    });
  });
});

describe("ulps", () => {
  it.each([
    [1, 1 + Number.EPSILON, 1],
    [0, -0, 1],
    [0, 5e-324, 1],
    [-5e-324, 5e-324, 3],
    [1, 2, 2 ** 52],
  ])("between %d and %d are %d", (a, b, count) => {
    expect(ulpsBetween(a, b)).toBe(count);
    expect(ulpsBetween(b, a)).toBe(count);
  });
});
