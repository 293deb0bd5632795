/**
 * Ornstein–Uhlenbeck wind: a mean and, on each axis, a gust with correlation time τ.
 *
 * dv = −v/τ·dt + σ·√(2/τ)·dW, advanced exactly by v ← φ·v + σ·s·ξ with φ = e^(−dt/τ), s = √(1 − φ²) (Gillespie 1996,
 * "Exact numerical simulation of the Ornstein–Uhlenbeck process", Phys. Rev. E 54, equations 1.9a). Its variance σ² and
 * its spectrum do not depend on the step. It starts in its stationary state or from zero; from zero, its variance grows
 * as σ²·(1 − e^(−2t/τ)). Both cases draw the same numbers.
 */
import { exp, expm1 } from "../../math/index.ts";
import { defineKind, defineParams } from "../../params/index.ts";
import type { ParamsOf } from "../../params/index.ts";
import { RandomStream } from "../../random/index.ts";
import type { SnapshotReader, SnapshotWriter } from "../../snapshot/index.ts";
import { usToSeconds } from "../../time/index.ts";
import type { WindContext, WindModel } from "./wind-model.ts";

const params = defineParams({
  meanNedMps: { type: "vector", unit: "m/s", size: 3, default: [0, 0, 0], about: "Mean velocity of the air." },
  sigmaNedMps: {
    type: "vector",
    unit: "m/s",
    size: 3,
    min: 0,
    default: [1.5, 1.5, 0.5],
    about: "Deviation on each axis.",
  },
  tauS: { type: "number", unit: "s", min: 1e-6, default: 3, about: "Correlation time." },
  start: {
    type: "choice",
    options: ["stationary", "zero"],
    default: "stationary",
    about: "Whether the gusts are stationary at t0 or start from zero.",
  },
});

class OuWind implements WindModel {
  private readonly params: ParamsOf<typeof params>;
  private readonly streams: readonly RandomStream[];
  private readonly gust = new Float64Array(3);
  private readonly draw = new Float64Array(1);
  private readonly phi: number;
  private readonly s: number;

  constructor(given: ParamsOf<typeof params>, { seed, periodUs, stream = "wind" }: WindContext) {
    this.params = given;
    const theta = usToSeconds(periodUs) / given.tauS;
    this.phi = exp(-theta);
    this.s = Math.sqrt(-expm1(-2 * theta));
    this.streams = ["n", "e", "d"].map((axis) => new RandomStream(seed, `${stream}/${axis}`));
    for (let i = 0; i < 3; i += 1) {
      const draw = this.streams[i]!.gaussian();
      this.gust[i] = given.start === "zero" ? 0 : given.sigmaNedMps[i]! * draw;
    }
  }

  sampleInto(windNed: Float64Array): void {
    const { gust, phi, s, draw } = this;
    const { meanNedMps, sigmaNedMps } = this.params;
    for (let i = 0; i < 3; i += 1) {
      windNed[i] = meanNedMps[i]! + gust[i]!;
      this.streams[i]!.gaussiansInto(draw);
      gust[i] = phi * gust[i]! + sigmaNedMps[i]! * s * draw[0]!;
    }
  }

  save(writer: SnapshotWriter): void {
    writer.numbers(this.gust);
    for (const stream of this.streams) stream.save(writer);
  }

  load(reader: SnapshotReader): void {
    reader.numbersInto(this.gust);
    for (const stream of this.streams) stream.load(reader);
  }
}

export const ou = defineKind({
  name: "ou",
  about: "A mean wind with Ornstein–Uhlenbeck gusts, exact at any step.",
  version: 1,
  params,
  make: (given, context: WindContext): WindModel => new OuWind(given, context),
});
