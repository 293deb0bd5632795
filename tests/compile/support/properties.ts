/**
 * Checks on random programs that compiled code gives the same bits as the interpreter, or reports a failed guard. Each
 * check counts its cases, so that a test can require enough of them.
 */
import fc from "fast-check";
import { SimError } from "../../../packages/core/src/errors/index.ts";
import type { ClearBounds } from "../../../packages/core/src/integrate/contract.ts";
import type { Integrator, IntegratorContext } from "../../../packages/core/src/integrate/index.ts";
import type { Kind } from "../../../packages/core/src/params/index.ts";
import { bindingOf } from "../../../packages/core/src/compile/kernel.ts";
import { NotCompilable } from "../../../packages/core/src/compile/program.ts";
import { isAdaptive, spanUs } from "../../support/dynamics.ts";
import { codeOf, compare, integratorOf, kernelOf, type Made, plantOf, type TestPlant } from "./equations.ts";
import { anyState, constants, finiteState, INPUTS, programs, SCRATCH, SIZE, tameState } from "./random-programs.ts";

export interface Runs {
  readonly numRuns: number;
  readonly seed?: number;
}

const SIZES = { size: SIZE, inputs: INPUTS, scratchSize: SCRATCH };
const wholes = fc.array(fc.integer({ min: -1, max: 2 }), { minLength: 2, maxLength: 2 });
const many = (state: typeof tameState, count = 12) => fc.array(state, { minLength: count, maxLength: count });
const someOfSix = fc.array(fc.boolean(), { minLength: 6, maxLength: 6 });

/** Makes the code for a plant; returns undefined if the plant cannot be compiled. */
function codeFor(plant: TestPlant): Made | undefined {
  try {
    return kernelOf(plant);
  } catch (error) {
    if (error instanceof NotCompilable) return undefined;
    throw error;
  }
}

/**
 * Returns true if no guard failed. Throws if a bit of the result, or of the fallback's result, differs from the
 * reference.
 */
function agreesAt(made: Made, plant: TestPlant, state: readonly number[]): boolean {
  const { isTrusted, differing } = compare(made, plant, state, 1.5);
  if (differing.length > 0) throw new Error(`at ${bitsOf(state)}: ${differing.join("; ")}`);
  return isTrusted;
}

function bitsOf(values: Iterable<number>): string {
  return [...values].map((value) => (Object.is(value, -0) ? "-0" : String(value))).join(" ");
}

/** Checks single evaluations at realistic states, at any finite states, and at states that are not finite. */
export function checkEvaluations(runs: Runs): { made: number; refused: number; trusted: number; tried: number } {
  const counts = { made: 0, refused: 0, trusted: 0, tried: 0 };
  const states = fc.tuple(many(tameState), many(finiteState), many(anyState));
  const property = fc.property(programs, constants, wholes, states, (program, p, n, [tame, finite, any]) => {
    const plant = plantOf({ program, p, n, ...SIZES, examples: tame.slice(0, 8) });
    const made = codeFor(plant);
    counts[made === undefined ? "refused" : "made"] += 1;
    if (made === undefined) return;
    for (const state of [...tame, ...finite, ...any]) {
      counts.tried += 1;
      if (agreesAt(made, plant, state)) counts.trusted += 1;
    }
  });
  fc.assert(property, runs);
  return counts;
}

/** Checks code made for one plant on a plant with different constants, if the structure allows it. */
export function checkSharedCode(runs: Runs): { shared: number } {
  const counts = { shared: 0 };
  const numbers = fc.tuple(constants, constants, someOfSix);
  const states = fc.tuple(many(tameState), many(finiteState));
  const property = fc.property(programs, numbers, wholes, states, (program, [p, other, changes], n, [tame, finite]) => {
    const given = { program, n, ...SIZES, examples: tame.slice(0, 8) };
    const made = codeFor(plantOf({ ...given, p }));
    const plant = plantOf({ ...given, p: p.map((value, i) => (changes[i] === true ? other[i]! : value)) });
    const binding = made && bindingOf(made.kernel.code, plant);
    if (made === undefined || binding === undefined) return;
    counts.shared += 1;
    for (const state of [...tame, ...finite]) agreesAt({ kernel: made.kernel, binding }, plant, state);
  });
  fc.assert(property, runs);
  return counts;
}

const CLEAR: ClearBounds = { states: [2, 0], low: [-1, -Infinity], high: [Infinity, 0.5] };

function isInside(x: Float64Array): boolean {
  return CLEAR.states.every((i, k) => x[i]! > CLEAR.low[k]! && x[i]! < CLEAR.high[k]!);
}

/**
 * Returns the states after every interval, until the integrator fails. Throws if `isClearOfEvents` contradicts the
 * bounds.
 */
function advance(integrator: Integrator, x: Float64Array, u: Float64Array): string {
  const seen: string[] = [];
  try {
    for (let k = 0; k < 6; k += 1) {
      if (k === 3) u[0] = -u[0]!;
      integrator.advance(spanUs(1000 * k, 1000 * (k + 1)), x);
      seen.push(bitsOf(x));
      if (integrator.isClearOfEvents !== (integrator.isValid === true && isInside(x)))
        throw new Error(`clearBounds at ${bitsOf(x)}?`);
    }
  } catch (error) {
    if (!(error instanceof SimError)) throw error;
    seen.push(error.code);
  }
  return seen.join(" | ");
}

/** Checks whole steps, which reuse values that stay constant over an interval. */
export function checkSteps(kind: Kind<Integrator, IntegratorContext>, runs: Runs): { valid: number } {
  const counts = { valid: 0 };
  const given = isAdaptive(kind) ? { maxSteps: 40, toleranceScale: 1e4 } : { substepUs: 700 };
  const states = fc.tuple(many(tameState), many(finiteState, 3));
  const property = fc.property(programs, constants, states, (program, p, [tame, finite]) => {
    const plant = plantOf({ program, p, n: [1, 0], ...SIZES, examples: tame.slice(0, 8), clearBounds: CLEAR });
    const made = codeFor(plant);
    if (made === undefined) return;
    for (const start of [...tame.slice(7), ...finite]) {
      const [byCode, byReference] = [codeOf(made), {}].map((code) => {
        const [x, u] = [Float64Array.from(start.slice(0, SIZE)), Float64Array.from(start.slice(SIZE))];
        const integrator = integratorOf(kind, { plant, u, ...code }, given);
        const seen = advance(integrator, x, u);
        if (integrator.isValid === true) counts.valid += 1;
        return seen;
      });
      if (byCode !== byReference) throw new Error(`from ${bitsOf(start)}: ${byCode} for ${byReference}`);
    }
  });
  fc.assert(property, runs);
  return counts;
}
