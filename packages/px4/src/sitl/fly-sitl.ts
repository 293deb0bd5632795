/**
 * Flies a resolved flight with stock PX4: opens the bridge, assembles the flight around it, flies, closes everything.
 *
 * Stock PX4 is not repeatable, so two such flights differ; each one's recording replays bit for bit. Pacing lives here,
 * in the driver: at pace 1 a ground station can join and fly along.
 */
import { setTimeout } from "node:timers/promises";
import { assemble, finish, flyAsync, Pacer } from "@escapement/core";
import type {
  AssembledFlight,
  AssembleOptions,
  DriveOptions,
  RecordedFlight,
  Registry,
  ResolvedFlight,
} from "@escapement/core";
import { SITL_KIND } from "../kinds.ts";
import { SitlBridge, stoppedBefore } from "./bridge.ts";
import type { SitlReport, SitlRunOptions } from "./bridge.ts";
import { sitlErrors } from "./errors.ts";
import type { SitlParams } from "./params.ts";
import { findSitl } from "./px4-process.ts";
import type { RangeLimits } from "./sensor-frame.ts";

/** Options of a flight with a stock PX4 process. */
export interface FlySitlOptions
  extends Omit<AssembleOptions, "autopilot" | "record">, Omit<DriveOptions, "untilAnswer"> {
  readonly registry: Registry;
  readonly run?: SitlRunOptions;
  /** Called when PX4 has started, before the first boundary: recorders want to know the plant's dimensions. */
  readonly onAssembled?: (assembled: AssembledFlight) => void;
  /** Flight seconds per wall second; as fast as PX4 answers when absent. */
  readonly pace?: number;
  /** Ends the flight at its next pause; one that waits for PX4 to start, at once (SITL-015). */
  readonly signal?: AbortSignal;
  /** Called at the end, also of a flight that failed. */
  readonly onReport?: (report: SitlReport) => void;
}

/** A flight with stock PX4 and what was measured of the connection. */
export interface SitlFlight {
  readonly flight: RecordedFlight;
  readonly report: SitlReport;
}

/** Sensors without which PX4 cannot estimate where it is. */
export const SITL_SENSORS = ["imu", "magnetometer", "barometer", "gnss"] as const;
/** Every step waits for PX4 anyway: a breath now and then costs nothing, and a wish to end is heard soon at any pace. */
const BREATH_EVERY = 64;

/** Flies a resolved flight with a stock PX4 process. */
export async function flySitl(resolved: ResolvedFlight, options: FlySitlOptions): Promise<SitlFlight> {
  requireSitlFlight(resolved);
  const bridge = await SitlBridge.listen(options.run);
  const onAbort = (): void => bridge.abort();
  options.signal?.addEventListener("abort", onAbort);
  let failure: unknown;
  try {
    return { flight: await flyThrough(bridge, resolved, options), report: bridge.report() };
  } catch (error) {
    failure = bridge.explained(error);
    throw failure;
  } finally {
    options.signal?.removeEventListener("abort", onAbort);
    options.onReport?.(bridge.report());
    await bridge.close(failure);
  }
}

async function flyThrough(
  bridge: SitlBridge,
  resolved: ResolvedFlight,
  options: FlySitlOptions,
): Promise<RecordedFlight> {
  const { definition } = resolved;
  const isAsked = (): boolean => options.signal?.aborted === true;
  const assembled = assemble(definition, options.registry, {
    ...options,
    record: true,
    probes: [...(options.probes ?? []), bridge.groundTruth],
    autopilot: (context) => bridge.autopilot(definition.autopilot.params as SitlParams, context, rangeLimits(resolved)),
  });
  const { flight } = assembled;
  if (isAsked()) throw stoppedBefore();
  await bridge.start();
  if (isAsked()) throw stoppedBefore();
  options.onAssembled?.(assembled);
  const pacer = new Pacer(options.pace ?? 0, { nowMs: () => performance.now(), sleep: (ms) => setTimeout(ms) });
  const end = await flyAsync(flight, {
    breathEvery: BREATH_EVERY,
    ...options,
    onPause: async (pause) => {
      await options.onPause?.(pause);
      if (isAsked()) flight.schedule.endHere();
    },
    untilAnswer: async () => {
      await bridge.until();
      await pacer.keep(flight.clock.us);
    },
  });
  return finish(resolved, assembled, end);
}

function rangeLimits({ definition }: ResolvedFlight): RangeLimits | undefined {
  return definition.sensors.find(({ kind }) => kind === "rangeFinder")?.params as RangeLimits | undefined;
}

/** Throws what `flySitl` would before it opens anything: for those who open files first. */
export function checkSitl(resolved: ResolvedFlight): void {
  requireSitlFlight(resolved);
  findSitl();
}

function requireSitlFlight({ definition }: ResolvedFlight): void {
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
