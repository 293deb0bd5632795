/**
 * The package's face on Node: `fly` with files in and out, and all of `escapement/core`.
 */
import {
  type FlightSpec,
  recordedOrThrow,
  type RecordedFlight,
  recordingRun,
  type FlyFlightOptions,
  mustResolve,
  type OutsideAutopilotSpec,
  type PlainObject,
  type SimError,
} from "@escapement/core";
import type { px4Kinds } from "@escapement/px4";
import { FlightFiles } from "./load/flight-files.ts";
import { FlightOutputs } from "./outputs/flight-outputs.ts";
import { placedOutputs } from "./outputs/placed-outputs.ts";
import { registry } from "./registry.ts";

export * from "./public/core.ts";
export { openRecording, readSeries, type OpenedRecording, type Series, type SeriesFile } from "./series.ts";

/** PX4 as a flight names it. */
export type Px4Autopilot = OutsideAutopilotSpec<(typeof px4Kinds.autopilots)[number]>;

/** Parts of your own, and how the flight is run. */
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
 * Flies a description; `extends`, `vehicle`, `mission` and the like may name files, from the working folder on, and
 * `outputs` says what is written. Mistakes are thrown as one typed error that lists them all, each with its line.
 */
export async function fly(spec: FlightSpec<Px4Autopilot>, options: FlyOptions = {}): Promise<FlyResult> {
  const parts = options.registry ?? registry;
  const files = new FlightFiles(parts);
  const resolution = await files.resolveLayer({ file: "flight", spec: spec as PlainObject });
  const resolved = mustResolve(resolution);
  const outputs = await FlightOutputs.open(resolved, placedOutputs(resolved, resolution, files));
  const written = outputs.parts();
  const flight = await outputs.guard(async () => {
    const run = recordingRun(resolved, {
      pace: { factor: resolved.settings.outputs.paceX, clock: WALL_CLOCK },
      ...options,
      registry: parts,
      sinks: [...(written.sinks ?? []), ...(options.sinks ?? [])],
      observers: [...(written.observers ?? []), ...(options.observers ?? [])],
    });
    outputs.prepare(run.assembled);
    return recordedOrThrow(run, await run.toEnd());
  });
  await outputs.finish(flight);
  return { ...flight, warnings: resolution.warnings };
}
