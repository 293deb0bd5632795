/**
 * The contracts of integration: what has derivatives, what advances it, and how to look inside a step.
 *
 * An integrator stands below the engine and knows no plant, only `Dynamics`: a layout and a pure right-hand side. It is
 * called once an interval, lands exactly on the interval's end, and its memory is small enough to be kept and taken
 * back around a trial integration. Hot calls take typed arrays, because a fractional number passed through a call that
 * is not inlined is boxed.
 */
import type { Saveable, StateLayout } from "../state/index.ts";

/** A right-hand side: pure in (time, x, u), all memory in x. */
export interface Dynamics {
  readonly layout: StateLayout;
  /** `timeS[0]` is seconds. */
  derivativesInto(dx: Float64Array, timeS: Float64Array, x: Float64Array, u: Float64Array): void;
}

export interface IntegratorStats {
  evaluations: number;
  accepted: number;
  rejected: number;
  /** Located instants that made the integrator restart. */
  seams: number;
  /** Steps at the minimum size that the policy accepted with too large an error. */
  forced: number;
}

/** One accepted step, for looking inside it. θ runs from 0 at its start to 1 at its end. */
export interface DenseStep {
  readonly startUs: number;
  readonly endUs: number;
  readonly xStart: Float64Array;
  readonly xEnd: Float64Array;
  interpolateInto(x: Float64Array, theta: number): void;
}

/** Looks at every accepted step; true ends the integration there, because something was found inside. */
export interface Watch {
  readonly look: (step: DenseStep) => boolean;
}

/** Bound to a plant and its input; lands exactly on the interval's end. */
export interface Integrator extends Saveable {
  readonly order: number;
  readonly stats: IntegratorStats;
  /**
   * Advances x in place over `[span[0], span[1]]` (whole microseconds). False if `watch` ended it: x and the memory
   * are then to be taken back by the caller.
   */
  advance(span: Float64Array, x: Float64Array, watch?: Watch): boolean;
  /** Forgets step-size history: a discontinuity lies between the last end and the next start. */
  restart(): void;
  /** The memory into and out of a plain array, for taking a trial back without allocating. */
  readonly memorySize: number;
  keepInto(memory: Float64Array): void;
  takeBack(memory: Float64Array): void;
}

/** What an integrator is made for. */
export interface IntegratorContext {
  readonly plant: Dynamics;
  readonly u: Float64Array;
}
