/**
 * Airspeed sensor: a pitot tube along body x.
 *
 * Total minus static pressure is ½ρu² for flow from ahead; flow from behind causes suction of the same size, as in a
 * tube that is open at both ends. Bias, slow drift and noise are added (Beard & McLain 2012, ch. 7).
 *
 * The defaults are those of a TE MS4525DO of ±1 psi with output type A: 10 to 90 % of its 14 bits span the range, so a
 * count is 1.052 Pa. The data sheet gives no noise, and limits all errors to 1 % of the span, 138 Pa. An autopilot
 * removes most of them by zeroing before take-off. The noise of two counts and the drift after zeroing are estimates.
 */
import type { Source } from "../../engine/contracts.ts";
import { defineKind } from "../../params/kind.ts";
import { defineParams } from "../../params/table.ts";
import { withMemory } from "../../snapshot/index.ts";
import { sensorAxis, type SensorContext } from "./context.ts";
import { digitise, instrumentErrors } from "./noise.ts";
import { ANY, above, atLeast, duration, number } from "../../params/rows.ts";

// prettier-ignore
const params = defineParams({
  periodS: duration("Time between two samples.", 0.02),
  noisePa: number("Pa", atLeast(0), "Standard deviation of the noise of a sample.", 2),
  biasPa: number("Pa", ANY, "Constant error.", 0),
  wanderPa: number("Pa", atLeast(0), "Standard deviation of the slowly varying error.", 5),
  wanderTauS: number("s", above(0), "Correlation time of that error.", 600),
  rangePa: number("Pa", above(0), "Maximum pressure the sensor can report.", 6894.76),
  lsbPa: number("Pa", atLeast(0), "Smallest step of the sensor; 0 for none.", 1.052),
});

export const airspeed = defineKind({
  name: "airspeed",
  about: "Pitot tube along body x with bias, drift and noise; by default with a TE MS4525DO.",
  version: 2,
  params,
  make: (p, context: SensorContext): Source<"airspeed"> => {
    const errors = instrumentErrors("airspeed", [p.wanderPa], p, context);
    const { noise, wander, fault } = errors;
    const reported = new Float64Array(1);
    return {
      writer: "airspeed",
      axis: sensorAxis(context, "airspeed", p.periodS),
      update(clock, bus) {
        // The velocity of flow from ahead points backwards.
        const u = -bus.airVelBody[0]!;
        wander.step();
        const pressurePa = 0.5 * bus.airDensity[0]! * u * Math.abs(u);
        reported[0] = pressurePa + p.biasPa + wander.value[0]! + p.noisePa * noise.gaussian();
        const isReporting = fault.apply(reported, clock, bus);
        digitise(reported, p.rangePa, p.lsbPa);
        if (!isReporting) return;
        bus.pitotPressure[0] = reported[0]!;
        bus.pitotCount[0]! += 1;
      },
      ...withMemory(errors),
    };
  },
});
