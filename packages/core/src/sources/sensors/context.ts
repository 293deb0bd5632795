/**
 * What a raw sensor may ask of its surroundings at assembly, and the axis it speaks on.
 *
 * Sensors read the true state, the plant's derived outputs and the scenario's faults; where on Earth that is, and what
 * the magnetic field is there, they are told through functions, because sources know no planet.
 */
import type { Readable } from "../../engine/contracts.ts";
import { defineErrors } from "../../errors/index.ts";
import { secondsToUs } from "../../time/seconds.ts";
import { periodicAxis } from "../../time/axis.ts";
import type { PeriodicAxis } from "../../time/axis.ts";

export interface SensorContext {
  readonly seed: number;
  /** Sensors speak at whole multiples of the autopilot's period. */
  readonly autopilotPeriodUs: number;
  readonly startUs: number;
  /** Fills latitude (deg), longitude (deg) and altitude above mean sea level (m) of a place in the local frame. */
  readonly geodeticInto: (out: Float64Array, posNed: Readable) => void;
  /** Fills the magnetic field (µT, north-east-down) at a place in the local frame. */
  readonly magneticFieldInto: (outNed: Float64Array, posNed: Readable) => void;
}

export const sensorErrors = defineErrors("SENSOR", {
  period: {
    number: 1,
    title: "a sensor's period does not fit the autopilot's",
    explain:
      "Sensors speak right before the autopilot, so their periods and delays are whole multiples of its period. Choose one of the two periods given in the message.",
  },
});

/** The axis of a sensor with that period. */
export function sensorAxis(context: SensorContext, name: string, periodS: number): PeriodicAxis {
  return periodicAxis({ periodUs: wholeTicksUs(context, `${name}.periodS`, periodS), startUs: context.startUs });
}

/** A duration in microseconds that must be a whole multiple of the autopilot's period. */
export function wholeTicksUs(context: SensorContext, key: string, seconds: number): number {
  const us = secondsToUs(seconds, key);
  const tick = context.autopilotPeriodUs;
  if (us % tick === 0) return us;
  const below = Math.floor(us / tick) * tick;
  throw sensorErrors.period({
    what: `${seconds} s is not a whole multiple of the autopilot's period of ${tick / 1e6} s`,
    where: { key },
    fix: `use ${below > 0 ? `${below / 1e6} s or ` : ""}${(below + tick) / 1e6} s`,
  });
}
