/**
 * Steps by code, on random programs: every registered method, and one that is not, gives the bits that it gives without.
 *
 * Unlike a single evaluation, a step holds on to what stays the same over an interval while the state moves.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Dynamics, Integrator, IntegratorContext } from "../../packages/core/src/integrate/index.ts";
import { integratorKinds } from "../../packages/core/src/integrate/index.ts";
import { fixedStepKind } from "../../packages/core/src/integrate/fixed-step.ts";
import type { Kind } from "../../packages/core/src/params/index.ts";
import { Refusal } from "../../packages/core/src/specialise/refusal.ts";
import { SimError } from "../../packages/core/src/errors/index.ts";
import { isAdaptive, spanUs } from "../support/dynamics.ts";
import { codeOf, integratorOf, kernelOf, type Made, plantOf } from "./support/equations.ts";
import { constants, finiteState, INPUTS, programs, SCRATCH, SIZE, tameState } from "./support/random-programs.ts";

/** Its first slope does not reach the end, unlike that of all registered methods. */
const midpoint = fixedStepKind({
  name: "midpoint",
  about: "Second order, two evaluations a step",
  version: 1,
  tableau: { order: 2, c: [0, 1 / 2], a: [[], [1 / 2]], b: [0, 1] },
});

function make(kind: Kind<Integrator, IntegratorContext>, plant: Dynamics, u: Float64Array, made?: Made): Integrator {
  const given = isAdaptive(kind) ? { maxSteps: 40, toleranceScale: 1e4 } : { substepUs: 700 };
  return integratorOf(kind, { plant, u, ...(made === undefined ? {} : codeOf(made)) }, given);
}

/** States after every interval, until the integrator has had enough. */
function advance(integrator: Integrator, x: Float64Array, u: Float64Array): string[] {
  const seen: string[] = [];
  try {
    for (let k = 0; k < 6; k += 1) {
      if (k === 3) u[0] = -u[0]!;
      integrator.advance(spanUs(1000 * k, 1000 * (k + 1)), x);
      seen.push([...x].map((value) => (Object.is(value, -0) ? "-0" : String(value))).join(" "));
    }
  } catch (error) {
    if (!(error instanceof SimError)) throw error;
    seen.push(error.code);
  }
  return seen;
}

describe.each([...integratorKinds, midpoint])("$name", (kind) => {
  it("gives the same bits by code, from wherever it starts", () => {
    let sound = 0;
    const property = fc.property(
      programs,
      constants,
      fc.array(tameState, { minLength: 10, maxLength: 10 }),
      fc.array(finiteState, { minLength: 3, maxLength: 3 }),
      (program, p, tame, finite) => {
        const given = { program, p, n: [1, 0], size: SIZE, inputs: INPUTS, scratchSize: SCRATCH };
        const plant = plantOf({ ...given, examples: tame.slice(0, 8) });
        let made: Made;
        try {
          made = kernelOf(plant);
        } catch (error) {
          if (error instanceof Refusal) return;
          throw error;
        }
        for (const start of [...tame.slice(7), ...finite]) {
          const both = [undefined, made].map((code) => {
            const [x, u] = [Float64Array.from(start.slice(0, SIZE)), Float64Array.from(start.slice(SIZE))];
            const integrator = make(kind, plant, u, code);
            const seen = advance(integrator, x, u);
            if (integrator.isSound === true) sound += 1;
            return seen;
          });
          expect(both[1]).toEqual(both[0]);
        }
      },
    );
    fc.assert(property, { numRuns: Number(process.env["FC_RUNS"] ?? 60) });
    expect(sound).toBeGreaterThan(30);
  });
});
