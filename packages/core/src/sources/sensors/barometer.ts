/**
 * Barometer: static pressure with position error, lag, slow drift and noise, and the altitude at which the standard
 * atmosphere has that pressure.
 *
 * Reported p = lag(p_true + C·½ρV²) + drift + noise (Beard & McLain 2012, ch. 7). The lag is the exact step of
 * τ·dy/dt = p − y over one period with constant p. Altitude: h = T₀/L · (1 − (p/p₀)^(R·L/g)), the 1976 standard.
 * Noise and step of the defaults are those of the TE MS5611-01BA03 at an oversampling of 4096 (0.012 and 0.01 mbar).
 */
import type { Source } from "../../engine/contracts.ts";
import { exp, pow } from "../../math/index.ts";
import { defineKind } from "../../params/kind.ts";
import { defineParams } from "../../params/table.ts";
import { withMemory } from "../../snapshot/index.ts";
import { sensorAxis, type SensorContext } from "./context.ts";
import { instrumentErrors } from "./noise.ts";
import { ANY, above, atLeast, duration, number } from "../../params/rows.ts";

// prettier-ignore
const params = defineParams({
  periodS: duration("Time between two samples.", 0.02),
  noisePa: number("Pa", atLeast(0), "Standard deviation of the noise of a sample.", 1.2),
  biasPa: number("Pa", ANY, "Constant error.", 0),
  wanderPa: number("Pa", atLeast(0), "Standard deviation of the slowly varying error.", 5),
  wanderTauS: number("s", above(0), "Correlation time of that error.", 600),
  lagS: number("s", atLeast(0), "Time constant of the pressure inside the sensor; 0 for none.", 0.02),
  positionErrorCoefficient: number("1", ANY, "Fraction of the dynamic pressure that acts on the port.", 0),
  lsbPa: number("Pa", atLeast(0), "Smallest step of the sensor; 0 for none.", 1),
  selfHeatingK: number("K", ANY, "Temperature of the sensor above that of the air.", 10),
});
const SEA_LEVEL_PA = 101_325;
const SEA_LEVEL_K = 288.15;
const LAPSE_K_PER_M = 0.0065;
const GRAVITY = 9.80665;
const GAS_CONSTANT = 287.05287;
const ALTITUDE_EXPONENT = (GAS_CONSTANT * LAPSE_K_PER_M) / GRAVITY;
const ZERO_CELSIUS_K = 273.15;

/** Returns the altitude at which the standard atmosphere has a pressure (troposphere). */
export function standardAltitude(pressurePa: number): number {
  return (SEA_LEVEL_K / LAPSE_K_PER_M) * (1 - pow(pressurePa / SEA_LEVEL_PA, ALTITUDE_EXPONENT));
}

export const barometer = defineKind({
  name: "barometer",
  about: "Static pressure with position error, lag, drift and noise.",
  version: 2,
  params,
  make: (p, context: SensorContext): Source<"barometer"> => {
    const errors = instrumentErrors("baro", [p.wanderPa], p, context);
    const { noise, wander, fault } = errors;
    const lagWeight = p.lagS > 0 ? 1 - exp(-p.periodS / p.lagS) : 1;
    const reported = new Float64Array(1);
    const inside = { pressurePa: 0, hasValue: false };
    return {
      writer: "barometer",
      axis: sensorAxis(context, "barometer", p.periodS),
      update(clock, bus) {
        const u = bus.airVelBody[0]!;
        const v = bus.airVelBody[1]!;
        const w = bus.airVelBody[2]!;
        const dynamicPa = 0.5 * bus.airDensity[0]! * (u * u + v * v + w * w);
        const atPort = bus.airPressure[0]! + p.positionErrorCoefficient * dynamicPa;
        inside.pressurePa = inside.hasValue ? inside.pressurePa + lagWeight * (atPort - inside.pressurePa) : atPort;
        inside.hasValue = true;
        wander.step();
        reported[0] = inside.pressurePa + p.biasPa + wander.value[0]! + p.noisePa * noise.gaussian();
        if (!fault.apply(reported, clock, bus)) return;
        // A faulty sensor must still report a positive pressure.
        const pressurePa = Math.max(1, p.lsbPa > 0 ? Math.round(reported[0]! / p.lsbPa) * p.lsbPa : reported[0]!);
        bus.baroPressure[0] = pressurePa;
        bus.baroAltitude[0] = standardAltitude(pressurePa);
        bus.baroTemperature[0] = bus.airTemperature[0]! - ZERO_CELSIUS_K + p.selfHeatingK;
        bus.baroCount[0]! += 1;
      },
      ...withMemory(errors, inside),
    };
  },
});
