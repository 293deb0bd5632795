/**
 * A kernel: the compiled right-hand side of one structure with its arrays, bound to the numbers of one flight at a
 * time.
 *
 * All flights of the same structure share it, because V8 makes the fastest code for arrays that never change. A flight
 * binds its own numbers again before each use if another flight has used the kernel. Before a plant uses a kernel for
 * the first time, code and reference are compared on its examples, bit for bit; later plants only bring other numbers
 * to code that has passed, and are compared on a quarter of their examples.
 */
import { bitsOf } from "../integrate/bits.ts";
import type { Dynamics, Equations } from "../integrate/contract.ts";
import { FIRST_CALLS, type KernelCode, type Known, NOTHING, structureOf } from "./kernel-code.ts";
import { CodeDiffers } from "./program.ts";

/** A plant, and the numbers that a kernel reads for it. */
export interface Binding {
  readonly plant: Dynamics;
  readonly equations: Equations;
  readonly numbers: Float64Array;
}

/** Binds a plant to code; undefined if the code was made for another program or for another structure of vehicle. */
export function bindingOf(code: KernelCode, plant: Dynamics): Binding | undefined {
  const equations = plant.equations!;
  if (equations.program !== code.program || structureOf(plant.layout.size, equations) !== code.structure)
    return undefined;
  const numbers = new Float64Array(code.constantCount);
  const tables = numbered("A", Object.values(equations.constants));
  const bind = code.functions.bind({ C: numbers, ...tables }) as () => boolean;
  return bind() ? { plant, equations, numbers } : undefined;
}

/** Returns a record `{ A0: …, A1: … }`. */
function numbered(letter: string, values: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(values.map((value, i) => [`${letter}${i}`, value]));
}

/** Minimum array length, because V8 keeps shorter typed arrays on its heap, where access is slower. */
const MIN_LENGTH = 16;
const CACHE_LINE = 8;
/** Fraction of the examples on which later plants are compared. */
const LATER_SHARE = 0.25;

export class Kernel {
  readonly code: KernelCode;
  readonly state: Float64Array;
  readonly input: Float64Array;
  readonly clock: Float64Array;
  /** Slopes computed by `rhs`. */
  readonly slope: Float64Array;
  /** Slopes and scratch computed by `evaluate`. */
  readonly outputSlope: Float64Array;
  readonly scratch: Float64Array;
  /** Lower and upper bounds of the bounded states, in pairs. */
  readonly bounds: Float64Array;
  /** Called once per interval, after state and input are loaded. Returns false if a guard fails. */
  readonly prepare: () => boolean;
  /** Computes the slope from state, input and clock. Returns false if a guard fails. */
  readonly rhs: () => boolean;
  /** Does the same as `rhs`, always with the code for slopes alone. */
  private readonly slopes: () => boolean;
  /** Does the same as `rhs`, if only `jumped` states and inputs have changed since the last evaluation. */
  readonly rhsAfterJump: () => boolean;
  /** Computes `outputSlope` and scratch from state, input and clock. Returns false if a guard fails. */
  readonly evaluate: () => boolean;
  /** Copies a state, and the elements of an input that the equations read. */
  readonly take: (x: Float64Array, u: Float64Array) => void;
  /** Whether `outputSlope` and the outputs in scratch are those of `state` and `input`. */
  isEvaluated = false;
  /** Whether outputs were requested since an interval began. */
  isAsked = false;
  bound: Binding;
  /** The method whose values are in memory now. */
  user: object | undefined;

  private readonly numbers: Float64Array;
  private readonly calls: Equations["calls"];
  private readonly tableNames: readonly string[];
  private readonly tables: readonly (Float64Array | Int32Array)[];
  private readonly compare: (x: Int32Array, u: Int32Array) => Known;
  private readonly buffer: ArrayBuffer;
  private used = 0;
  /** Constants of plants for which code and reference agreed: each plant's first table leads to its other tables. */
  private readonly passed = new WeakMap<object, readonly object[]>();
  /** Whether a plant has passed the comparison with all of its examples. */
  private hasPassed = false;

  /** `firstCalls`: how many of the first slopes come from `evaluate`. */
  constructor(code: KernelCode, first: Binding, firstCalls = FIRST_CALLS) {
    const { size } = code;
    const { inputSize, scratchSize, constants, calls } = first.equations;
    const { numbers } = first;
    this.code = code;
    this.calls = calls;
    this.buffer = new ArrayBuffer(8 * (24 * size + 2 * inputSize + numbers.length + scratchSize + 256));
    this.clock = this.reserve(MIN_LENGTH);
    this.bounds = this.reserve(2 * code.bounded.length);
    this.state = this.reserve(size);
    this.slope = this.reserve(size);
    this.outputSlope = this.reserve(size);
    this.input = this.reserve(inputSize);
    this.numbers = this.reserve(numbers.length);
    this.scratch = this.reserve(scratchSize);
    this.tableNames = Object.keys(constants);
    this.tables = this.tableNames.map((name) => constants[name]!.slice());
    this.bound = first;
    const { state: S, input: U, clock: T, slope: K, scratch: W, numbers: C } = this;
    const functions = Object.values(calls).map(({ run }) => run);
    const V = this.reserve(code.heldCount);
    const R = this.reserve(code.keptCount);
    const given = {
      S,
      U,
      T,
      K,
      W,
      C,
      V,
      R,
      X: bitsOf(S),
      Y: bitsOf(U),
      P: this.reserve(1),
      ...numbered("A", this.tables),
      ...numbered("F", functions),
    };
    this.prepare = code.functions.prepare(given) as Kernel["prepare"];
    this.slopes = code.functions.slopes(given) as Kernel["slopes"];
    this.rhsAfterJump = code.functions.afterJump(given) as Kernel["rhsAfterJump"];
    this.take = code.functions.take(given) as Kernel["take"];
    this.compare = code.functions.compare(given) as Kernel["compare"];
    this.evaluate = code.functions.evaluate({ ...given, K: this.outputSlope }) as Kernel["evaluate"];
    const N = bitsOf(this.reserve(1));
    N[0] = firstCalls;
    const { slopes, evaluate, outputSlope: O } = this;
    const evaluateSlopes = code.functions.evaluateSlopes({ K, O, evaluate });
    this.rhs = code.functions.rhs({ N, slopes, evaluateSlopes }) as Kernel["rhs"];
  }

  /**
   * Returns an array of zeros, aligned to a cache line. All arrays are side by side in one buffer, because processors
   * delay a load after a store whose address differs by a multiple of 4096.
   */
  reserve(length: number): Float64Array {
    const at = this.used;
    if (8 * (at + length) > this.buffer.byteLength)
      return new Float64Array(Math.max(length, MIN_LENGTH)).subarray(0, length);
    this.used = CACHE_LINE * Math.ceil((at + length) / CACHE_LINE);
    return new Float64Array(this.buffer, 8 * at, length);
  }

  /** Whether the kernel's arrays and opaque functions fit a plant. */
  fits({ equations }: Binding): boolean {
    const { constants, calls, inputSize, scratchSize } = equations;
    return (
      this.tableNames.every((name, i) => constants[name]?.length === this.tables[i]!.length) &&
      Object.keys(this.calls).every((name) => calls[name]?.run === this.calls[name]!.run) &&
      inputSize <= this.input.length &&
      scratchSize <= this.scratch.length
    );
  }

  bind(binding: Binding): void {
    const { clearBounds, constants } = binding.equations;
    this.numbers.set(binding.numbers);
    this.tableNames.forEach((name, i) => this.tables[i]!.set(constants[name]!));
    clearBounds?.states.forEach((_, k) => this.bounds.set([clearBounds.low[k]!, clearBounds.high[k]!], 2 * k));
    this.bound = binding;
    this.user = undefined;
    this.isEvaluated = false;
  }

  /** Returns how much of the last evaluation is valid for a state and an input, both given as 32-bit words. */
  knownOf(xBits: Int32Array, uBits: Int32Array): Known {
    return this.isEvaluated ? this.compare(xBits, uBits) : NOTHING;
  }

  /**
   * Binds a plant and compares code and reference on its examples. Examples at which a guard fails are skipped. A plant
   * that shares the constants of one that passed is not compared again.
   */
  check(binding: Binding): void {
    const { clock, code } = this;
    const { equations } = binding;
    const exampleCount = Math.ceil((this.hasPassed ? LATER_SHARE : 1) * equations.exampleCount);
    this.bind(binding);
    const [first, ...rest] = Object.values(equations.constants);
    const passed = first === undefined ? undefined : this.passed.get(first);
    if (passed?.every((table, i) => table === rest[i]) === true) return;
    clock[0] = 0;
    const [slope, scratch] = [new Float64Array(code.size), new Float64Array(equations.scratchSize)];
    const [x, u] = [new Float64Array(code.size), new Float64Array(equations.inputSize)];
    const isSame = (values: Float64Array) => slope.every((value, i) => Object.is(value, values[i]));
    for (let k = 0; k < exampleCount; k += 1) {
      equations.exampleInto(x, u, k);
      equations.into(slope, clock, x, u, scratch);
      equations.outputsInto?.(slope, clock, x, u, scratch);
      this.state.set(x);
      this.input.set(u);
      const isWhole = !this.evaluate() || (isSame(this.outputSlope) && this.isSameScratch(scratch));
      const isEqual =
        isWhole && (!this.prepare() || !this.slopes() || isSame(this.slope)) && this.isSameAfterJump(isSame);
      if (!isEqual) throw new CodeDiffers(`code and reference differ at example ${k}`);
    }
    if (first !== undefined) this.passed.set(first, rest);
    this.hasPassed = true;
  }

  /**
   * Compares the slopes after a jump: first evaluates with smaller jumped numbers, then jumps to the present example.
   */
  private isSameAfterJump(isSame: (values: Float64Array) => boolean): boolean {
    const { code, state, input } = this;
    const { jumped } = code;
    if (jumped === undefined) return true;
    const [x, u] = [state.slice(), input.slice()];
    for (const i of jumped.states) state[i]! *= 0.9;
    for (const i of jumped.inputs) input[i]! *= 0.9;
    const isEvaluated = this.evaluate();
    state.set(x);
    input.set(u);
    return !isEvaluated || !this.rhsAfterJump() || isSame(this.slope);
  }

  private isSameScratch(scratch: Float64Array): boolean {
    return this.code.written.every((cell) => Object.is(scratch[cell], this.scratch[cell]));
  }

  /** Does the same as `evaluate`, but with the reference. */
  evaluateByReference(x: Float64Array, u: Float64Array): void {
    const { plant, equations } = this.bound;
    const { clock, outputSlope: slope, scratch } = this;
    equations.into(slope, clock, x, u, scratch);
    const { refusedAt } = equations;
    if (refusedAt !== undefined && scratch[refusedAt] !== 0) plant.derivativesInto(slope, clock, x, u);
    equations.outputsInto?.(slope, clock, x, u, scratch);
  }
}
