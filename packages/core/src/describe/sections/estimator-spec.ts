/**
 * The default delay of the noisy estimator is a multiple of the autopilot's period, so that changing only the period is
 * not an error.
 */
import type { PlainObject } from "../../params/index.ts";
import { secondsToUs } from "../../time/index.ts";
import type { FlightDefinition } from "../definition/definition.ts";

const ESTIMATE_DELAY_TICKS = 2;

/** Returns the parameters of an estimator. The kind `noisy` gets the default delay if none is given. */
export function withDefaultDelay(
  kind: unknown,
  params: PlainObject,
  timeline: FlightDefinition["timeline"] | undefined,
): PlainObject {
  if (kind !== "noisy" || timeline === undefined || params["delayS"] !== undefined) return params;
  return { ...params, delayS: (ESTIMATE_DELAY_TICKS * secondsToUs(timeline.autopilotPeriodS)) / 1e6 };
}
