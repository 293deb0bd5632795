/**
 * Range finder: a beam along body z to level ground.
 *
 * Distance = height of the sensor over ground / cos(tilt). Beyond its range, or with the beam pointing away from the
 * ground, there is no echo, and the validity flag is 0. Noise grows with distance.
 *
 * The defaults are those of a Garmin LIDAR-Lite v3: 5 cm to 40 m, steps of 1 cm. Its stated accuracy (±2.5 cm at 5 m,
 * ±10 cm at 40 m) is taken as two standard deviations.
 */
import type { Readable, Source } from "../../engine/contracts.ts";
import { defineKind } from "../../params/kind.ts";
import { defineParams } from "../../params/table.ts";
import { RandomStream } from "../../random/index.ts";
import { withMemory } from "../../snapshot/index.ts";
import { sensorAxis, type SensorContext } from "./context.ts";
import { FaultChannel } from "./fault-channel.ts";
import { downOfBody } from "./frames.ts";
import { ANY, above, atLeast, duration, number, vector } from "../../params/rows.ts";

// prettier-ignore
const params = defineParams({
  periodS: duration("Time between two samples.", 0.02),
  posBodyM: vector(3, "m", ANY, "Position of the sensor relative to the centre of mass.", [0, 0, 0]),
  groundDownM: number("m", ANY, "Down coordinate of the ground.", 0),
  minM: number("m", atLeast(0), "Shortest distance with an echo.", 0.05),
  maxM: number("m", above(0), "Longest distance with an echo.", 40),
  noiseM: number("m", atLeast(0), "Standard deviation of the noise at short distance.", 0.0071),
  noisePerM: number("1", atLeast(0), "Standard deviation added per metre of distance.", 0.00107),
  lsbM: number("m", atLeast(0), "Smallest step of the sensor; 0 for none.", 0.01),
});
const BEAM_BODY = [0, 0, 1] as const;
/** If the cosine of the tilt is below this, the beam does not reach the ground. */
const MIN_COSINE = 0.1;

export const rangeFinder = defineKind({
  name: "rangeFinder",
  about: "Beam along body z to level ground, with range, noise and resolution; by default a Garmin LIDAR-Lite v3.",
  version: 2,
  params,
  make: (p, context: SensorContext): Source<"rangeFinder"> => {
    const noise = new RandomStream(context.seed, "sensor.range.noise");
    const fault = new FaultChannel({ sensor: "range", size: 1, seed: context.seed });
    const reported = new Float64Array(1);
    let state: { readonly posNed: Readable; readonly qBodyToNed: Readable } | undefined;
    return {
      writer: "rangeFinder",
      axis: sensorAxis(context, "rangeFinder", p.periodS),
      update(clock, bus) {
        state ??= {
          posNed: bus.truth.block("posNed", "rangeFinder"),
          qBodyToNed: bus.truth.block("qBodyToNed", "rangeFinder"),
        };
        const heightM = p.groundDownM - state.posNed[2]! - downOfBody(state.qBodyToNed, p.posBodyM);
        const cosine = downOfBody(state.qBodyToNed, BEAM_BODY);
        const trueM = heightM / Math.max(cosine, MIN_COSINE);
        reported[0] = trueM + (p.noiseM + p.noisePerM * Math.abs(trueM)) * noise.gaussian();
        if (!fault.apply(reported, clock, bus)) return;
        const distanceM = p.lsbM > 0 ? Math.round(reported[0]! / p.lsbM) * p.lsbM : reported[0]!;
        const echo = cosine >= MIN_COSINE && distanceM >= p.minM && distanceM <= p.maxM;
        bus.rangeDistance[0] = echo ? distanceM : 0;
        bus.rangeValid[0] = echo ? 1 : 0;
        bus.rangeCount[0]! += 1;
      },
      ...withMemory(noise, fault),
    };
  },
});
