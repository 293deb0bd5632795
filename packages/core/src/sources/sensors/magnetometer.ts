/**
 * Magnetometer: the field of the Earth in body axes, distorted by the vehicle, with noise.
 *
 * Model (Gebre-Egziabher et al. 2006): m = b + S·b + h + k·i + w + n, with the Earth's field b in body axes, soft iron
 * S, hard iron h, the coupling k to the batteries' total current i, a slowly varying offset w and white noise n. The
 * Earth's field varies by about 0.01 µT per kilometre, so it is expanded to first order around the origin once, at
 * construction.
 *
 * The defaults are those of a PNI RM3100 at 200 cycle counts: noise 15 nT, 75 counts per µT, ±800 µT (PNI's user
 * manual and its article on magneto-inductive sensors).
 */
import type { Readable, Source } from "../../engine/contracts.ts";
import { defineKind } from "../../params/kind.ts";
import { defineParams } from "../../params/table.ts";
import { withMemory } from "../../snapshot/index.ts";
import { sensorAxis, type SensorContext } from "./context.ts";
import { nedToBodyInto } from "./frames.ts";
import { digitise, instrumentErrors } from "./noise.ts";
import { ANY, above, atLeast, duration, number, vector } from "../../params/rows.ts";

// prettier-ignore
const params = defineParams({
  periodS: duration("Time between two samples.", 0.012),
  noiseUt: number("uT", atLeast(0), "Standard deviation of the noise of a sample.", 0.015),
  hardIronUt: vector(3, "uT", ANY, "Field of the vehicle itself, body axes.", [0, 0, 0]),
  softIron: vector(9, "1", ANY, "Soft-iron matrix S, row by row; S·b is added to the Earth's field b.", [0, 0, 0, 0, 0, 0, 0, 0, 0]),
  currentCouplingUtPerA: vector(3, "uT/A", ANY, "Field per ampere of total battery current, body axes.", [0, 0, 0]),
  wanderUt: number("uT", atLeast(0), "Standard deviation of the slowly varying offset.", 0.05),
  wanderTauS: number("s", above(0), "Correlation time of that offset.", 600),
  rangeUt: number("uT", above(0), "Maximum field the sensor can report.", 800),
  lsbUt: number("uT", atLeast(0), "Smallest step of the sensor; 0 for none.", 0.0133333),
});
/** Distance over which the field's gradient is taken. */
const PROBE_M = 10_000;

/** The Earth's field to first order around the origin. */
class LinearField {
  readonly valueNed = new Float64Array(3);
  private readonly atOrigin = new Float64Array(3);
  /** ∂B/∂pos, column by column. */
  private readonly gradient = new Float64Array(9);

  constructor({ magneticFieldInto }: SensorContext) {
    const posNed = new Float64Array(3);
    const ahead = new Float64Array(3);
    const behind = new Float64Array(3);
    magneticFieldInto(this.atOrigin, posNed);
    for (let axis = 0; axis < 3; axis += 1) {
      posNed[axis] = PROBE_M;
      magneticFieldInto(ahead, posNed);
      posNed[axis] = -PROBE_M;
      magneticFieldInto(behind, posNed);
      posNed[axis] = 0;
      for (let i = 0; i < 3; i += 1) this.gradient[3 * axis + i] = (ahead[i]! - behind[i]!) / (2 * PROBE_M);
    }
  }

  /** Computes `valueNed` at a position. */
  evaluate(posNed: Readable): void {
    const { valueNed, atOrigin, gradient } = this;
    for (let i = 0; i < 3; i += 1) {
      valueNed[i] =
        atOrigin[i]! + gradient[i]! * posNed[0]! + gradient[3 + i]! * posNed[1]! + gradient[6 + i]! * posNed[2]!;
    }
  }
}

export const magnetometer = defineKind({
  name: "magnetometer",
  about: "Magnetic field of the Earth with hard and soft iron, motor currents and noise; by default a PNI RM3100.",
  version: 2,
  params,
  make: (p, context: SensorContext): Source<"magnetometer"> => {
    const errors = instrumentErrors("mag", [p.wanderUt, p.wanderUt, p.wanderUt], p, context);
    const { noise, wander, fault } = errors;
    const earth = new LinearField(context);
    const fieldBody = new Float64Array(3);
    const reported = new Float64Array(3);
    let state: { readonly posNed: Readable; readonly qBodyToNed: Readable } | undefined;
    return {
      writer: "magnetometer",
      axis: sensorAxis(context, "magnetometer", p.periodS),
      update(clock, bus) {
        state ??= {
          posNed: bus.truth.block("posNed", "magnetometer"),
          qBodyToNed: bus.truth.block("qBodyToNed", "magnetometer"),
        };
        earth.evaluate(state.posNed);
        nedToBodyInto(fieldBody, state.qBodyToNed, earth.valueNed);
        let currentA = 0;
        for (let i = 0; i < bus.batteryCurrent.length; i += 1) currentA += bus.batteryCurrent[i]!;
        wander.step();
        for (let i = 0; i < 3; i += 1) {
          let field = fieldBody[i]! + p.hardIronUt[i]! + wander.value[i]!;
          for (let j = 0; j < 3; j += 1) field += p.softIron[3 * i + j]! * fieldBody[j]!;
          reported[i] = field + p.currentCouplingUtPerA[i]! * currentA + p.noiseUt * noise.gaussian();
        }
        const isReporting = fault.apply(reported, clock, bus);
        digitise(reported, p.rangeUt, p.lsbUt);
        if (!isReporting) return;
        for (let i = 0; i < 3; i += 1) bus.magFieldBody[i] = reported[i]!;
        bus.magCount[0]! += 1;
      },
      ...withMemory(errors),
    };
  },
});
