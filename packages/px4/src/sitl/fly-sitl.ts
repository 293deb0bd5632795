/**
 * Flies a resolved flight with stock PX4: opens the bridge, runs the flight with it as autopilot, closes everything.
 *
 * Stock PX4 is not repeatable, so two such flights differ, but each recording replays bit for bit. At pace 1 a ground
 * station can connect and follow or control the flight.
 */
import { setTimeout } from "node:timers/promises";
import { recordedOrThrow, Run } from "@escapement/core";
import type { RecordedFlight, Registry, ResolvedFlight, RunOptions, Sink } from "@escapement/core";
import { SITL_KIND } from "../kinds.ts";
import { SitlBridge, stoppedBefore } from "./bridge.ts";
import type { SensorProperties, SitlReport, SitlRunOptions } from "./bridge.ts";
import { sitlErrors } from "./errors.ts";
import type { SitlParams } from "./params.ts";
import { findSitl } from "./px4-process.ts";
import type { RangeLimits } from "./sensor-frame.ts";

/** Options of a flight with a stock PX4 process. */
export interface FlySitlOptions extends Omit<RunOptions, "autopilot" | "pace" | "record" | "signal" | "untilAnswer"> {
  readonly registry: Registry;
  readonly run?: SitlRunOptions;
  /** Called when PX4 has started, before the first boundary, e.g. to give a recorder the plant's dimensions. */
  readonly onStart?: (run: Run) => void;
  /** Flight seconds per wall-clock second; by default as fast as PX4 answers. */
  readonly pace?: number;
  /** Ends the flight at its next pause. A flight that is still waiting for PX4 to start ends immediately (SITL-015). */
  readonly signal?: AbortSignal;
  /**
   * Called before a log is opened, with the parameters that PX4 has reported. Logs are opened when PX4 has reported all
   * of them, some seconds into the flight.
   */
  readonly onParameters?: (parameters: SitlReport["parameters"]) => void;
  /** Called at the end of every flight, even if it failed. */
  readonly onReport?: (report: SitlReport) => void;
}

/** A flight with stock PX4, and measurements of the connection. */
export interface SitlFlight {
  readonly flight: RecordedFlight;
  readonly report: SitlReport;
}

/** Sensors that PX4 needs to estimate its position. */
export const SITL_SENSORS = ["imu", "magnetometer", "barometer", "gnss"] as const;
/**
 * Number of boundaries between pauses. Every step waits for PX4 anyway, so frequent pauses do not slow the flight down,
 * and it can end quickly.
 */
const BOUNDARIES_PER_PAUSE = 64;

/** Flies a resolved flight with a stock PX4 process. */
export async function flySitl(resolved: ResolvedFlight, options: FlySitlOptions): Promise<SitlFlight> {
  checkSitlFlight(resolved);
  const bridge = await SitlBridge.listen(options.run);
  const onAbort = (): void => bridge.abort();
  options.signal?.addEventListener("abort", onAbort);
  let failure: unknown;
  try {
    return { flight: await flyWithBridge(bridge, resolved, options), report: bridge.report() };
  } catch (error) {
    failure = bridge.withPx4Output(error);
    throw failure;
  } finally {
    options.signal?.removeEventListener("abort", onAbort);
    options.onReport?.(bridge.report());
    await bridge.close(failure);
  }
}

async function flyWithBridge(
  bridge: SitlBridge,
  resolved: ResolvedFlight,
  options: FlySitlOptions,
): Promise<RecordedFlight> {
  const { definition } = resolved;
  const isAborted = (): boolean => options.signal?.aborted === true;
  const { pace = 0 } = options;
  const run = new Run(resolved, {
    yieldEvery: BOUNDARIES_PER_PAUSE,
    ...options,
    record: true,
    ...(options.sinks === undefined ? {} : { sinks: options.sinks.map((sink) => withEstimate(bridge, sink, options)) }),
    probes: [...(options.probes ?? []), bridge.groundTruth],
    autopilot: (context) =>
      bridge.autopilot(definition.autopilot.params as SitlParams, context, sensorProperties(resolved)),
    pace: { factor: pace, clock: { nowMs: () => performance.now(), sleep: (ms) => setTimeout(ms) } },
    untilAnswer: () => bridge.until(),
  });
  if (isAborted()) throw stoppedBefore();
  await bridge.start();
  if (isAborted()) throw stoppedBefore();
  options.onStart?.(run);
  return recordedOrThrow(run, await run.toEnd());
}

/**
 * Adds PX4's own estimate to a log. A recording, which is also an observer, contains only the signals of the flight.
 */
function withEstimate(bridge: SitlBridge, sink: Sink, { observers = [], onParameters }: FlySitlOptions): Sink {
  const isRecording = (observers as readonly unknown[]).includes(sink);
  return isRecording ? sink : bridge.logOf(sink, (parameters) => onParameters?.(parameters));
}

function sensorProperties({ definition }: ResolvedFlight): SensorProperties {
  const paramsOf = (name: string) => definition.sensors.find(({ kind }) => kind === name)?.params;
  const range = paramsOf("rangeFinder") as RangeLimits | undefined;
  const imu = paramsOf("imu") as { readonly periodS: number } | undefined;
  return {
    ...(range === undefined ? {} : { range }),
    ...(imu === undefined ? {} : { gyroPeriodS: imu.periodS }),
  };
}

/** Makes the checks that `flySitl` makes before it opens anything. Call it before opening files for the flight. */
export function checkSitl(resolved: ResolvedFlight, run: SitlRunOptions = {}): void {
  checkSitlFlight(resolved);
  if (run.program === undefined) findSitl();
}

function checkSitlFlight({ definition }: ResolvedFlight): void {
  if (definition.autopilot.kind !== SITL_KIND) {
    throw sitlErrors.badOption({
      what: `this flight names the autopilot "${definition.autopilot.kind}"`,
      fix: `name "${SITL_KIND}" to fly it with stock PX4`,
    });
  }
  const missing = SITL_SENSORS.filter((name) => !definition.sensors.some(({ kind }) => kind === name));
  if (missing.length === 0) return;
  throw sitlErrors.missingSensor({
    what: `this flight has no ${missing.join(", ")}`,
    where: { key: "sensors" },
    fix: `add ${missing.map((name) => `[sensors.${name}]`).join(", ")}; their defaults suit PX4`,
  });
}
