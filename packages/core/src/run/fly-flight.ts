/**
 * Flies a description in one call: `flyFlight({ extends: "iris", … })`. The command-line tool and the package's `fly`
 * use the same run and also write files.
 */
import type { PlainObject } from "../params/index.ts";
import { withBareParts } from "../describe/build/build-parts.ts";
import { hashOf, type ResolvedFlight } from "../describe/definition/definition.ts";
import type { SpecLayer, SpecLoader } from "../describe/spec/layers.ts";
import { coreRegistry, type Registry } from "../describe/registry.ts";
import { mustResolve, resolveFlight } from "../describe/resolve/resolve.ts";
import type { SpecContents } from "../describe/spec/spec-contents.ts";
import type { FlightSpec } from "../describe/spec/spec.ts";
import type { AssembleOptions } from "./assemble.ts";
import type { FlightResult, RecordedFlight } from "./result.ts";
import { Run, type RunEnd, type RunOptions } from "./run.ts";

/** Custom parts, the registry and callbacks of a flight. */
export interface FlyFlightOptions extends Omit<RunOptions, "record" | "replay" | "plant"> {
  readonly load?: SpecLoader;
  readonly contents?: SpecContents;
}

/**
 * Flies a description and records it in memory, so that every signal of the result can be read at any time of the
 * flight. With `record: false` the result has no signals and no recording, and the flight takes less time. If the
 * description has errors, throws one typed error that lists them all. Also throws an error that ends the flight.
 */
export async function flyFlight(
  spec: FlightSpec,
  options: FlyFlightOptions & { readonly record: false },
): Promise<FlightResult>;
export async function flyFlight(
  spec: FlightSpec,
  options?: FlyFlightOptions & { readonly record?: true },
): Promise<RecordedFlight>;
export async function flyFlight(
  spec: FlightSpec,
  options: FlyFlightOptions & { readonly record?: boolean } = {},
): Promise<FlightResult> {
  const layer: SpecLayer = { file: "flight", spec: spec as PlainObject };
  const resolution = resolveFlight(layer, options.registry ?? coreRegistry, options.load, options.contents);
  const run = describedRun(mustResolve(resolution), { ...options, plant: resolution.plant });
  return resultOrThrow(run, await run.toEnd());
}

/** Flies a resolved description synchronously, for flights whose autopilot runs in this thread. */
export function flyFlightNow(
  resolved: ResolvedFlight,
  registry: Registry = coreRegistry,
  options: AssembleOptions & Pick<RunOptions, "require" | "measures"> = {},
): RecordedFlight {
  const run = recordingRun(resolved, { ...options, registry });
  return recordedOrThrow(run, run.toEndNow());
}

/**
 * Returns a run that records unless `record` is false. Parts that are bare functions change the hash of its definition.
 */
export function describedRun(resolved: ResolvedFlight, { record = true, ...options }: RunOptions): Run {
  return new Run(withFunctions(resolved, options), { ...options, record });
}

/** Returns a run that records. */
export function recordingRun(resolved: ResolvedFlight, options: Omit<RunOptions, "record">): Run {
  return describedRun(resolved, { ...options, record: true });
}

/** Returns the result of a flight, with its recording if it has one. */
export function resultOrThrow(run: Run, end: RunEnd): FlightResult {
  return run.assembled.recorder === undefined ? throwFailure(end).result : recordedOrThrow(run, end);
}

function throwFailure(end: RunEnd): RunEnd {
  if (end.failure !== undefined) throw end.failure;
  return end;
}

export function recordedOrThrow(run: Run, end: RunEnd): RecordedFlight {
  throwFailure(end);
  return run.recorded();
}

/**
 * Marks the parts that are bare functions in the definition. This changes its hash, because the description alone does
 * not determine this flight.
 */
export function withFunctions(resolved: ResolvedFlight, options: AssembleOptions): ResolvedFlight {
  const definition = withBareParts(resolved.definition, options);
  return definition === resolved.definition ? resolved : { ...resolved, definition, hash: hashOf(definition) };
}
