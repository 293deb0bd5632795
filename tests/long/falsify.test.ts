/** Falsification and shrinking of a realistic problem: a gust and a weak motor that tip the iris over. */
import { coreRegistry, FlightSession, mustResolve, type PlainObject, resolveFlight, specOf } from "@escapement/core";
import { describe, expect, it } from "vitest";
import type { Row } from "../../packages/campaign/src/contracts.ts";
import { FalsifySearch } from "../../packages/campaign/src/search/falsify.ts";
import { FlightProblem } from "../../packages/campaign/src/shrink/flight-problem.ts";
import { shrink } from "../../packages/campaign/src/shrink/shrink.ts";
import { flyGustAndMotor, gustAndMotor, problemContext, valuesAt } from "../support/gust-and-motor.ts";

interface Found {
  /** Number of flights up to the first violation; undefined if there was none. */
  readonly flights: number | undefined;
  readonly worst: readonly number[];
}

function falsify(seed: number, maxFlights: number): Found {
  const search = new FalsifySearch(problemContext(seed), { requirements: [0], most: maxFlights });
  let flown = 0;
  let found: Found = { flights: undefined, worst: [] };
  const point = new Float64Array(search.dimension);
  for (let asked = search.ask(); asked !== undefined; asked = search.ask()) {
    const rows = asked.map((k): Row => {
      search.pointInto(k, point);
      const values = valuesAt(point);
      const margin = 90 - flyGustAndMotor(gustAndMotor(values)).tiltMaxDeg;
      flown += 1;
      if (margin < 0 && found.flights === undefined) found = { flights: flown, worst: values };
      const verdict = margin < 0 ? "violated" : "holds";
      const scaled = margin / 10;
      const verdicts = [
        { verdict, low: margin, high: margin, scaledLow: scaled, scaledHigh: scaled, binding: null },
      ] as const;
      return {
        k,
        hash: "",
        fingerprint: "",
        outcome: "completed",
        reason: "",
        endUs: 0,
        varied: values,
        verdicts,
        measures: [],
      };
    });
    search.tell(rows);
  }
  return found;
}

/** Returns the first tenth of a second at which the vehicle is tilted by more than 90°. */
function tippedUs(spec: PlainObject): number | undefined {
  const { resolved } = resolveFlight({ file: "problem", spec }, coreRegistry);
  if (resolved === undefined) return undefined;
  const session = new FlightSession(resolved, { checkpointEveryUs: Infinity });
  for (let tUs = 100_000; !session.isOver; tUs += 100_000) {
    session.advance(tUs);
    if (session.result().extremes.tiltMaxDeg > 90) return session.nowUs;
  }
  return undefined;
}

describe("the gust and motor problem", () => {
  const found = Array.from({ length: 20 }, (_, seed) => falsify(seed, 250));

  it("is falsified by CMA-ES within 250 flights for 18 of 20 seeds, and within 120 flights in the median", () => {
    const flights = found.map((each) => each.flights ?? Infinity).sort((a, b) => a - b);
    expect(flights[17]).toBeLessThanOrEqual(250);
    expect(flights[10]).toBeLessThanOrEqual(120);
  });

  it("shrinks 10 counter-examples to minimal ones, in at most 100 flights each", () => {
    const complete = (spec: PlainObject) =>
      specOf(mustResolve(resolveFlight({ file: "problem", spec }, coreRegistry)).definition);
    const violating = found.filter((each) => each.flights !== undefined).slice(0, 10);
    expect(violating).toHaveLength(10);
    for (const { worst } of violating) {
      const bad = complete(gustAndMotor(worst));
      const problem = new FlightProblem({ bad, base: bad, filledBase: bad, keys: [], violationUs: tippedUs });
      const { flights, isMinimal } = shrink(problem)!;
      expect(isMinimal).toBe(true);
      expect(flights).toBeLessThanOrEqual(100);
    }
  });
});
