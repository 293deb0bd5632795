/**
 * A verification problem: a plant with a known solution, and quantities that its motion must conserve.
 *
 * Each problem is an ordinary plant, so that flying it tests the same loop that flies a vehicle. All its times are
 * whole microseconds, so solution and flight are compared at exactly the same time.
 */
import type { Plant } from "../engine/index.ts";
import type { Block, ToleranceGroup } from "../state/index.ts";

/** A quantity that keeps its initial value. */
export interface Invariant {
  readonly name: string;
  readonly unit: string;
  /** Scale by which changes are divided; the invariant itself may be zero. */
  readonly scale: number;
  readonly valueOf: (x: Float64Array, tUs: number) => number;
}

export interface VerificationProblem {
  readonly name: string;
  /** One sentence: the equation and its difficulty. */
  readonly about: string;
  readonly plant: Plant;
  /** Duration of the flight. */
  readonly endUs: number;
  /** Step of the fixed-step methods; divides `sampleUs`. */
  readonly stepUs: number;
  /** Interval between comparisons of the flight with the solution; divides `endUs`. */
  readonly sampleUs: number;
  /** The true state at a time. */
  readonly solutionInto: (x: Float64Array, tUs: number) => void;
  readonly invariants: readonly Invariant[];
}

/** Returns a vector block with tight tolerances, to measure what a method can achieve. */
export function block(options: {
  name: string;
  size?: number;
  unit: string;
  absolute?: number;
  group?: ToleranceGroup;
}): Block {
  const { name, size = 1, unit, absolute = 1e-10, group = name } = options;
  return { name, size, unit, kind: "vector", group, tolerance: { absolute, relative: 1e-10 } };
}
