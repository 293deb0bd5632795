/**
 * Wind that grows with height above the ground: the logarithmic law of a neutral surface layer, or a power law.
 *
 *   log:   W = W_ref·ln(h/z0)/ln(h_ref/z0), 0 at and below z0  (MIL-F-8785C 1980, section 3.7.3.4; Stull 1988, 9.7.1d)
 *   power: W = W_ref·(h/h_ref)^α, 0 at and below the ground    (Stull 1988, section 9.7; α ≈ 1/7 over open country)
 * The military specification gives the speed at 20 ft, and z0 as 0.15 ft (terminal flight) or 2 ft (elsewhere). It ends
 * at 1000 ft: above `topM` the wind no longer changes.
 */
import { log, pow } from "../../math/index.ts";
import { defineKind, defineParams } from "../../params/index.ts";
import { withMemory } from "../../snapshot/index.ts";
import { blowsToward, windFromDeg } from "./direction.ts";
import { windErrors } from "./errors.ts";
import type { WindModel } from "./wind-model.ts";

const params = defineParams({
  law: { type: "choice", options: ["log", "power"], default: "log", about: "Shape of the profile." },
  speedMps: { type: "number", unit: "m/s", min: 0, default: 5, about: "Wind speed at the reference height." },
  windFromDeg,
  referenceHeightM: {
    type: "number",
    unit: "m",
    min: 0,
    open: true,
    default: 6.096,
    about: "Height of that speed (20 ft).",
  },
  roughnessM: {
    type: "number",
    unit: "m",
    min: 0,
    open: true,
    default: 0.04572,
    about: "Roughness length z0 of the log law.",
  },
  exponent: { type: "number", unit: "1", min: 0, max: 2, default: 1 / 7, about: "Exponent of the power law." },
  topM: {
    type: "number",
    unit: "m",
    min: 0,
    open: true,
    default: 304.8,
    about: "Height above which the wind no longer grows.",
  },
});

export const shear = defineKind({
  name: "shear",
  about: "Wind that grows with height: logarithmic or power law.",
  version: 1,
  params,
  make: ({ law, speedMps, windFromDeg: fromDeg, referenceHeightM, roughnessM, exponent, topM }): WindModel => {
    if (law === "log" && referenceHeightM <= roughnessM) {
      throw windErrors.badShear({
        what: `the wind is given at ${referenceHeightM} m, and the roughness length is ${roughnessM} m`,
        where: { key: "referenceHeightM" },
        fix: "give the speed at a height above the roughness length",
      });
    }
    const toward = blowsToward(fromDeg);
    const perLog = law === "log" ? speedMps / log(referenceHeightM / roughnessM) : 0;
    return {
      isSteady: true,
      sampleInto(windNed, { posNed }) {
        const heightM = Math.min(-posNed[2]!, topM);
        let speed = 0;
        if (law === "log") speed = heightM > roughnessM ? perLog * log(heightM / roughnessM) : 0;
        else speed = heightM > 0 ? speedMps * pow(heightM / referenceHeightM, exponent) : 0;
        windNed[0] = speed * toward[0];
        windNed[1] = speed * toward[1];
        windNed[2] = 0;
      },
      ...withMemory(),
    };
  },
});
