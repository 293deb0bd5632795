/**
 * Measures one vehicle for the work–precision diagram, in its own process. Prints its points as JSON on the last line.
 */
import { assemble, coreRegistry, flyNow } from "@escapement/core";
import { type Candidate, candidates, REFERENCE } from "./candidates.ts";
import { missionWith, type Precision, precisionOf, recordReference } from "./windows.ts";

export interface PrecisionPoint extends Pick<Candidate, "method" | "setting">, Precision {
  /** Evaluations of the right-hand side per second of flight. */
  readonly evaluationsPerS: number;
  /** Processor time per second of flight, of the whole flight with autopilot, wind and fingerprint. */
  readonly cpuUsPerS: number;
}

const [vehicle = "iris", rounds = "3"] = process.argv.slice(2);
const reference = recordReference(vehicle, REFERENCE);
const flights = candidates.map((candidate) => ({
  candidate,
  definition: missionWith(vehicle, candidate.integrator, candidate.physicsPeriodS).definition,
  cpuUsPerS: Infinity,
  evaluationsPerS: 0,
}));
for (let round = 0; round < Number(rounds); round += 1) {
  for (const each of flights) {
    const { flight } = assemble(each.definition, coreRegistry);
    const before = process.cpuUsage();
    const { endUs, stats } = flyNow(flight);
    const { user, system } = process.cpuUsage(before);
    each.cpuUsPerS = Math.min(each.cpuUsPerS, (1e6 * (user + system)) / endUs);
    each.evaluationsPerS = (1e6 * stats.evaluations) / endUs;
  }
}
const points: PrecisionPoint[] = flights.map(({ candidate, definition, cpuUsPerS, evaluationsPerS }) => {
  // The replay has the boundaries of the reference. A method with a fixed step divides the intervals between them.
  const { method, setting } = candidate;
  return { method, setting, evaluationsPerS, cpuUsPerS, ...precisionOf(reference, definition) };
});
process.stdout.write(`${JSON.stringify(points)}\n`);
