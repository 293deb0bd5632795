/**
 * What a verification problem is: a plant with a known solution, and quantities that its motion must keep.
 *
 * Each problem is an ordinary plant of the engine, so that flying one exercises the very loop that flies a vehicle.
 * All its times are whole microseconds: solution and flight are compared at the same instant, never at one that a sum
 * of floating-point steps merely approaches.
 */
import type { Plant } from "../engine/index.ts";
import type { Block, ToleranceGroup } from "../state/index.ts";

/** A quantity that stays what it was at the start. */
export interface Invariant {
  readonly name: string;
  readonly unit: string;
  /** Of what size its change is to be judged; the invariant itself may be zero. */
  readonly scale: number;
  readonly valueOf: (x: Float64Array, tUs: number) => number;
}

export interface VerificationProblem {
  readonly name: string;
  /** One sentence: the equation and what it is hard in. */
  readonly about: string;
  readonly plant: Plant;
  /** How long it is flown. */
  readonly endUs: number;
  /** Step of the fixed-step methods; divides `sampleUs`. */
  readonly stepUs: number;
  /** Spacing of the instants at which the flight is compared with the solution; divides `endUs`. */
  readonly sampleUs: number;
  /** The true state at a time. */
  readonly solutionInto: (x: Float64Array, tUs: number) => void;
  readonly invariants: readonly Invariant[];
}

/** A block of plain numbers under tight error control: verification asks what a method can do. */
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
