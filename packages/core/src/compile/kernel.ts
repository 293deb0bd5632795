/**
 * A kernel: the compiled right-hand side of one structure with its arrays, bound to the numbers of one flight at a
 * time.
 *
 * All flights of the same structure share it, because V8 makes the fastest code for arrays that never change. A flight
 * binds its own numbers again before each use if another flight has used the kernel. Before a plant uses a kernel for
 * the first time, code and reference are compared on its examples, bit for bit.
 */
import type { Dynamics, Equations } from "../integrate/contract.ts";
import { type Structure, valuesFor } from "./constants.ts";
import { type FunctionText, type Maker, makerOf, requireOptimisable } from "./function-text.ts";
import type { MethodMakers } from "./method.ts";
import { printBody } from "./printer.ts";
import { NotCompilable } from "./program.ts";
import { runOnSymbols } from "./symbolic.ts";

/** The facts about a right-hand side that its code depends on. */
export interface KernelFacts {
  /** The equations that the code was made from. */
  readonly program: string;
  readonly structure: Structure;
  /** Size of the state. */
  readonly size: number;
  readonly usesTime: boolean;
  readonly inputsRead: readonly number[];
  /** States whose slope is the constant +0. */
  readonly still: readonly number[];
  /** States with bounds that decide whether the plant is clear of events. */
  readonly bounded: readonly number[];
  readonly outputCells: Equations["outputCells"];
  readonly refusedAt: Equations["refusedAt"];
  /** Cells of scratch that an evaluation writes. */
  readonly written: readonly number[];
  /** Numbers that stay the same over an interval. */
  readonly handed: number;
}

/**
 * `prepare` runs once per interval; `slopes` computes slopes; `evaluate` computes slopes and outputs for any state and
 * input.
 */
export const KERNEL_FUNCTIONS = ["prepare", "slopes", "evaluate"] as const;
type KernelFunction = (typeof KERNEL_FUNCTIONS)[number];

interface KernelText extends KernelFacts {
  readonly functions: Readonly<Record<KernelFunction, FunctionText>>;
}

export interface KernelCode extends KernelFacts {
  readonly functions: Readonly<Record<KernelFunction, Maker>>;
  /** Methods compiled ahead of time, by `methodKey`. */
  readonly methods: Readonly<Record<string, MethodMakers>>;
}

export function makeKernelCode(size: number, equations: Equations): KernelCode {
  const { functions, ...facts } = printKernel(size, equations);
  const makers = Object.fromEntries(KERNEL_FUNCTIONS.map((name) => [name, makerOf(functions[name])]));
  return { ...facts, functions: makers as KernelCode["functions"], methods: {} };
}

export function printKernel(size: number, equations: Equations): KernelText {
  const { slopes, afterSlopes, afterOutputs, recipes, usesTime, inputsRead } = runOnSymbols(size, equations);
  const still = [...slopes].filter(([, value]) => Object.is(value, 0)).map(([i]) => i);
  if (still.length === size) throw new NotCompilable("no state ever moves");
  const { outputCells, refusedAt } = equations;
  const outputs = [...afterOutputs.scratch].filter(([i]) => outputCells === undefined || outputCells.includes(i));
  const [tables, calls] = [Object.keys(equations.constants), Object.keys(equations.calls)];
  const common = { slopes, mustBeZero: afterSlopes.scratch.get(refusedAt ?? -1) ?? 0, tables, calls };
  const moving = new Map([...slopes].filter(([i]) => !still.includes(i)));
  const { prepare, body, handed } = printBody({
    ...common,
    items: afterSlopes.items,
    assumedFinite: afterSlopes.assumedFinite,
    slopes: moving,
    scratch: new Map(),
    pinned: afterSlopes.scratch,
    state: "S",
    input: "U",
    still,
  });
  const whole = printBody({
    ...common,
    items: afterOutputs.items,
    assumedFinite: afterOutputs.assumedFinite,
    scratch: new Map(outputs),
    state: "x",
    input: "u",
  });
  [prepare, body, whole.body].forEach(requireOptimisable);
  const given = [..."SUTKWCV", ...tables.map((_, i) => `A${i}`), ...calls.map((_, i) => `F${i}`)];
  return {
    program: equations.program,
    structure: { steps: recipes.steps, facts: recipes.facts },
    size,
    usesTime,
    inputsRead,
    still,
    bounded: equations.clearBounds?.states ?? [],
    outputCells,
    refusedAt,
    written: outputs.map(([i]) => i),
    handed,
    functions: {
      prepare: { head: "prepare()", body: prepare, given },
      slopes: { head: "slopes()", body, given },
      evaluate: { head: "evaluate(x, u)", body: whole.body, given },
    },
  };
}

/** A plant, and the numbers that a kernel reads for it. */
export interface Binding {
  readonly plant: Dynamics;
  readonly equations: Equations;
  readonly numbers: Float64Array;
}

/** Binds a plant to code; undefined if the code was made for another program or structure. */
export function bindingOf(code: KernelCode, plant: Dynamics): Binding | undefined {
  const equations = plant.equations!;
  const { clearBounds, outputCells, program, refusedAt } = equations;
  const isSame = (a: readonly number[] | undefined, b: readonly number[] | undefined) =>
    (a === undefined) === (b === undefined) && String(a) === String(b);
  if (program !== code.program || plant.layout.size !== code.size) return undefined;
  if (!isSame(clearBounds?.states ?? [], code.bounded) || refusedAt !== code.refusedAt) return undefined;
  if (!isSame(outputCells, code.outputCells)) return undefined;
  const numbers = valuesFor(code.structure, equations.constants);
  return numbers === undefined ? undefined : { plant, equations, numbers };
}

/** V8 keeps short typed arrays on its heap, where access is slower. */
const MIN_LENGTH = 16;
const CACHE_LINE = 8;

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
  /** Run once per interval, after state and input are loaded. Returns false if a guard fails. */
  readonly prepare: () => boolean;
  /** Computes the slope from state, input and clock. Returns false if a guard fails. */
  readonly rhs: () => boolean;
  /** Computes `outputSlope` and scratch from a given state and input. Returns false if a guard fails. */
  readonly evaluate: (x: Float64Array, u: Float64Array) => boolean;
  bound: Binding;
  /** The method whose numbers the memory holds. */
  user: object | undefined;

  private readonly numbers: Float64Array;
  private readonly calls: Equations["calls"];
  private readonly tableNames: readonly string[];
  private readonly tables: readonly (Float64Array | Int32Array)[];
  private readonly buffer: ArrayBuffer;
  private used = 0;

  constructor(code: KernelCode, first: Binding) {
    const { size, functions } = code;
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
    const given: Record<string, unknown> = { S, U, T, K, W, C, V: this.reserve(code.handed) };
    this.tables.forEach((table, i) => (given[`A${i}`] = table));
    Object.values(calls).forEach(({ run }, i) => (given[`F${i}`] = run));
    this.prepare = functions.prepare(given) as Kernel["prepare"];
    this.rhs = functions.slopes(given) as Kernel["rhs"];
    this.evaluate = functions.evaluate({ ...given, K: this.outputSlope }) as Kernel["evaluate"];
  }

  /**
   * An array of zeros, aligned to a cache line. All arrays are side by side in one buffer, because processors delay a
   * load after a store whose address differs by a multiple of 4096.
   */
  reserve(length: number): Float64Array {
    const at = this.used;
    if (8 * (at + length) > this.buffer.byteLength)
      return new Float64Array(Math.max(length, MIN_LENGTH)).subarray(0, length);
    this.used = CACHE_LINE * Math.ceil((at + length) / CACHE_LINE);
    return new Float64Array(this.buffer, 8 * at, length);
  }

  /** Whether its arrays and opaque functions suit a plant. */
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
  }

  /** Binds a plant and compares code and reference on its examples. Examples at which a guard fails are skipped. */
  check(binding: Binding): void {
    const { clock, code } = this;
    const { equations } = binding;
    this.bind(binding);
    clock[0] = 0;
    const [slope, scratch] = [new Float64Array(code.size), new Float64Array(equations.scratchSize)];
    const [x, u] = [new Float64Array(code.size), new Float64Array(equations.inputSize)];
    const isSame = (values: Float64Array) => slope.every((value, i) => Object.is(value, values[i]));
    for (let k = 0; k < equations.exampleCount; k += 1) {
      equations.exampleInto(x, u, k);
      equations.into(slope, clock, x, u, scratch);
      equations.outputsInto?.(slope, clock, x, u, scratch);
      const isWhole = !this.evaluate(x, u) || (isSame(this.outputSlope) && this.isSameScratch(scratch));
      this.state.set(x);
      this.input.set(u);
      const isEqual = isWhole && (!this.prepare() || !this.rhs() || isSame(this.slope));
      if (!isEqual) throw new NotCompilable(`code and reference differ at example ${k}`);
    }
  }

  private isSameScratch(scratch: Float64Array): boolean {
    return this.code.written.every((cell) => Object.is(scratch[cell], this.scratch[cell]));
  }

  /** Does the same as `evaluate`, by the reference. */
  evaluateByReference(x: Float64Array, u: Float64Array): void {
    const { plant, equations } = this.bound;
    const { clock, outputSlope: slope, scratch } = this;
    equations.into(slope, clock, x, u, scratch);
    const { refusedAt } = equations;
    if (refusedAt !== undefined && scratch[refusedAt] !== 0) plant.derivativesInto(slope, clock, x, u);
    equations.outputsInto?.(slope, clock, x, u, scratch);
  }
}
