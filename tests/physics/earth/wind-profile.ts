/**
 * Wind as a function of altitude, linear between knots and constant beyond them.
 *
 * Unlike the wind of the bus, it is evaluated in the right-hand side, because a body that falls fast through a shear
 * needs the wind at its current position, not at its position at the last boundary.
 */
import { defineParams } from "../../../packages/core/src/params/index.ts";
import type { ParamsOf } from "../../../packages/core/src/params/index.ts";
import { ANY, number, sections, vector } from "../../../packages/core/src/params/rows.ts";

const windKnot = defineParams({
  altitudeM: number("m", ANY, "Altitude of the knot, above that of the previous knot."),
  windNedMps: vector(3, "m/s", ANY, "Velocity of the air over ground at the knot."),
});

export const windProfileParam = sections(
  windKnot,
  { maxLength: 64 },
  "Knots of the wind over altitude; none means still air.",
  [],
);

export class WindProfile {
  private readonly altitudesM: Float64Array;
  private readonly windsNed: Float64Array;

  constructor(knots: readonly ParamsOf<typeof windKnot>[]) {
    this.altitudesM = Float64Array.from(knots, (knot) => knot.altitudeM);
    this.windsNed = Float64Array.from(knots.flatMap((knot) => [...knot.windNedMps]));
  }

  /** Writes the wind at `work[altitudeAt]` to three cells of `work` from `at`. */
  sampleInto(work: Float64Array, at: number, altitudeAt: number): void {
    const { altitudesM, windsNed } = this;
    const last = altitudesM.length - 1;
    const altitudeM = work[altitudeAt]!;
    if (last < 0) {
      work[at] = 0;
      work[at + 1] = 0;
      work[at + 2] = 0;
      return;
    }
    let k = 0;
    while (k < last && altitudeM >= altitudesM[k + 1]!) k += 1;
    const low = altitudesM[k]!;
    const next = k < last ? k + 1 : k;
    const inside = altitudeM > low && next > k;
    const t = inside ? (altitudeM - low) / (altitudesM[next]! - low) : 0;
    for (let i = 0; i < 3; i += 1) {
      const from = windsNed[3 * k + i]!;
      work[at + i] = from + t * (windsNed[3 * next + i]! - from);
    }
  }
}
