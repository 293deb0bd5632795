/**
 * Folding, on random programs: code gives the bits that running the program gives, or says that it is not to be trusted.
 *
 * The interpreter it is compared with shares nothing with the specialiser. `FC_SEED` tries other programs.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bindingOf } from "../../packages/core/src/specialise/kernel.ts";
import { Refusal } from "../../packages/core/src/specialise/refusal.ts";
import { compare, kernelOf, type Made, plantOf, type TestPlant } from "./support/equations.ts";
import {
  anyState,
  constants,
  finiteState,
  INPUTS,
  programs,
  SCRATCH,
  SIZE,
  tameState,
} from "./support/random-programs.ts";

const RUNS = Number(process.env["FC_RUNS"] ?? 250);
const wholes = fc.array(fc.integer({ min: -1, max: 2 }), { minLength: 2, maxLength: 2 });
const many = (state: typeof tameState) => fc.array(state, { minLength: 12, maxLength: 12 });

/** Code for a plant, or undefined where it is refused. */
function made(plant: TestPlant): Made | undefined {
  try {
    return kernelOf(plant);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

describe("random programs", () => {
  it("give the same bits as code, or none that are trusted", () => {
    const counts = { made: 0, refused: 0, trusted: 0, tried: 0 };
    const property = fc.property(
      programs,
      constants,
      wholes,
      fc.tuple(many(tameState), many(finiteState), many(anyState)),
      (program, p, n, [tame, finite, any]) => {
        const plant = plantOf({
          program,
          p,
          n,
          size: SIZE,
          inputs: INPUTS,
          scratchSize: SCRATCH,
          examples: tame.slice(0, 8),
        });
        const code = made(plant);
        if (code === undefined) {
          counts.refused += 1;
          return;
        }
        counts.made += 1;
        for (const state of [...tame, ...finite, ...any]) {
          const { isTrusted, differing } = compare(code, plant, state, 1.5);
          counts.tried += 1;
          if (!isTrusted) continue;
          counts.trusted += 1;
          if (differing.length > 0) {
            throw new Error(
              `at ${state.map(show).join(", ")}: ${differing.join("; ")}\n${code.kernel.evaluate.toString().length}`,
            );
          }
        }
      },
    );
    fc.assert(property, { numRuns: RUNS });
    expect(counts.made).toBeGreaterThan(3 * counts.refused);
    expect(counts.trusted).toBeGreaterThan(0.3 * counts.tried);
  });

  it("code that another plant of its structure takes over gives that plant's bits", () => {
    const counts = { taken: 0 };
    const property = fc.property(
      programs,
      fc.tuple(constants, constants, fc.array(fc.boolean(), { minLength: 6, maxLength: 6 })),
      wholes,
      fc.tuple(many(tameState), many(finiteState)),
      (program, [p, other, changes], n, [tame, finite]) => {
        const given = { program, n, size: SIZE, inputs: INPUTS, scratchSize: SCRATCH, examples: tame.slice(0, 8) };
        const code = made(plantOf({ ...given, p }));
        if (code === undefined) return;
        const plant = plantOf({ ...given, p: p.map((value, i) => (changes[i] === true ? other[i]! : value)) });
        const binding = bindingOf(code.kernel.code, plant);
        if (binding === undefined) return;
        counts.taken += 1;
        for (const state of [...tame, ...finite]) {
          const { isTrusted, differing } = compare({ kernel: code.kernel, binding }, plant, state);
          if (isTrusted && differing.length > 0)
            throw new Error(`at ${state.map(show).join(", ")}: ${differing.join("; ")}`);
        }
      },
    );
    fc.assert(property, { numRuns: RUNS });
    expect(counts.taken).toBeGreaterThan(20);
  });
});

function show(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}
