/**
 * Ornstein–Uhlenbeck wind: a mean and, on each axis, a gust with correlation time τ.
 *
 * dv = −v/τ·dt + σ·√(2/τ)·dW, advanced exactly by v ← φ·v + σ·s·ξ with φ = e^(−dt/τ), s = √(1 − φ²) (Gillespie 1996,
 * "Exact numerical simulation of the Ornstein–Uhlenbeck process", Phys. Rev. E 54, equation 1.9a). Its variance σ² and
 * its spectrum do not depend on the step. It starts in its stationary state or from zero; from zero, its variance grows
 * as σ²·(1 − e^(−2t/τ)). Both cases draw the same random numbers.
 */
import { exp, expm1 } from "../../math/index.ts";
import { defineKind, defineParams } from "../../params/index.ts";
import { ANY, atLeast, choice, number, vector } from "../../params/rows.ts";
import { RandomStream } from "../../random/index.ts";
import { withMemory } from "../../snapshot/index.ts";
import { usToSeconds } from "../../time/index.ts";
import type { WindContext, WindModel } from "./wind-model.ts";

const params = defineParams({
  meanNedMps: vector(3, "m/s", ANY, "Mean velocity of the air.", [0, 0, 0]),
  sigmaNedMps: vector(3, "m/s", atLeast(0), "Standard deviation on each axis.", [1.5, 1.5, 0.5]),
  tauS: number("s", atLeast(1e-6), "Correlation time.", 3),
  start: choice(["stationary", "zero"], "Whether the gusts are stationary at t0 or start from zero.", "stationary"),
});

export const ou = defineKind({
  name: "ou",
  about: "A mean wind with Ornstein–Uhlenbeck gusts, exact at any step.",
  version: 1,
  params,
  make: (given, { seed, periodUs, stream = "wind" }: WindContext): WindModel => {
    const { meanNedMps, sigmaNedMps, tauS, start } = given;
    const theta = usToSeconds(periodUs) / tauS;
    const phi = exp(-theta);
    const s = Math.sqrt(-expm1(-2 * theta));
    const streams = ["n", "e", "d"].map((axis) => new RandomStream(seed, `${stream}/${axis}`));
    const draw = new Float64Array(1);
    const gust = Float64Array.from(streams, (axis, i) => {
      const first = axis.gaussian();
      return start === "zero" ? 0 : sigmaNedMps[i]! * first;
    });
    return {
      sampleInto(windNed) {
        for (let i = 0; i < 3; i += 1) {
          windNed[i] = meanNedMps[i]! + gust[i]!;
          streams[i]!.gaussiansInto(draw);
          gust[i] = phi * gust[i]! + sigmaNedMps[i]! * s * draw[0]!;
        }
      },
      ...withMemory(gust, streams),
    };
  },
});
