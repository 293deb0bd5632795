/**
 * Derives PX4 parameters from the vehicle and from PX4's airframe scripts.
 *
 * Control allocation gets its rotors from the plant, so that a vehicle cannot fly with the geometry of a different
 * vehicle. Parameters in the flight file override everything here.
 */
import { defineErrors, nearestName, parameterSpecs } from "@escapement/core";
import type { RotorGeometry } from "./context.ts";

export type Parameters = Readonly<Record<string, number>>;

export const px4Errors = defineErrors("PX4", {
  geometry: {
    number: 1,
    title: "PX4 cannot fly these rotors",
    explain: "PX4's control allocation supports up to 12 rotors, on consecutive motor channels from the first.",
  },
  gyroPeriod: {
    number: 2,
    title: "stock PX4 cannot use a gyroscope this fast",
    explain:
      "Stock PX4 answers a step when its rate control has run, which happens at most 1000 times per second. If the gyroscope's period is 1 ms or more, PX4 answers every sample.",
  },
});

/** PX4's default thrust coefficient; only the ratios between rotors matter. */
const THRUST_COEFFICIENT = 6.5;
const MAX_ROTORS = 12;
const FIRST_MOTOR_FUNCTION = 101;
const MULTIROTOR_AIRFRAME = 0;

/** Values by which PX4's start script for multicopters replaces the firmware's defaults. */
export const MULTICOPTER_DEFAULTS: Parameters = { NAV_ACC_RAD: 2, RTL_RETURN_ALT: 30, RTL_DESCEND_ALT: 10 };

/** Maximum number of names that a warning lists. */
const MAX_LISTED = 5;
/** Parameters of the embedded autopilot, which users change most often. */
const COMMON_NAMES = [...parameterSpecs([]).keys()];

/**
 * Returns the warning about parameters of the flight that PX4 does not have. This is not an error, because a ground
 * station's file contains parameters of drivers and of other versions, and a definition does not record which names
 * were typed.
 */
export function noEffectWarning(names: readonly string[], why: string): string {
  const listed = names.slice(0, MAX_LISTED).map((name) => {
    const near = nearestName(name, COMMON_NAMES);
    return near === undefined || near === name ? name : `${name} (did you mean ${near}?)`;
  });
  const more = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : "";
  return `without effect: ${listed.join(", ")}${more}, ${why}`;
}

/** Returns the geometry for control allocation: PX4's rotor i is motor channel i. */
export function allocationParameters(rotors: readonly RotorGeometry[]): Parameters {
  const sorted = [...rotors].sort((a, b) => a.channel - b.channel);
  if (sorted.length === 0 || sorted.length > MAX_ROTORS || sorted.some((rotor, i) => rotor.channel !== i)) {
    throw px4Errors.geometry({
      what: `the rotors are on motor channels ${sorted.map((rotor) => rotor.channel + 1).join(", ") || "none"}`,
      fix: `give 1 to ${MAX_ROTORS} rotors, on motor channels 1, 2, 3 … without a gap`,
    });
  }
  const parameters: Record<string, number> = { CA_AIRFRAME: MULTIROTOR_AIRFRAME, CA_ROTOR_COUNT: sorted.length };
  sorted.forEach((rotor, i) => {
    const name = `CA_ROTOR${i}_`;
    for (const [k, axis] of ["X", "Y", "Z"].entries()) {
      parameters[`${name}P${axis}`] = rotor.posBody[k]!;
      parameters[`${name}A${axis}`] = rotor.axisBody[k]!;
    }
    parameters[`${name}KM`] = rotor.torqueRatioM;
    parameters[`${name}CT`] = THRUST_COEFFICIENT * (rotor.relativeThrust ?? 1);
  });
  return parameters;
}

/** Limits of the rate control's frequency that PX4 offers (IMU_GYRO_RATEMAX), in Hz. */
const RATE_LIMITS_HZ = [400, 800, 1000];
/** Samples up to this rate need no change, because PX4's start script integrates them at this rate (IMU_INTEG_RATE). */
const INTEGRATED_HZ = 250;

/** Returns parameters that let PX4 run its rate control, and answer, at every sample of a fast gyroscope. */
export function gyroParameters(periodS: number): Parameters {
  const rateHz = Math.round(1 / periodS);
  if (rateHz <= INTEGRATED_HZ) return {};
  const limitHz = RATE_LIMITS_HZ.find((limit) => limit >= rateHz);
  if (limitHz === undefined) {
    throw px4Errors.gyroPeriod({
      what: `a gyroscope period of ${periodS} s is shorter than PX4 can use`,
      where: { key: "sensors.imu.periodS" },
      fix: `use ${1 / RATE_LIMITS_HZ.at(-1)!} s or more; 0.004 s suits stock PX4`,
    });
  }
  return { IMU_GYRO_RATEMAX: limitHz, IMU_INTEG_RATE: rateHz };
}

/** Returns the output functions: output i of the simulated driver is motor i. */
export function outputParameters(rotorCount: number): Parameters {
  const entries = Array.from({ length: rotorCount }, (_, i) => [`PWM_MAIN_FUNC${i + 1}`, FIRST_MOTOR_FUNCTION + i]);
  return Object.fromEntries(entries) as Parameters;
}
