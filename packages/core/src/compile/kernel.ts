/**
 * A kernel: the compiled right-hand side for plants of one structure (`structureOf`), with its arrays, bound to the
 * numbers of one flight at a time.
 *
 * All flights of the same structure share a kernel, because V8 makes the fastest code for arrays that never change. A
 * flight binds its own numbers again before each use if another flight has used the kernel. Before a plant uses a
 * kernel for the first time, code and reference are compared on the plant's examples, bit for bit: on all examples for
 * the first plant, and on a quarter of them for later plants, which differ only in their numbers. If the build has
 * already compared the code, a quarter is enough for the first plant too.
 */
import { bitsOf } from "../integrate/bits.ts";
import type { Dynamics, Equations } from "../integrate/contract.ts";
import { type Maker, mapped } from "./function-text.ts";
import type { KernelText } from "./kernel-printer.ts";
import type { MethodMakers } from "./method.ts";
import { CodeDiffers } from "./program.ts";

export interface KernelCode extends Omit<KernelText, "functions"> {
  readonly functions: Readonly<Record<keyof KernelFunctions | "bind", Maker>>;
  /** Methods compiled ahead of time, by `methodKey`. */
  readonly methods: Readonly<Record<string, MethodMakers>>;
}

/** The functions of a kernel. Those that return a boolean return false if a guard fails. */
interface KernelFunctions {
  /** Computes the values that are constant over an interval, after state and input are loaded. */
  prepare(): boolean;
  /** Computes `slope` from state, input and clock, by `slopes` or by `evaluateSlopes`, which calls `evaluate`. */
  rhs(): boolean;
  slopes(): boolean;
  evaluateSlopes(): boolean;
  /** Does the same as `rhs`, if only `jumped` states and inputs have changed since the last evaluation. */
  rhsAfterJump(): boolean;
  /** Computes `outputSlope` and scratch from state, input and clock, without `prepare`. */
  evaluate(): boolean;
  /** Copies a state, and the elements of an input that the equations read. */
  take(x: Float64Array, u: Float64Array): void;
  /** Returns how much of the last evaluation is valid for a state and an input, both given as 32-bit words. */
  compare(x: Int32Array, u: Int32Array): Known;
}

/** How much of an evaluation is known: nothing, the values that a jump does not change, or everything. */
export const NOTHING = 0;
export const ALL_BUT_JUMP = 1;
export const ALL = 2;
export type Known = typeof NOTHING | typeof ALL_BUT_JUMP | typeof ALL;

/** A plant, and the numbers that a kernel reads for it. */
export interface Binding {
  readonly plant: Dynamics;
  readonly equations: Equations;
  readonly numbers: Float64Array;
}

/** Returns the binding of a plant to code; undefined if the code was made for another program or another structure. */
export function bindingOf(code: KernelCode, plant: Dynamics): Binding | undefined {
  const equations = plant.equations!;
  if (equations.program !== code.program || structureOf(plant.layout.size, equations) !== code.structure)
    return undefined;
  const numbers = new Float64Array(code.constantCount);
  const tables = numbered("A", Object.values(equations.constants));
  const bind = code.functions.bind({ C: numbers, ...tables }) as () => boolean;
  return bind() ? { plant, equations, numbers } : undefined;
}

/** Returns a string that is equal for plants of the same structure. */
export function structureOf(size: number, { clearBounds, jumped, outputCells, refusedAt }: Equations): string {
  return JSON.stringify([size, clearBounds?.states ?? [], jumped, outputCells, refusedAt]);
}

/** Returns a record `{ A0: …, A1: … }`. */
function numbered(letter: string, values: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(values.map((value, i) => [`${letter}${i}`, value]));
}

/** Minimum array length, because V8 keeps shorter typed arrays on its heap, where access is slower. */
const MIN_LENGTH = 16;
const CACHE_LINE = 8;
/** Fraction of the examples that are compared for plants after the first. */
const LATER_SHARE = 0.25;
/** How many of the first calls of a kernel's `rhs` use `evaluate`: about as many as one flight makes. */
const FIRST_CALLS = 1 << 17;

interface KernelOptions {
  /** How many of the first slopes come from `evaluate`. */
  readonly firstCalls?: number | undefined;
  /** True if the build has already compared the code with the reference on all examples. */
  readonly hasPassed?: boolean;
}

export class Kernel {
  readonly code: KernelCode;
  readonly functions: KernelFunctions;
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
  /** Whether `outputSlope` and the outputs in scratch belong to the present `state` and `input`. */
  isEvaluated = false;
  /** Whether outputs have been requested since the last interval began. */
  hasOutputRequest = false;
  bound: Binding;
  /** The method whose values are in memory now. */
  user: object | undefined;
  private readonly numbers: Float64Array;
  private readonly calls: Equations["calls"];
  private readonly tables: Equations["constants"];
  private readonly buffer: ArrayBuffer;
  private used = 0;
  /** Tables of constants of the plants for which code and reference agreed. */
  private readonly passed = new WeakSet<object>();
  /** Whether a plant has passed the comparison with all of its examples. */
  private hasPassed: boolean;

  constructor(code: KernelCode, first: Binding, { firstCalls = FIRST_CALLS, hasPassed = false }: KernelOptions = {}) {
    const { size } = code;
    const { numbers, equations } = first;
    const { inputSize, scratchSize, constants, calls } = equations;
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
    this.tables = mapped(constants, (table) => table.slice());
    this.bound = first;
    this.hasPassed = hasPassed;
    this.functions = this.makeFunctions(firstCalls);
  }

  private makeFunctions(firstCalls: number): KernelFunctions {
    const { code, state: S, input: U, clock: T, slope: K, outputSlope: O, scratch: W, numbers: C } = this;
    const [V, R, P, N] = [code.heldCount, code.keptCount, 1, 1].map((length) => this.reserve(length));
    const [X, Y, calls] = [bitsOf(S), bitsOf(U), bitsOf(N!)];
    calls[0] = firstCalls;
    const tables = numbered("A", Object.values(this.tables));
    const opaque = Object.values(this.calls).map(({ run }) => run);
    const arrays = { S, U, T, K, W, C, V, R, P, X, Y, ...tables, ...numbered("F", opaque) };
    const make = <F extends keyof KernelFunctions>(name: F, given: Parameters<Maker>[0] = arrays) =>
      code.functions[name](given) as KernelFunctions[F];
    const slopes = make("slopes");
    const evaluate = make("evaluate", { ...arrays, K: O });
    const evaluateSlopes = make("evaluateSlopes", { K, O, evaluate });
    return {
      prepare: make("prepare"),
      rhs: make("rhs", { N: calls, slopes, evaluateSlopes }),
      slopes,
      evaluateSlopes,
      rhsAfterJump: make("rhsAfterJump"),
      evaluate,
      take: make("take"),
      compare: make("compare"),
    };
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
      Object.entries(this.tables).every(([name, { length }]) => constants[name]?.length === length) &&
      Object.entries(this.calls).every(([name, { run }]) => calls[name]?.run === run) &&
      inputSize <= this.input.length &&
      scratchSize <= this.scratch.length
    );
  }

  bind(binding: Binding): void {
    const { clearBounds, constants } = binding.equations;
    this.numbers.set(binding.numbers);
    for (const [name, table] of Object.entries(this.tables)) table.set(constants[name]!);
    clearBounds?.states.forEach((_, k) => this.bounds.set([clearBounds.low[k]!, clearBounds.high[k]!], 2 * k));
    this.bound = binding;
    this.user = undefined;
    this.isEvaluated = false;
  }

  /** Returns how much of the last evaluation is valid for a state and an input, both given as 32-bit words. */
  knownOf(xBits: Int32Array, uBits: Int32Array): Known {
    return this.isEvaluated ? this.functions.compare(xBits, uBits) : NOTHING;
  }

  /**
   * Binds a plant and compares code and reference on its examples. Examples at which a guard fails are skipped. If a
   * plant with the same tables of constants has passed, nothing is compared.
   */
  check(binding: Binding): void {
    const { clock, code, passed } = this;
    const { equations } = binding;
    const exampleCount = Math.ceil((this.hasPassed ? LATER_SHARE : 1) * equations.exampleCount);
    this.bind(binding);
    const tables = Object.values(equations.constants);
    if (tables.length > 0 && tables.every((table) => passed.has(table))) return;
    clock[0] = 0;
    const [slope, scratch] = [new Float64Array(code.size), new Float64Array(equations.scratchSize)];
    const [x, u] = [new Float64Array(code.size), new Float64Array(equations.inputSize)];
    for (let k = 0; k < exampleCount; k += 1) {
      equations.exampleInto(x, u, k);
      equations.into(slope, clock, x, u, scratch);
      equations.outputsInto?.(slope, clock, x, u, scratch);
      this.state.set(x);
      this.input.set(u);
      if (!this.agreesWith(slope, scratch)) throw new CodeDiffers(`code and reference differ at example ${k}`);
    }
    for (const table of tables) passed.add(table);
    this.hasPassed = true;
  }

  /** Compares each way of computing slopes and outputs with the reference, unless a guard fails. */
  private agreesWith(slope: Float64Array, scratch: Float64Array): boolean {
    const { prepare, slopes, evaluate, rhsAfterJump } = this.functions;
    const isSame = (values: Float64Array) => slope.every((value, i) => Object.is(value, values[i]));
    const isSameScratch = () => this.code.written.every((cell) => Object.is(scratch[cell], this.scratch[cell]));
    if (evaluate() && !(isSame(this.outputSlope) && isSameScratch())) return false;
    if (prepare() && slopes() && !isSame(this.slope)) return false;
    return !this.jumpFromSmaller() || !rhsAfterJump() || isSame(this.slope);
  }

  /**
   * Evaluates with smaller values of the states and inputs that the jump changes, and then restores these values.
   * Returns false if the plant has no jump or a guard fails.
   */
  private jumpFromSmaller(): boolean {
    const { code, state, input } = this;
    const { jumped } = code;
    if (jumped === undefined) return false;
    const [x, u] = [state.slice(), input.slice()];
    for (const i of jumped.states) state[i]! *= 0.9;
    for (const i of jumped.inputs) input[i]! *= 0.9;
    const isEvaluated = this.functions.evaluate();
    state.set(x);
    input.set(u);
    return isEvaluated;
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
