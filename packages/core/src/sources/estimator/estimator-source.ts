/**
 * The estimator source: truth → errors → exact delay → the estimate that the autopilot reads, with its validity flags.
 *
 * It models the output errors of a state estimator, not its inputs. The fault `stuck` freezes the published estimate
 * and its flags, so that the autopilot cannot detect it. In a `drop-out` nothing is published, and the flags are
 * cleared once the last estimate is too old. Errors and delay line continue meanwhile, so that after the fault they are
 * the same as without it. A delay that is not a whole number of autopilot periods is an error, because rounding it
 * silently would invalidate delay studies.
 */
import { SENSORS, SIGNALS, type Source } from "../../engine/index.ts";
import { durationOrZero } from "../../params/rows.ts";
import { type Saveable, withMemory } from "../../snapshot/index.ts";
import { type Axis, secondsToUs } from "../../time/index.ts";
import { Aiding, STALE_US } from "./aiding.ts";
import { DelayLine } from "./delay-line.ts";
import { estimatorErrors } from "./errors.ts";
import { publishRow, ROW_SIZE, TruthReader } from "./estimate.ts";

const ESTIMATOR = SENSORS.indexOf("estimator");
const FAULTS = SIGNALS.sensorFaultKind.values;

export interface EstimatorContext {
  readonly seed: number;
  /** The autopilot's axis: the estimator runs at the ticks at which the autopilot reads the estimate. */
  readonly axis: Axis;
  readonly periodUs: number;
}

/** The errors of an estimate. */
export interface EstimateErrors extends Saveable {
  /** Adds the errors of this tick to a row (`estimate.ts`) and advances to the next tick. */
  apply(row: Float64Array, aiding: Aiding): void;
}

export const delayS = durationOrZero("Age of the estimate: a whole number of autopilot periods.", 0);

export function makeEstimator(
  context: EstimatorContext,
  delaySeconds: number,
  errors?: EstimateErrors,
): Source<"estimator"> {
  const truthReader = new TruthReader();
  const row = new Float64Array(ROW_SIZE);
  const line = new DelayLine(delayTicks(delaySeconds, context.periodUs), ROW_SIZE);
  const aiding = new Aiding();
  const publishedUs = new Float64Array(1);
  return {
    writer: "estimator",
    axis: context.axis,
    update(clock, bus) {
      aiding.update(clock, bus);
      truthReader.rowInto(row, bus);
      errors?.apply(row, aiding);
      line.exchange(row);
      const fault = bus.sensorFaultKind[ESTIMATOR];
      if (fault === FAULTS["drop-out"]) {
        if (clock.us - publishedUs[0]! > STALE_US) bus.estValid[0] = 0;
        return;
      }
      publishedUs[0] = clock.us;
      if (fault === FAULTS.stuck) return;
      publishRow(bus, row);
      bus.estValid[0] = aiding.valid;
    },
    ...withMemory(line, errors ?? [], aiding, publishedUs),
  };
}

function delayTicks(delaySeconds: number, periodUs: number): number {
  const delayUs = secondsToUs(delaySeconds, "estimator delay");
  if (delayUs % periodUs === 0) return delayUs / periodUs;
  throw estimatorErrors.delayNotWhole({
    what: `a delay of ${delayUs} µs is not a whole number of autopilot periods of ${periodUs} µs`,
    where: { key: "estimator.delayS" },
    fix: `use ${(Math.floor(delayUs / periodUs) * periodUs) / 1e6} s or ${(Math.ceil(delayUs / periodUs) * periodUs) / 1e6} s`,
  });
}
