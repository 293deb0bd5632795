/**
 * Flies flights with PX4 for the command: with the library in a supervised child process, or with stock PX4 over
 * the network.
 *
 * Both give the same kind of result as any other flight. The library flies in the child process, so its files are
 * written from the recording afterwards. Stock PX4 is flown from this process, so its files are streamed as usual.
 */
import {
  type ChosenKind,
  definitionOf,
  type FlightDefinition,
  type FlightResult,
  type KindFamily,
  type Recording,
  type Registry,
  type ReplayFlightOptions,
  type ReplayResult,
  type ResolvedFlight,
  type Run,
  secondsToUs,
  SimError,
  withFailure,
} from "@escapement/core";
import {
  checkSitl,
  type ChildFlight,
  flyLockstep,
  flySitl,
  LOCKSTEP_KIND,
  replayLockstep,
  SITL_KIND,
  type SitlReport,
  type SitlRunOptions,
  STOPPED_BEFORE,
} from "@escapement/px4";
import type { FlyFlags } from "./commands/fly.ts";
import { checkEnding, checkNames } from "./outputs/files.ts";
import { cliErrors } from "./errors.ts";
import type { Interrupt } from "./interrupt.ts";
import {
  checkOutputs,
  FlightOutputs,
  needsRecording,
  writeFromRecording,
  writePicture,
} from "./outputs/flight-outputs.ts";
import { type FlightProgress, progressOf, Progress } from "./print/progress.ts";
import type { SummaryContext } from "./print/summary.ts";
import { registry as builtIn } from "./registry.ts";

interface Px4Run {
  readonly result: FlightResult;
  /** The typed error that ended the flight, if there was one. */
  readonly failure?: SimError;
  /** Writes the files that are written after the flight. */
  readonly finish: () => Promise<void>;
  /** Wall-clock time of the flight without the start of PX4, if it was measured. */
  readonly wallS?: number;
  /** Lines about PX4 for the summary. */
  readonly notes: readonly string[];
  /** The same information for the JSON output. */
  readonly px4?: SummaryContext["px4"];
}

type Px4Flags = Pick<FlyFlags, "px4Log" | "px4Instance" | "px4ReplyMs" | "px4Attach">;

interface Px4RunOptions {
  readonly registry: Registry;
  readonly outputs: ResolvedFlight["settings"]["outputs"];
  readonly codegen: boolean;
  readonly interrupt: Interrupt;
  readonly sitl: SitlRunOptions;
}

/** Returns the run options of stock PX4 that the flags select. */
export function sitlOptions(flags: Px4Flags, kind: string, overwrite: boolean): SitlRunOptions {
  const { px4Log, px4Instance, px4ReplyMs, px4Attach } = flags;
  const used = [
    ["--px4-log", px4Log],
    ["--px4-instance", px4Instance],
    ["--px4-reply-ms", px4ReplyMs],
    ["--px4-attach", px4Attach],
  ].flatMap(([flag, value]) => (value === undefined ? [] : [flag]));
  if (used.length > 0 && kind !== SITL_KIND) {
    throw cliErrors.badPx4Flag({
      what: `${used.join(", ")} cannot be used: this flight's autopilot is ${kind}`,
      fix: `fly with --autopilot ${SITL_KIND}`,
    });
  }
  if (px4Log !== undefined && px4Attach === true) {
    throw cliErrors.badPx4Flag({
      what: "--px4-log cannot be used: a PX4 that you start writes its log into its own working folder",
      fix: "omit --px4-log",
    });
  }
  if (px4Log !== undefined) {
    checkEnding(px4Log, ".ulg", "PX4's log");
    checkNames([px4Log], overwrite);
  }
  const replyMs = px4ReplyMs === undefined ? undefined : wholeNumber("--px4-reply-ms", px4ReplyMs, 1, 1000);
  return {
    ...(px4Attach === true ? { program: false } : {}),
    ...(px4Log === undefined ? {} : { logFile: px4Log }),
    ...(px4Instance === undefined ? {} : { instance: wholeNumber("--px4-instance", px4Instance, 0, 9) }),
    ...(replyMs === undefined ? {} : { limits: { replyMs } }),
  };
}

function wholeNumber(flag: string, text: string, min: number, max: number): number {
  const value = text.trim() === "" ? NaN : Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw cliErrors.badPx4Flag({
    what: `${flag} "${text}" is out of range`,
    fix: `use a whole number from ${min} to ${max}`,
  });
}

/** Returns true if this error means that the flight was stopped before it began. */
export function isStoppedBefore(error: unknown): boolean {
  return error instanceof SimError && STOPPED_BEFORE.includes(error.code);
}

/** Flies with PX4. Throws an error that occurs before the flight; an error during the flight is part of the result. */
export function flyPx4(resolved: ResolvedFlight, options: Px4RunOptions): Promise<Px4Run> {
  return resolved.definition.autopilot.kind === LOCKSTEP_KIND
    ? flyLibrary(resolved, options)
    : flyStock(resolved, options);
}

async function flyLibrary(resolved: ResolvedFlight, options: Px4RunOptions): Promise<Px4Run> {
  const { registry, outputs, codegen, interrupt } = options;
  checkLibraryFlight(resolved, registry, outputs);
  // Report a name that cannot be written before the flight, although the files are written after it.
  checkOutputs(outputs);
  const { name, timeline } = resolved.definition;
  const position = { nowUs: 0, endUs: secondsToUs(timeline.endS), texts: () => [] };
  const progress = openProgress(position, name);
  const record = needsRecording(outputs);
  let partialFlight: ChildFlight | undefined;
  const { flight, failure } = await resultOrFailure(
    () =>
      flyLockstep(resolved, {
        signal: interrupt.signal,
        codegen,
        record,
        onProgress: (tUs) => {
          position.nowUs = tUs;
          progress.show();
        },
        onBrokenOff: (part) => (partialFlight = part),
      }).finally(() => progress.clear()),
    () => partialFlight,
  );
  const result = withFailure<FlightResult>(flight, failure);
  return {
    result,
    ...(failure === undefined ? {} : { failure }),
    finish: async () => {
      if (flight.recording !== undefined) await writeFromRecording(outputs, result, flight.recording);
      writePicture(outputs, result);
    },
    wallS: flight.wallS,
    notes: flight.warnings.map((line) => `PX4 printed: ${line}`),
    px4: { printed: flight.warnings },
  };
}

async function flyStock(resolved: ResolvedFlight, options: Px4RunOptions): Promise<Px4Run> {
  const { registry, outputs, codegen, interrupt, sitl } = options;
  // Check this before the files are opened, so that no file is created or replaced if PX4 is missing.
  checkSitl(resolved, sitl);
  const parameters: SitlReport["parameters"][number][] = [];
  const files = await FlightOutputs.open(resolved, outputs, { parameters });
  let begun: { readonly run: Run; readonly progress: Progress } | undefined;
  let report: SitlReport | undefined;
  const fly = () =>
    flySitl(resolved, {
      registry,
      codegen,
      run: sitl,
      ...files.parts(),
      ...(outputs.paceX > 0 ? { pace: outputs.paceX } : {}),
      signal: interrupt.signal,
      onParameters: (reported) => parameters.splice(0, parameters.length, ...reported),
      onStart: (run) => {
        files.prepare(run.assembled);
        begun = { run, progress: openProgress(progressOf(run.flight), resolved.definition.name) };
      },
      onPause: () => begun?.progress.show(),
      onReport: (final) => (report = final),
    });
  const { flight, failure } = await resultOrFailure<FlightResult>(
    () => files.guard(async () => (await fly()).flight).finally(() => begun?.progress.clear()),
    () => begun?.run.result(),
  );
  const result = withFailure(flight, failure);
  return {
    result,
    ...(failure === undefined ? {} : { failure }),
    finish: () => files.finish(result),
    notes: report === undefined ? [] : [noteOf(report)],
    ...(report === undefined ? {} : { px4: report }),
  };
}

/** Replays a recording with the library as the live autopilot, in a separate process. */
export function replayWithLibrary(
  recording: Recording,
  parts: Registry,
  options: Omit<ReplayFlightOptions, "registry">,
): Promise<ReplayResult> {
  const recorded = definitionOf(recording, parts);
  checkBuiltInParts({ ...recorded, integrator: options.integrator ?? recorded.integrator }, parts);
  return replayLockstep(recording, options);
}

function openProgress(flight: FlightProgress, name: string): Progress {
  return new Progress(flight, name, process.stderr, process.env);
}

/**
 * Returns the flight. If a typed error ended it early, returns the flight up to that instant and the error. Rethrows
 * other errors.
 */
async function resultOrFailure<Flight>(
  fly: () => Promise<Flight>,
  partial: () => Flight | undefined,
): Promise<{ readonly flight: Flight; readonly failure?: SimError }> {
  try {
    return { flight: await fly() };
  } catch (error) {
    const flight = partial();
    if (flight === undefined || !(error instanceof SimError)) throw error;
    return { flight, failure: error };
  }
}

/** Returns the line about stock PX4 in the summary. */
export function noteOf({ instance, readyAtS, frames, missed }: SitlReport): string {
  const ready = readyAtS < 0 ? "never ready" : `ready at ${readyAtS.toFixed(1)} s`;
  return `stock PX4, instance ${instance}: ${ready}, ${frames} frames, ${missed} missed replies; the flight is not repeatable, but its recording replays bit for bit`;
}

/**
 * Rejects settings that a flight with the PX4 library cannot have because it runs in another process: a pace, and parts
 * that exist only in this process. Without this check they would be ignored, or would fail with an unclear error.
 */
export function checkLibraryFlight(
  { definition }: ResolvedFlight,
  parts: Registry,
  { paceX }: ResolvedFlight["settings"]["outputs"],
): void {
  if (paceX > 0) {
    throw cliErrors.notWithLibrary({
      what: "a flight with the PX4 library cannot be paced",
      where: { key: "outputs.paceX" },
      fix: "omit --pace, or fly with --autopilot px4-sitl",
    });
  }
  checkBuiltInParts(definition, parts);
}

function checkBuiltInParts(definition: FlightDefinition, parts: Registry): void {
  const custom = chosenKinds(definition).find(([family, chosen]) => isCustom(family, chosen, parts));
  if (custom === undefined) return;
  const [, { kind }, key] = custom;
  throw cliErrors.notWithLibrary({
    what: `"${kind}" is a custom part, which the process that flies the PX4 library does not have`,
    where: { key },
    fix: "choose a built-in part, or a different autopilot; custom vehicles and flights can be flown",
  });
}

/** Returns true if a kind is not built in, even if it has the name of a built-in kind, which it then replaces. */
function isCustom(family: KindFamily, { kind }: ChosenKind, parts: Registry): boolean {
  const found = (from: Registry) => from[family].find(({ name }) => name === kind);
  return found(parts) !== found(builtIn);
}

function chosenKinds(definition: FlightDefinition): (readonly [family: KindFamily, chosen: ChosenKind, key: string])[] {
  const { wind, integrator, estimator, autopilot, sensors, environment } = definition;
  return [
    ["winds", wind, "wind"],
    ["integrators", integrator, "integrator"],
    ["estimators", estimator, "estimator"],
    ["autopilots", autopilot, "autopilot"],
    ["atmospheres", environment.atmosphere, "environment.atmosphere"],
    ["gravities", environment.gravity, "environment.gravity"],
    ...sensors.map((sensor) => ["sensors", sensor, `sensors.${sensor.kind}`] as const),
  ];
}
