/**
 * Wind that grows with height above the ground: the logarithmic law of a neutral surface layer, or a power law.
 *
 *   log:   W = W_ref·ln(h/z0)/ln(h_ref/z0), 0 at and below z0  (MIL-F-8785C 1980, section 3.7.3.4; Stull 1988, 9.7.1d)
 *   power: W = W_ref·(h/h_ref)^α, 0 at and below the ground    (Stull 1988, section 9.7; α ≈ 1/7 over open country)
 * The military specification gives the speed at 20 ft, and z0 as 0.15 ft (terminal flight) or 2 ft (elsewhere). Its
 * profile ends at 1000 ft, so the wind is constant above `topM`.
 */
import { log, pow } from "../../math/index.ts";
import { defineKind, defineParams } from "../../params/index.ts";
import { above, atLeast, choice, closed, number } from "../../params/rows.ts";
import { withMemory } from "../../snapshot/index.ts";
import { blowsToward, windFromDeg } from "./direction.ts";
import { windErrors } from "./errors.ts";
import type { WindModel } from "./wind-model.ts";

const params = defineParams({
  law: choice(["log", "power"], "Shape of the profile.", "log"),
  speedMps: number("m/s", atLeast(0), "Wind speed at the reference height.", 5),
  windFromDeg,
  referenceHeightM: number("m", above(0), "Height at which the wind has this speed (20 ft).", 6.096),
  roughnessM: number("m", above(0), "Roughness length z0 of the log law.", 0.04572),
  exponent: number("1", closed(0, 2), "Exponent of the power law.", 1 / 7),
  topM: number("m", above(0), "Height above which the wind no longer grows.", 304.8),
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
