/** Shrinking of real flights: what a crash needs, and what it does not. */
import { coreRegistry, FlightSession, mustResolve, type PlainObject, resolveFlight, specOf } from "@escapement/core";
import { describe, expect, it } from "vitest";
import { FlightProblem } from "./flight-problem.ts";
import { stepTowards } from "./rounding.ts";
import { shrink } from "./shrink.ts";

const complete = (spec: PlainObject): PlainObject =>
  specOf(mustResolve(resolveFlight({ file: "test", spec }, coreRegistry)).definition);

/** The first quarter of a second at which the vehicle has been tilted by more than 60°. */
function tippedUs(spec: PlainObject): number | undefined {
  const { resolved } = resolveFlight({ file: "test", spec }, coreRegistry);
  if (resolved === undefined) return undefined;
  const session = new FlightSession(resolved, { checkpointEveryUs: Infinity });
  for (let tUs = 250_000; !session.isOver; tUs += 250_000) {
    session.advance(tUs);
    if (session.result().extremes.tiltMaxDeg > 60) return session.nowUs;
  }
  return undefined;
}

describe("a flight that tips over", () => {
  const base = complete({ extends: "hover", timeline: { endS: 10 } });
  const bad = complete({
    extends: "hover",
    seed: 7,
    timeline: { endS: 10 },
    vehicle: { massKg: 1.6 },
    wind: { kind: "constant", windNedMps: [1, 0.5, 0] },
    scenario: [
      { name: "gust", atS: 6.1234, forS: 1, gust: { velNedMps: [2.2, 0, 0] } },
      { name: "weak", atS: 8.291, forS: 1, motorLoss: { motor: 3, gain: 0.1234 } },
    ],
  });
  const problem = new FlightProblem({
    bad,
    base,
    keys: [["vehicle", "massKg"]],
    ranges: new Map([["scenario[1].motorLoss.gain", [0, 1]]]),
    violationUs: tippedUs,
  });
  const found = shrink(problem)!;
  const small = problem.specOf(found.candidate);

  it("needs the motor alone: no gust, no load, no wind, no seed", () => {
    expect(found.isMinimal).toBe(true);
    expect(found.flights).toBeLessThanOrEqual(100);
    expect(found.candidate.parts).toEqual(["scenario[1]"]);
    expect(found.candidate.plain).toEqual(expect.arrayContaining(["still air", "seed 1"]));
    const [event] = small["scenario"] as readonly PlainObject[];
    expect(event).toMatchObject({ name: "weak", motorLoss: { motor: 3 } });
    expect(Number.isInteger(Number((event!["motorLoss"] as PlainObject)["gain"]) * 100)).toBe(true);
    expect((small["timeline"] as PlainObject)["endS"]).toBeLessThanOrEqual(10);
  });

  it("is 1-minimal: a unit of the last digit of the gain nearer to 1 and it holds", () => {
    const gain = "scenario[1].motorLoss.gain";
    const step = stepTowards(found.candidate.numbers.get(gain)!, 1)!;
    const milder = { ...found.candidate, numbers: new Map([...found.candidate.numbers, [gain, step]]) };
    expect(tippedUs(problem.specOf(milder))).toBeUndefined();
    expect(tippedUs(small)).toBeDefined();
  });
});
