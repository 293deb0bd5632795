/**
 * The package's main entry, for Node: `fly` reads and writes files; everything in `escapement/core` is exported too.
 */
import {
  describedRun,
  type FlightResult,
  type FlightSpec,
  type RecordedFlight,
  resultOrThrow,
  type FlyFlightOptions,
  mustResolve,
  type ExternalAutopilotSpec,
  type PlainObject,
  type SimError,
} from "@escapement/core";
import type { px4Kinds } from "@escapement/px4";
import { FlightFiles } from "./load/flight-files.ts";
import { FlightOutputs, resolveOutputPaths } from "./outputs/flight-outputs.ts";
import { registry } from "./registry.ts";

export * from "./public/core.ts";
export { openRecording, readSeries, type OpenedRecording, type Series, type SeriesFile } from "./series.ts";

/** The kinds of autopilot that fly with PX4, as a flight description names them. */
export type Px4Autopilot = ExternalAutopilotSpec<(typeof px4Kinds.autopilots)[number]>;

/** Options of `fly`: custom parts, and settings of the run. */
export type FlyOptions = Omit<FlyFlightOptions, "load" | "contents">;

/** The result of `fly`, with the warnings about its description. */
export interface FlyResult extends RecordedFlight {
  readonly warnings: readonly SimError[];
}

const WALL_CLOCK = {
  nowMs: () => performance.now(),
  sleep: (ms: number) => new Promise<void>((done) => setTimeout(done, ms)),
};

/**
 * Flies a description. `extends`, `vehicle`, `mission` and `autopilot.parametersFile` may name files, relative to the
 * working folder; `outputs` lists the files to write. Throws one typed error that lists every error with its line.
 * With `record: false` the result has no signals, and the flight takes less time.
 */
export async function fly(
  spec: FlightSpec<Px4Autopilot>,
  options: FlyOptions & { readonly record: false },
): Promise<FlightResult & Pick<FlyResult, "warnings">>;
export async function fly(
  spec: FlightSpec<Px4Autopilot>,
  options?: FlyOptions & { readonly record?: true },
): Promise<FlyResult>;
export async function fly(
  spec: FlightSpec<Px4Autopilot>,
  options: FlyOptions & { readonly record?: boolean } = {},
): Promise<FlightResult & Pick<FlyResult, "warnings">> {
  const parts = options.registry ?? registry;
  const files = new FlightFiles(parts);
  const resolution = await files.resolveLayer({ file: "flight", spec: spec as PlainObject });
  const resolved = mustResolve(resolution);
  const outputs = await FlightOutputs.open(resolved, resolveOutputPaths(resolved, resolution, files));
  const written = outputs.parts();
  const flight = await outputs.guard(async () => {
    const run = describedRun(resolved, {
      pace: { factor: resolved.settings.outputs.paceX, clock: WALL_CLOCK },
      ...options,
      registry: parts,
      plant: resolution.plant,
      sinks: [...(written.sinks ?? []), ...(options.sinks ?? [])],
      observers: [...(written.observers ?? []), ...(options.observers ?? [])],
    });
    outputs.prepare(run.assembled);
    return resultOrThrow(run, await run.toEnd());
  });
  await outputs.finish(flight);
  // Extend the result instead of copying it: a copy would call its getter `recording`, which takes time and memory.
  return Object.assign(flight, { warnings: resolution.warnings });
}
