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
  FlownFlight,
  Registry,
  ResolvedFlight,
} from "@escapement/core";
import { SITL_KIND } from "../kinds.ts";
import { SitlBridge } from "./bridge.ts";
import type { SitlReport, SitlRunOptions } from "./bridge.ts";
import { sitlErrors } from "./errors.ts";
import type { SitlParams } from "./params.ts";
import { findSitl } from "./px4-process.ts";

export interface FlySitlOptions
  extends Omit<AssembleOptions, "autopilot" | "record">, Omit<DriveOptions, "untilAnswer"> {
  readonly registry: Registry;
  readonly run?: SitlRunOptions;
  /** Called between assembling and flying: recorders want to know the plant's dimensions. */
  readonly onAssembled?: (assembled: AssembledFlight) => void;
  /** Flight seconds per wall second; as fast as PX4 answers when absent. */
  readonly pace?: number;
}

export interface SitlFlight {
  readonly flight: FlownFlight;
  readonly report: SitlReport;
}

/** Sensors without which PX4 cannot estimate where it is. */
export const SITL_SENSORS = ["imu", "magnetometer", "barometer", "gnss"] as const;

export async function flySitl(resolved: ResolvedFlight, options: FlySitlOptions): Promise<SitlFlight> {
  requireSitlFlight(resolved);
  const bridge = await SitlBridge.listen(options.run);
  try {
    const params = resolved.flown.autopilot.params as SitlParams;
    const assembled = assemble(resolved.flown, options.registry, {
      ...options,
      record: true,
      probes: [...(options.probes ?? []), bridge.groundTruth],
      autopilot: (context) => bridge.start(params, context),
    });
    options.onAssembled?.(assembled);
    const pacer = new Pacer(options.pace ?? 0, { nowMs: () => performance.now(), sleep: (ms) => setTimeout(ms) });
    const end = await flyAsync(assembled.flight, {
      ...options,
      untilAnswer: async () => {
        await bridge.until();
        await pacer.keep(assembled.flight.clock.us);
      },
    });
    return { flight: finish(resolved, assembled, end), report: bridge.report() };
  } finally {
    await bridge.close();
  }
}

/** Throws what `flySitl` would before it opens anything: for those who open files first. */
export function checkSitl(resolved: ResolvedFlight): void {
  requireSitlFlight(resolved);
  findSitl();
}

function requireSitlFlight({ flown }: ResolvedFlight): void {
  if (flown.autopilot.kind !== SITL_KIND) {
    throw sitlErrors.badOption({
      what: `this flight names the autopilot "${flown.autopilot.kind}"`,
      fix: `name "${SITL_KIND}" to fly it with stock PX4`,
    });
  }
  const missing = SITL_SENSORS.filter((name) => !flown.sensors.some(({ kind }) => kind === name));
  if (missing.length === 0) return;
  throw sitlErrors.missingSensor({
    what: `this flight has no ${missing.join(", ")}`,
    where: { key: "sensors" },
    fix: `add ${missing.map((name) => `[sensors.${name}]`).join(", ")}; their defaults suit PX4`,
  });
}
