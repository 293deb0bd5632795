/**
 * A first flight in a cold process: what resolving, assembling (with code for the vehicle) and flying take, once. Prints
 * JSON. Bundled, and run by the rows of `rows/cold.ts`, which say which vehicle.
 */
import { assemble, coreRegistry, flyNow, mustResolve, resolveFlight } from "@escapement/core";

export interface ColdTimes {
  readonly resolveMs: number;
  readonly assembleMs: number;
  readonly flyMs: number;
}

function flown(vehicle: unknown): ColdTimes {
  const spec = { extends: "mission", vehicle, timeline: { endS: 60 } };
  const startMs = performance.now();
  const { flown } = mustResolve(resolveFlight({ file: "bench", spec }, coreRegistry));
  const resolvedMs = performance.now();
  const { flight } = assemble(flown, coreRegistry);
  const assembledMs = performance.now();
  flyNow(flight);
  const flownMs = performance.now();
  return { resolveMs: resolvedMs - startMs, assembleMs: assembledMs - resolvedMs, flyMs: flownMs - assembledMs };
}

process.stdout.write(`${JSON.stringify(flown(JSON.parse(process.argv[2]!)))}\n`);
