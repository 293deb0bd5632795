/**
 * The compiled step of one Runge–Kutta method over one kernel.
 *
 * The code is made once per kernel and tableau and kept with the kernel, so that V8 has already optimised it for the
 * next flight of the same structure. If a guard fails, the reference repeats the step and makes all further steps of
 * the interval. The code assumes that some states are still and never writes their slopes, but the reference writes
 * them; the memory is called dirty until these slopes are known to be +0 again.
 */
import { attitudeOffsets } from "../integrate/attitude.ts";
import { CachedBits } from "../integrate/bits.ts";
import { type CompiledMethod, type MethodMemory, REDO, type StepStatus } from "../integrate/contract.ts";
import { methodMemory } from "../integrate/runge-kutta.ts";
import { packTableau, type Tableau } from "../integrate/tableau.ts";
import type { StateLayout } from "../state/index.ts";
import { type FunctionText, type Maker, makerOf, mapped, requireOptimisable } from "./function-text.ts";
import { ALL_BUT_JUMP, type Binding, type Kernel, type Known, NOTHING } from "./kernel.ts";
import { printStep, type StepFacts } from "./step-printer.ts";

type MethodFunction = keyof ReturnType<typeof printStep>;
type OfMethod<T> = Readonly<Record<MethodFunction, T>>;
export type MethodMakers = OfMethod<Maker>;

/** The functions of a method, which share one memory. */
interface Functions {
  readonly memory: MethodMemory;
  readonly load: (x: Float64Array, u: Float64Array) => boolean;
  readonly start: () => boolean;
  readonly startAfterJump: () => boolean;
  readonly reuse: () => void;
  readonly step: () => StepStatus;
  readonly endSlope: () => boolean;
  readonly endOutputs: () => boolean;
  readonly carry: () => void;
  readonly measure: CompiledMethod["measureError"];
  readonly copyEnd: CompiledMethod["copyEndInto"];
}

/** The parameters of those functions that have any. */
const PARAMETERS: Partial<OfMethod<string>> = {
  load: "x, u",
  measure: "absolute, relative, angle, value",
  copyEnd: "x",
};
/** Names of the arrays and functions that the code uses (see `step-printer.ts`). */
const GIVEN = [..."ZBSELHTDKUOQ", "prepare", "rhs", "rhsAfterJump", "evaluate"];
/** Length of the array Q for results that must be stored early. */
const CELLS = 8;
/** The functions made so far for each kernel, by `methodKey`. */
const functionsByKernel = new WeakMap<Kernel, Map<string, Functions>>();

/** Identifies a method for states with attitudes at these offsets. */
export function methodKey(tableau: Tableau, layout: StateLayout): string {
  return JSON.stringify([tableau, [...attitudeOffsets(layout)]]);
}

export function printMethod(facts: StepFacts, tableau: Tableau, layout: StateLayout): OfMethod<FunctionText> {
  return mapped(printStep(facts, tableau, [...attitudeOffsets(layout)]), (body, name) => {
    requireOptimisable(body);
    return { head: `${name}(${PARAMETERS[name] ?? ""})`, body, given: GIVEN };
  });
}

/** A method's code, bound to one flight. */
export class FlightMethod implements CompiledMethod {
  readonly memory: MethodMemory;
  readonly copyEndInto: CompiledMethod["copyEndInto"];
  readonly measureError: CompiledMethod["measureError"];
  private readonly kernel: Kernel;
  private readonly binding: Binding;
  private readonly functions: Functions;
  /** True if no guard has failed since the interval started. */
  private isReady = false;
  /** True if the slopes of still states may differ from +0, because the reference or another flight wrote them. */
  private isDirty = false;
  /** How much of the first slope is known from the evaluation of outputs before the interval. */
  private known: Known = NOTHING;
  private readonly isFsal: boolean;
  /**
   * Whether the last step of the interval also computes the outputs at its end. True if outputs were requested since
   * the previous interval began, because they are then likely to be requested again.
   */
  private wantsOutputs = false;
  private readonly xBits = new CachedBits();
  private readonly uBits = new CachedBits();

  constructor(kernel: Kernel, binding: Binding, tableau: Tableau) {
    const functions = functionsOf(kernel, binding.plant.layout, tableau);
    this.kernel = kernel;
    this.binding = binding;
    this.isFsal = packTableau(tableau).fsal;
    this.functions = functions;
    this.memory = functions.memory;
    this.copyEndInto = functions.copyEnd;
    this.measureError = functions.measure;
  }

  claim(): boolean {
    const { kernel, binding } = this;
    if (kernel.user === this) return true;
    if (kernel.bound !== binding) kernel.bind(binding);
    kernel.user = this;
    this.isDirty = true;
    return false;
  }

  loadStart(x: Float64Array, u: Float64Array): void {
    const { kernel, xBits, uBits } = this;
    this.known = kernel.knownOf(xBits.of(x), uBits.of(u));
    kernel.isEvaluated = false;
    this.wantsOutputs = kernel.hasOutputRequest && !kernel.code.usesTime;
    kernel.hasOutputRequest = false;
    this.isReady = this.functions.load(x, u);
  }

  startSlope(): boolean {
    if (this.isReady) this.isReady = this.computeStart();
    this.known = NOTHING;
    if (!this.isReady) this.isDirty = true;
    else if (this.isDirty) this.clean(0);
    return this.isReady;
  }

  private computeStart(): boolean {
    const { known, functions } = this;
    if (known === NOTHING) return functions.start();
    if (known === ALL_BUT_JUMP) return functions.startAfterJump();
    functions.reuse();
    return true;
  }

  step(isLast: boolean): StepStatus {
    this.known = NOTHING;
    this.kernel.isEvaluated = false;
    if (!this.isReady) return REDO;
    if (this.isDirty) {
      // The reference computed the first slope, so check that the still states have slopes of +0.
      const { slopes } = this.memory;
      if (!this.kernel.code.still.every((i) => Object.is(slopes[i], 0))) return REDO;
      this.clean(1);
    }
    const status = this.functions.step();
    if (status !== REDO && (!this.isFsal || this.evaluateEnd(isLast))) return status;
    this.isReady = false;
    this.isDirty = true;
    return REDO;
  }

  /** Computes the slope at the end, with outputs if the boundary that follows is expected to read them. */
  private evaluateEnd(isLast: boolean): boolean {
    const { functions, kernel } = this;
    if (!isLast || !this.wantsOutputs) return functions.endSlope();
    kernel.isEvaluated = functions.endOutputs();
    return kernel.isEvaluated;
  }

  carrySlope(): void {
    this.functions.carry();
  }

  /** Zeroes the slopes of still states from a stage on, because the code does not write them. */
  private clean(stage: number): void {
    const { slopes } = this.memory;
    const { size, still } = this.kernel.code;
    for (let from = stage * size; from < slopes.length; from += size) for (const i of still) slopes[from + i] = 0;
    this.isDirty = false;
  }
}

function functionsOf(kernel: Kernel, layout: StateLayout, tableau: Tableau): Functions {
  const key = methodKey(tableau, layout);
  const byKey = functionsByKernel.get(kernel) ?? new Map<string, Functions>();
  functionsByKernel.set(kernel, byKey);
  const existing = byKey.get(key);
  if (existing !== undefined) return existing;
  const makers = kernel.code.methods[key] ?? mapped(printMethod(kernel.code, tableau, layout), makerOf);
  const memory = methodMemory(tableau, kernel.code.size, (length) => kernel.reserve(length));
  const { base: B, end: E, slopes: L, weights: H, clock: D } = memory;
  const { bounds: Z, state: S, clock: T, slope: K, outputSlope: O, input: U } = kernel;
  const given = { Z, B, S, E, L, H, T, D, K, U, O, Q: kernel.reserve(CELLS), ...kernel.functions };
  const functions = { ...mapped(makers, (make) => make(given)), memory } as Functions;
  byKey.set(key, functions);
  return functions;
}
