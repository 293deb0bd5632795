/**
 * The package's face on Node: `fly` with files in and out, and all of `escapement/core`.
 */
import {
  type FlightSpec,
  type RecordedFlight,
  type FlyFlightOptions,
  flyResolved,
  mustResolve,
  type OutsideAutopilotSpec,
  Pacer,
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

/** Parts of your own, and who is called when the flight pauses. */
export type FlyOptions = Omit<FlyFlightOptions, "load" | "contents">;

/** A flown flight, and what there is to say about its description that kept nobody from flying it. */
export interface ToldFlight extends RecordedFlight {
  readonly warnings: readonly SimError[];
}

/**
 * Flies a description; `extends`, `vehicle`, `mission` and the like may name files, from the working folder on, and
 * `outputs` says what is written. Mistakes are thrown as one typed error that lists them all, each with its line.
 */
export async function fly(spec: FlightSpec<Px4Autopilot>, options: FlyOptions = {}): Promise<ToldFlight> {
  const parts = options.registry ?? registry;
  const files = new FlightFiles(parts);
  const resolution = await files.resolveLayer({ file: "flight", spec: spec as PlainObject });
  const resolved = mustResolve(resolution);
  const { paceX } = resolved.settings.outputs;
  const outputs = await FlightOutputs.open(resolved, placedOutputs(resolved, resolution, files));
  const written = outputs.parts();
  const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
  const pacer = new Pacer(paceX, { nowMs: () => performance.now(), sleep });
  const breathEvery = pacer.breathEvery(resolved.definition.timeline.physicsPeriodS);
  let flight: { readonly schedule: { readonly nowUs: number } } | undefined;
  const flown = await outputs.guard(() =>
    flyResolved(resolved, {
      ...(breathEvery === undefined ? {} : { breathEvery }),
      ...options,
      registry: parts,
      sinks: [...(written.sinks ?? []), ...(options.sinks ?? [])],
      observers: [...(written.observers ?? []), ...(options.observers ?? [])],
      onAssembled: (assembled) => {
        outputs.prepare(assembled);
        flight = assembled.flight;
      },
      onPause: async (pause) => {
        await pacer.keep(flight!.schedule.nowUs);
        await options.onPause?.(pause);
      },
    }),
  );
  await outputs.finish(flown);
  return { ...flown, warnings: resolution.warnings };
}
