/**
 * A falsification problem on the embedded autopilot: in 30 s of the built-in mission with the iris, a gust (direction,
 * speed, start, length) and one motor that loses duty for 0.6 s (which, when, how much). The requirement is
 * `never tilt > 90 deg`; about one random flight in 700 violates it.
 */
import { mustResolve, type PlainObject, resolveFlight, Run, coreRegistry } from "@escapement/core";
import { readDistribution } from "../../packages/campaign/src/vary/distributions.ts";
import type { PlanContext } from "../../packages/campaign/src/plans/context.ts";

const VARIED = {
  "gust.directionDeg": { uniform: [0, 360] },
  "gust.speedMps": { uniform: [2, 10] },
  "gust.startS": { uniform: [8, 26] },
  "gust.lengthS": { uniform: [1, 5] },
  "motor.number": { choice: [1, 2, 3, 4] },
  "motor.atS": { uniform: [8, 28] },
  "motor.gain": { uniform: [0.3, 1] },
} as const;

export const problemContext = (seed: number): PlanContext => ({
  seed,
  seeds: "common",
  vary: Object.entries(VARIED).map(([key, spec]) => ({ key, distribution: readDistribution(spec, key) })),
});

/** Returns the values of the seven keys at a point of the unit cube. */
export function valuesAt(point: ArrayLike<number>): number[] {
  return problemContext(1).vary.map(({ distribution }, i) => Number(distribution.valueAt(point[i]!)));
}

interface Flown {
  readonly tiltMaxDeg: number;
  readonly endUs: number;
}

/** Returns the flight as a description; events may be left out. */
export function gustAndMotor(
  values: readonly number[],
  events: readonly ("gust" | "motor")[] = ["gust", "motor"],
): PlainObject {
  const [directionDeg, speedMps, startS, lengthS, motor, atS, gain] = values as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const angle = (directionDeg * Math.PI) / 180;
  const velNedMps = [speedMps * Math.cos(angle), speedMps * Math.sin(angle), 0];
  const all = {
    gust: { atS: startS, forS: lengthS, gust: { velNedMps } },
    motor: { atS, forS: 0.6, motorLoss: { motor, gain } },
  };
  return { extends: "mission", timeline: { endS: 30 }, scenario: events.map((name) => all[name]) };
}

export function flyGustAndMotor(spec: PlainObject): Flown {
  const resolved = mustResolve(resolveFlight({ file: "problem", spec }, coreRegistry));
  const { result } = new Run(resolved, { fingerprint: "plant" }).toEndNow();
  return { tiltMaxDeg: result.extremes.tiltMaxDeg, endUs: result.end.endUs };
}
