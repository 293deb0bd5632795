/**
 * The contracts of integration: what has derivatives, what advances it, and how to look inside a step.
 *
 * An integrator stands below the engine and knows no plant, only `Dynamics`: a layout and a pure right-hand side. It is
 * called once an interval, lands exactly on the interval's end, and its memory is small enough to be kept and taken
 * back around a trial integration. Hot calls take typed arrays, because a fractional number passed through a call that
 * is not inlined is boxed.
 */
import type { Kind, NamedKind, ParamTable } from "../params/index.ts";
import type { Saveable, StateLayout } from "../state/index.ts";
import type { Tableau } from "./tableau.ts";

/** A right-hand side: pure in (time, x, u), all memory in x. */
export interface Dynamics {
  readonly layout: StateLayout;
  /** `timeS[0]` is seconds. */
  derivativesInto(dx: Float64Array, timeS: Float64Array, x: Float64Array, u: Float64Array): void;
  /** The same as data, for those who want to have code made for them (`compile/`). */
  readonly equations?: Equations;
}

/**
 * A function of a right-hand side that the compiler calls instead of following it, with the cells of scratch that it reads
 * and changes. Both depend on the number that the function is called with, if any. A cell that it changes only sometimes
 * counts as read too.
 */
export interface OpaqueCall {
  readonly run: (...args: never[]) => void;
  readonly reads: (which: number) => readonly number[];
  readonly writes: (which: number) => readonly number[];
}

/** A right-hand side with outputs, whose slope and scratch are read afterwards, before the next evaluation. */
export interface Evaluation {
  readonly slope: Float64Array;
  readonly scratch: Float64Array;
  evaluate(timeS: Float64Array, x: Float64Array, u: Float64Array): void;
}

/**
 * Open bounds of some states, by index, in any order. While all of them are inside, the plant's `project` has nothing to
 * correct and its seams are far away: no event can occur in a step that starts and ends there.
 */
export interface ClearBounds {
  readonly states: readonly number[];
  readonly low: readonly number[];
  readonly high: readonly number[];
}

/**
 * A right-hand side as data and everything needed to make code of it. Its function takes arrays by these names: `dx`
 * slope, `x` state, `u` input, `timeS` time, `w` scratch; all others are constants of the plant.
 */
export interface Equations {
  /** Made from the source by `tools/compile`. */
  readonly program: string;
  readonly constants: Readonly<Record<string, Float64Array | Int32Array>>;
  readonly scratchSize: number;
  readonly inputSize: number;
  readonly calls: Readonly<Record<string, OpaqueCall>>;
  /** The source itself: what the program was made from. */
  readonly into: (dx: Float64Array, timeS: Float64Array, x: Float64Array, u: Float64Array, w: Float64Array) => void;
  /** What `program` makes outputs by, if it does: from slope and scratch into scratch. */
  readonly outputsInto?: Equations["into"];
  /** Takes code over that does the same, for outputs. */
  readonly adopt?: (evaluation: Evaluation) => void;
  /**
   * A cell of scratch that is not zero where there is no result: `derivativesInto` knows what to do then. It may look at
   * the time only if the equations do.
   */
  readonly refusedAt?: number;
  /** Cells of scratch that are read after an evaluation; absent: all of them. */
  readonly outputCells?: readonly number[];
  /** States inside these bounds are clear of events. */
  readonly clearBounds?: ClearBounds;
  /** States and inputs that between them take every branch that matters. */
  readonly exampleCount: number;
  readonly exampleInto: (x: Float64Array, u: Float64Array, k: number) => void;
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
export interface EventFinder {
  inspect(step: DenseStep): boolean;
  /** Nothing can be found in the next step if it ends calm (`ClearBounds`). */
  readonly isClearOfEvents?: boolean;
}

/** Bound to a plant and its input; lands exactly on the interval's end. */
export interface Integrator extends Saveable {
  readonly order: number;
  readonly stats: IntegratorStats;
  /** True where the state that the last `advance` left is known to be finite, with attitudes of unit length. */
  readonly isValid?: boolean;
  /** True where that state is known to be calm (`ClearBounds`). */
  readonly isClearOfEvents?: boolean;
  /**
   * Advances x in place over `[span[0], span[1]]` (whole microseconds). False if `finder` ended it: x is then as it was,
   * and the memory is to be taken back by the caller.
   */
  advance(span: Float64Array, x: Float64Array, finder?: EventFinder): boolean;
  /** Forgets step-size history: a discontinuity lies between the last end and the next start. */
  restart(): void;
  /** The memory into and out of a plain array, for taking a trial back without allocating. */
  readonly memorySize: number;
  saveInto(memory: Float64Array): void;
  restoreFrom(memory: Float64Array): void;
}

/** The memory of a Runge–Kutta method, which its code works in. */
export interface MethodMemory {
  /** State at the start of the step, of the stage being evaluated, and at the end. */
  readonly base: Float64Array;
  readonly stage: Float64Array;
  readonly end: Float64Array;
  /** The slopes of all stages, one behind the other. */
  readonly slopes: Float64Array;
  /** Every row's coefficients times the step size, one behind the other. */
  readonly weights: Float64Array;
  /** Seconds of the stage; start and size of the step in µs; the nodes of the tableau. */
  readonly clock: Float64Array;
}

/**
 * The outcome of a compiled step. `REDO`: a guard failed, the reference must redo the step. `DONE`: the end state is made.
 * `VALID`: it is finite, with attitudes of unit length. `CLEAR`: it is also clear of events (`ClearBounds`).
 */
export const REDO = 0;
export const DONE = 1;
export const VALID = 2;
export const CLEAR = 3;
export type StepStatus = typeof REDO | typeof DONE | typeof VALID | typeof CLEAR;

/** The step of one method, compiled for one right-hand side. Flights share its memory, and claim it before each use. */
export interface CompiledMethod {
  readonly memory: MethodMemory;
  /** False: another flight used the memory since the last claim, so its content is lost. */
  claim(): boolean;
  /** Copies state and input into the memory. */
  loadStart(x: Float64Array, u: Float64Array): void;
  /** Computes the slope at the start of the step. False: a guard failed, the reference must compute it. */
  startSlope(): boolean;
  /** From base and the first slope to the end. */
  step(): StepStatus;
  /** The slope at the end becomes the slope at the start, for an FSAL method. */
  carrySlope(): void;
  /** Fills `value` with the size of the error of a valid step. False: it is not finite. */
  measureError(absolute: Float64Array, relative: Float64Array, angle: Float64Array, value: Float64Array): boolean;
  /** Copies the end state out. */
  copyEndInto(x: Float64Array): void;
}

/** What an integrator is made for. */
export interface IntegratorContext {
  readonly plant: Dynamics;
  readonly u: Float64Array;
  /** Compiles a method for the plant, if that is possible. */
  readonly code?: (tableau: Tableau) => CompiledMethod | undefined;
}

/** `fixed`: one step per interval, or steps of `substepUs`. `adaptive`: steps as long as the tolerances allow. */
export type Stepping = "fixed" | "adaptive";

/** The kind of an integrator. Checks on the step length apply only if it declares its `stepping`. */
export type IntegratorKind = Kind<Integrator, IntegratorContext> & { readonly stepping?: Stepping };

/** A kind of this folder, with its name and parameter table as types. */
export type NamedIntegrator<Name extends string, T extends ParamTable> = NamedKind<
  Integrator,
  IntegratorContext,
  Name,
  T
> & { readonly stepping: Stepping; readonly tableau: Tableau };
