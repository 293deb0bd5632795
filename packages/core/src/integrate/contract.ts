/**
 * The contracts of integration: dynamics with derivatives, integrators that advance a state, interpolation in a step.
 *
 * An integrator does not depend on the engine or on a plant, only on `Dynamics`: a layout and a pure right-hand side.
 * The engine calls the integrator once per interval. The integration ends exactly at the interval's end, and the
 * integrator's memory is small enough to save and restore around a trial integration. Hot calls take typed arrays,
 * because a fractional number passed to a call that is not inlined is boxed.
 */
import type { Kind, NamedKind, ParamTable } from "../params/index.ts";
import type { Saveable, StateLayout } from "../state/index.ts";
import type { Tableau } from "./tableau.ts";

/** A right-hand side: a pure function of (time, x, u). All memory is in x. */
export interface Dynamics {
  readonly layout: StateLayout;
  /** `timeS[0]` is the time in seconds. */
  derivativesInto(dx: Float64Array, timeS: Float64Array, x: Float64Array, u: Float64Array): void;
  /** The same right-hand side as data, from which `compile/` can generate code. */
  readonly equations?: Equations;
}

/**
 * A function that the equations call and that the compiler does not translate: the compiled code calls it too. `reads`
 * and `writes` return the scratch cells that it reads and changes; if a number is passed to the function, they may
 * depend on that number. A cell that it changes only sometimes must be among the cells that it reads.
 */
export interface OpaqueCall {
  readonly run: (...args: never[]) => void;
  readonly reads: (which: number) => readonly number[];
  readonly writes: (which: number) => readonly number[];
}

/** A right-hand side with outputs. The next evaluation overwrites its slope and scratch. */
export interface Evaluation {
  readonly slope: Float64Array;
  readonly scratch: Float64Array;
  evaluate(timeS: Float64Array, x: Float64Array, u: Float64Array): void;
}

/**
 * Open bounds of some states, by index, in any order. While all of these states are inside, the plant's `project` has
 * nothing to correct and no seam is near. No event can occur in a step that starts and ends inside.
 */
export interface ClearBounds {
  readonly states: readonly number[];
  readonly low: readonly number[];
  readonly high: readonly number[];
}

/**
 * A right-hand side as data, with everything needed to generate code from it. Its function takes arrays with these
 * names: `dx` slope, `x` state, `u` input, `timeS` time, `w` scratch. All other arrays are constants of the plant.
 */
export interface Equations {
  /** The program that `tools/compile` made from the source. */
  readonly program: string;
  readonly constants: Readonly<Record<string, Float64Array | Int32Array>>;
  readonly scratchSize: number;
  readonly inputSize: number;
  readonly calls: Readonly<Record<string, OpaqueCall>>;
  /** The source from which the program was made. */
  readonly into: (dx: Float64Array, timeS: Float64Array, x: Float64Array, u: Float64Array, w: Float64Array) => void;
  /** The source of the program's outputs, if it has any: computes them from slope and scratch into scratch. */
  readonly outputsInto?: Equations["into"];
  /** Installs compiled code that computes the same outputs. */
  readonly adopt?: (evaluation: Evaluation) => void;
  /**
   * A scratch cell that is non-zero if the evaluation has no result. `derivativesInto` is then called instead; it may
   * read the time only if the equations do.
   */
  readonly refusedAt?: number;
  /**
   * States that the plant's jump may change, and inputs that change with them. If only these have changed since the
   * last evaluation, only the parts of the equations that depend on them are evaluated again.
   */
  readonly jumped?: { readonly states: readonly number[]; readonly inputs: readonly number[] };
  /** Scratch cells that are read after an evaluation. Absent: all of them. */
  readonly outputCells?: readonly number[];
  /** While states are inside these bounds, no event can occur. */
  readonly clearBounds?: ClearBounds;
  /** Number of example states and inputs, which together take every relevant branch. */
  readonly exampleCount: number;
  readonly exampleInto: (x: Float64Array, u: Float64Array, k: number) => void;
}

export interface IntegratorStats {
  evaluations: number;
  accepted: number;
  rejected: number;
  /** Located seams; the integrator restarted at each of them. */
  seams: number;
  /** Steps at the minimum size that the policy accepted although their error was too large. */
  forced: number;
}

/** One accepted step, for interpolation inside it. θ runs from 0 at its start to 1 at its end. */
export interface DenseStep {
  readonly startUs: number;
  readonly endUs: number;
  readonly xStart: Float64Array;
  readonly xEnd: Float64Array;
  interpolateInto(x: Float64Array, theta: number): void;
}

/** Inspects every accepted step. `inspect` returns true if it found an event inside; the integration then ends. */
export interface EventFinder {
  inspect(step: DenseStep): boolean;
  /** True if the next step cannot contain an event, provided that it ends inside the `ClearBounds`. */
  readonly isClearOfEvents?: boolean;
  /**
   * Whether the equations change inside the step. The shortest step may contain a seam, because times are whole
   * microseconds; its error is then accepted.
   */
  readonly hasSeam?: (step: DenseStep) => boolean;
}

/** An integrator for one plant and its input. It stops exactly at the end of each interval. */
export interface Integrator extends Saveable {
  readonly order: number;
  readonly stats: IntegratorStats;
  /** True if the state after the last `advance` is known to be finite, with attitudes of unit length. */
  readonly isValid?: boolean;
  /** True if that state is known to be inside the `ClearBounds`. */
  readonly isClearOfEvents?: boolean;
  /**
   * Advances x in place over `[span[0], span[1]]` (whole microseconds). Returns false if `finder` ended it: x and the
   * memory are then unchanged.
   */
  advance(span: Float64Array, x: Float64Array, finder?: EventFinder): boolean;
  /** Clears the step-size history, because a discontinuity lies between the last end and the next start. */
  restart(): void;
  /** Number of values that `saveInto` writes to an array. With them, a trial can be undone without allocation. */
  readonly memorySize: number;
  saveInto(memory: Float64Array): void;
  restoreFrom(memory: Float64Array): void;
}

/** The working memory of a Runge–Kutta method. */
export interface MethodMemory {
  /** State at the start of the step, at the stage being evaluated, and at the end. */
  readonly base: Float64Array;
  readonly stage: Float64Array;
  readonly end: Float64Array;
  /** The slopes of all stages, one after another. */
  readonly slopes: Float64Array;
  /** The coefficients of every row times the step size, one row after another. */
  readonly weights: Float64Array;
  /** Time of the stage in seconds; start and size of the step in µs; the nodes of the tableau. */
  readonly clock: Float64Array;
}

/**
 * The status of a compiled step. `REDO`: a guard failed, so the reference must redo the step. `DONE`: the end state is
 * computed. `VALID`: it is finite, with attitudes of unit length. `CLEAR`: it is also clear of events (`ClearBounds`).
 */
export const REDO = 0;
export const DONE = 1;
export const VALID = 2;
export const CLEAR = 3;
export type StepStatus = typeof REDO | typeof DONE | typeof VALID | typeof CLEAR;

/** The step of one method, compiled for one right-hand side. Flights share its memory and claim it before each use. */
export interface CompiledMethod {
  readonly memory: MethodMemory;
  /** Returns false if another flight used the memory since the last claim, so that its content is lost. */
  claim(): boolean;
  /** Copies state and input into the memory. */
  loadStart(x: Float64Array, u: Float64Array): void;
  /** Computes the slope at the start of the step. False: a guard failed, so the reference must compute it. */
  startSlope(): boolean;
  /**
   * Computes the end state from the state and the slope at the start. `isLast`: the interval ends there, and outputs
   * may be read.
   */
  step(isLast: boolean): StepStatus;
  /** Makes the slope at the end the slope at the start, for an FSAL method. */
  carrySlope(): void;
  /** Fills `value` with the size of the error of a valid step. Returns false if it is not finite. */
  measureError(absolute: Float64Array, relative: Float64Array, angle: Float64Array, value: Float64Array): boolean;
  /** Copies the end state out. */
  copyEndInto(x: Float64Array): void;
}

/** The plant and the other inputs from which an integrator is made. */
export interface IntegratorContext {
  readonly plant: Dynamics;
  readonly u: Float64Array;
  /** Compiles a method for the plant, if possible. */
  readonly code?: (tableau: Tableau) => CompiledMethod | undefined;
}

/** `fixed`: one step per interval, or steps of `substepUs`. `adaptive`: steps as long as the tolerances allow. */
export type Stepping = "fixed" | "adaptive";

/** A kind of integrator, such as `rk45`. Checks of the step length apply only to kinds that declare `stepping`. */
export type IntegratorKind = Kind<Integrator, IntegratorContext> & { readonly stepping?: Stepping };

/** An integrator kind with its name and parameter table as types. */
export type NamedIntegrator<Name extends string, T extends ParamTable> = NamedKind<
  Integrator,
  IntegratorContext,
  Name,
  T
> & { readonly stepping: Stepping; readonly tableau: Tableau };
