/** Flights as particles: a branch shares its parent's past, and is an ordinary flight. */
import { coreRegistry, type FlightSession, mustResolve, RandomStream, resolveFlight, Run } from "@escapement/core";
import { describe, expect, it } from "vitest";
import { FlightProcess } from "./flight-process.ts";
import { splitOnce } from "./levels.ts";

const tilt = (session: FlightSession) => session.result().extremes.tiltMaxDeg;

function process(seed: number): FlightProcess {
  return new FlightProcess({
    flight: (n) => {
      const spec = {
        extends: "hover",
        seed: 100 * seed + n,
        timeline: { endS: 7 },
        wind: { kind: "dryden", w20Mps: 12 },
      };
      return mustResolve(resolveFlight({ file: "particle", spec }, coreRegistry));
    },
    scoreOf: tilt,
    random: new RandomStream(seed, "branches"),
  });
}

describe("a flight as a particle", () => {
  const flights = process(1);
  const parent = flights.start();
  const level = parent.rises[Math.floor(parent.rises.length / 2)]!.score - 1e-9;
  const child = flights.branch(parent, level);

  it("rises from look to look", () => {
    const scores = parent.rises.map(({ score }) => score);
    expect(scores.length).toBeGreaterThan(2);
    expect([...scores].sort((a, b) => a - b)).toEqual(scores);
    expect(parent.score).toBe(scores.at(-1));
  });

  it("has branches that exceed the level, and flies only their rest", () => {
    expect(child.score).toBeGreaterThan(level);
    expect(child.rises[0]!.score).toBeGreaterThan(level);
    expect(flights.flownUs).toBeLessThan(14_000_000);
  });

  it("[L11.5] has branches that are the same flight when flown from their start", () => {
    const { result } = new Run(child.resolved, { fingerprint: "plant" }).toEndNow();
    expect(result.extremes.tiltMaxDeg).toBe(child.score);
    const scenario = child.resolved.definition.scenario.map((event) => JSON.stringify(event));
    expect(scenario.some((event) => event.includes("reseed"))).toBe(true);
  });

  it("branches differ from each other", () => {
    expect(flights.branch(parent, level).score).not.toBe(child.score);
  });

  it("splits: the estimate is the same in every run with one seed", () => {
    const estimate = () => {
      const random = new RandomStream(2, "levels");
      return splitOnce(process(2), { target: parent.score, particles: 3, share: 0.34, random }).probability;
    };
    const first = estimate();
    expect(first).toBeGreaterThanOrEqual(0);
    expect(estimate()).toBe(first);
  });
});
