/**
 * Flies the first flight of a cold process, and prints the times of assembling (with code for the vehicle) and of
 * flying. `rows/cold.ts` bundles and runs it with one of two flights: the default mission with a vehicle, or the engine
 * row. The commands of the engine row come from a file, because computing them here would warm up the process.
 */
import { readFileSync } from "node:fs";
import "@escapement/core/kernels";
import { assemble, coreRegistry, flyNow, mustResolve, resolveFlight } from "@escapement/core";
import { scene } from "./scene.ts";

const SECONDS = 60;

export type ColdFlight = { readonly vehicle: unknown } | { readonly commandsFile: string };

export interface ColdTimes {
  readonly assembleMs: number;
  readonly flyMs: number;
}

function measureFlight(given: ColdFlight): ColdTimes {
  const make = "vehicle" in given ? mission(given.vehicle) : engineRow(given.commandsFile);
  const startMs = performance.now();
  const { flight } = make();
  const assembledMs = performance.now();
  flyNow(flight);
  return { assembleMs: assembledMs - startMs, flyMs: performance.now() - assembledMs };
}

function mission(vehicle: unknown) {
  const spec = { extends: "mission", vehicle, timeline: { endS: SECONDS } };
  const { definition } = mustResolve(resolveFlight({ file: "bench", spec }, coreRegistry));
  return () => assemble(definition, coreRegistry);
}

function engineRow(commandsFile: string) {
  const commands = new Float64Array(Uint8Array.from(readFileSync(commandsFile)).buffer);
  return () => scene({ seconds: SECONDS, commands });
}

process.stdout.write(`${JSON.stringify(measureFlight(JSON.parse(process.argv[2]!) as ColdFlight))}\n`);
