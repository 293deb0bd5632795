/**
 * The inputs of a raw sensor at assembly, and its axis.
 *
 * Sensors read the true state, the plant's derived outputs and the scenario's faults. Functions provide geodetic
 * position and magnetic field, because sources do not depend on the model of the Earth.
 */
import type { Readable } from "../../engine/contracts.ts";
import { defineErrors } from "../../errors/index.ts";
import { secondsToUs } from "../../time/seconds.ts";
import { periodicAxis } from "../../time/axis.ts";
import type { PeriodicAxis } from "../../time/axis.ts";

/** The properties of the vehicle from which vibration is computed. Body axes, from the centre of mass. */
export interface Airframe {
  readonly massKg: number;
  /** Entries xx, yy, zz, xy, xz, yz of the inverse of the inertia tensor. */
  readonly inverseInertia: readonly number[];
  readonly propeller: { readonly radiusM: number; readonly blades: number; readonly inertiaKgM2: number };
  readonly rotors: readonly {
    readonly posBody: readonly number[];
    /** Unit vector opposite to the thrust. */
    readonly axisBody: readonly number[];
    /** 1 if the rotor turns right-handed about this axis, otherwise −1. */
    readonly spin: number;
  }[];
}

export interface SensorContext {
  readonly seed: number;
  /** Sensors run at whole multiples of this period. */
  readonly autopilotPeriodUs: number;
  readonly startUs: number;
  /** Absent for plants without propellers. */
  readonly airframe?: Airframe;
  /** Writes latitude (deg), longitude (deg) and altitude above mean sea level (m) of a position in the local frame. */
  readonly geodeticInto: (out: Float64Array, posNed: Readable) => void;
  /** Writes the magnetic field (µT, north-east-down) at a position in the local frame. */
  readonly magneticFieldInto: (outNed: Float64Array, posNed: Readable) => void;
}

export const sensorErrors = defineErrors("SENSOR", {
  period: {
    number: 1,
    title: "a sensor's period does not fit the autopilot's",
    explain:
      "Sensors run immediately before the autopilot, so their periods and delays are whole multiples of its period. Choose one of the two periods given in the message.",
  },
});

/** Returns the axis of a sensor with a period. */
export function sensorAxis(context: SensorContext, name: string, periodS: number): PeriodicAxis {
  return periodicAxis({ periodUs: wholeTicksUs(context, `${name}.periodS`, periodS), startUs: context.startUs });
}

/** Converts a duration to microseconds. Throws if it is not a whole multiple of the autopilot's period. */
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
