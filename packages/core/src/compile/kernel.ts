/**
 * A kernel: the compiled right-hand side of one structure with its arrays, bound to the numbers of one flight at a
 * time.
 *
 * All flights of the same structure share it, because V8 makes the fastest code for arrays that never change. A flight
 * binds its own numbers again before each use if another flight has used the kernel. Before a plant uses a kernel for
 * the first time, code and reference are compared on its examples, bit for bit.
 */
import type { Dynamics, Equations } from "../integrate/contract.ts";
import { bitsOf } from "../integrate/bits.ts";
import { type FunctionText, type Maker, makerOf, mapped, requireOptimisable } from "./function-text.ts";
import type { MethodMakers } from "./method.ts";
import type { Node } from "./graph.ts";
import { Cells, FLIGHT, INTERVAL, Levels, printBody, STAGE } from "./printer.ts";
import { CodeDiffers, NotCompilable, type Program } from "./program.ts";
import { runOnSymbols } from "./symbolic.ts";

/** The properties of a right-hand side on which its code depends. */
export interface KernelFacts {
  /** The equations that the code was made from. */
  readonly program: string;
  /** Size of the state. */
  readonly size: number;
  readonly usesTime: boolean;
  readonly inputsRead: readonly number[];
  /** States whose slope is the constant +0. */
  readonly still: readonly number[];
  /** States with bounds that decide whether the plant is clear of events. */
  readonly bounded: readonly number[];
  readonly jumped: Equations["jumped"];
  readonly outputCells: Equations["outputCells"];
  readonly refusedAt: Equations["refusedAt"];
  /** Cells of scratch that an evaluation writes. */
  readonly written: readonly number[];
  /** How many values are constant over a flight, over an interval, and over a jump. */
  readonly constantCount: number;
  readonly heldCount: number;
  readonly keptCount: number;
}

/**
 * `bind` computes the values that are constant over a flight, and returns false if the code is not valid for its
 * vehicle; `prepare` does the same for an interval; `slopes` computes slopes; `evaluate` computes slopes and outputs
 * without `prepare`; `take` copies a state and an input; `afterJump` computes slopes after a jump that followed
 * `evaluate`; `compare` returns how much of the last evaluation is valid for a state and an input (`Known`).
 */
const KERNEL_FUNCTIONS = {
  bind: "()",
  prepare: "()",
  slopes: "()",
  afterJump: "()",
  evaluate: "()",
  take: "(x, u)",
  compare: "(x, u)",
} as const;
type KernelFunction = keyof typeof KERNEL_FUNCTIONS;

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
  return { ...facts, functions: mapped(functions, makerOf), methods: {} };
}

export function printKernel(size: number, equations: Equations): KernelText {
  const program = JSON.parse(equations.program) as Program;
  const { slopes, scratch, slopeItems, items, inputsRead } = runOnSymbols(size, program, equations);
  const still = [...slopes].filter(([, value]) => Object.is(value, 0)).map(([i]) => i);
  if (still.length === size) throw new NotCompilable("no state ever moves");
  const { outputCells, refusedAt } = equations;
  const outputs = [...scratch].filter(([i]) => outputCells === undefined || outputCells.includes(i));
  const [tables, calls] = [Object.keys(equations.constants), Object.keys(equations.calls)];
  const cells = [new Cells("C"), new Cells("V")] as const;
  const common = { cells, tables, calls };
  const slopeStores = [...slopes].map(([i, value]) => [`K[${i}]`, value] as const);
  const outputStores = outputs.map(([i, value]) => [`W[${i}]`, value] as const);
  // Each function is printed before those that fill its cells.
  const byInterval = new Levels(slopeItems, isHeldInInterval(still));
  const moving = slopeStores.filter(([, value]) => !Object.is(value, 0));
  const jumped = { x: new Set(equations.jumped?.states), u: new Set(equations.jumped?.inputs) };
  const kept = new Cells("R");
  const afterJump = printBody({
    ...common,
    cells: [cells[FLIGHT], kept],
    items: slopeItems,
    levels: new Levels(slopeItems, isKeptAtJump(jumped)),
    level: STAGE,
    stores: moving,
  });
  const byFlight = new Levels(items, () => false);
  const allStores = [...outputStores, ...slopeStores, ...kept.stores];
  const evaluate = printBody({ ...common, items, levels: byFlight, level: STAGE, stores: allStores });
  const body = printBody({ ...common, items: slopeItems, levels: byInterval, level: STAGE, stores: moving });
  const held = { items: slopeItems, levels: byInterval, level: INTERVAL, stores: cells[INTERVAL].stores } as const;
  // From the second stage on, a still state is its value plus 0, which differs from the first stage for −0.
  const positive = still.map((i) => `if (S[${i}] === 0 && 1 / S[${i}] < 0) return false;`);
  const prepare = [...positive, printBody({ ...common, ...held })].join("\n");
  const known = { items, levels: byFlight, level: FLIGHT, stores: cells[FLIGHT].stores } as const;
  const bind = printBody({ ...common, ...known });
  const take = printCopies(size, inputsRead);
  const compare = printComparison(size, inputsRead, jumped);
  const bodies = { bind, prepare, slopes: body, afterJump, evaluate, take, compare };
  [prepare, body, afterJump, evaluate].forEach(requireOptimisable);
  const given = [..."SUTKWCVRPXY", ...tables.map((_, i) => `A${i}`), ...calls.map((_, i) => `F${i}`)];
  return {
    program: equations.program,
    size,
    // An opaque function or the reference may read the time even if the graph does not.
    usesTime: program.functions[0]!.params.includes("timeS"),
    inputsRead,
    still,
    bounded: equations.clearBounds?.states ?? [],
    jumped: equations.jumped,
    outputCells,
    refusedAt,
    written: outputs.map(([i]) => i),
    constantCount: cells[FLIGHT].count,
    heldCount: cells[INTERVAL].count,
    keptCount: kept.count,
    functions: mapped(bodies, (text, name) => ({ head: `${name}${KERNEL_FUNCTIONS[name]}`, body: text, given })),
  };
}

/** Returns a test for inputs and for states that never move, which are constant over an interval. */
function isHeldInInterval(still: readonly number[]): (node: Node) => boolean {
  return ({ array, a }) => array === "u" || (array === "x" && still.includes(a as number));
}

/** Returns a test for states and inputs that the plant's jump does not change. */
function isKeptAtJump(jumped: Record<"x" | "u", ReadonlySet<number>>): (node: Node) => boolean {
  return ({ array, a }) => (array === "x" || array === "u") && !jumped[array].has(a as number);
}

/** Copies the state to S and the inputs that are read to U. */
function printCopies(size: number, inputsRead: readonly number[]): string {
  const states = Array.from({ length: size }, (_, i) => `S[${i}] = x[${i}];`);
  return [...states, ...inputsRead.map((i) => `U[${i}] = u[${i}];`)].join("\n");
}

/**
 * Compares words with those of S and U, in X and Y. It has no loop, because it runs at every boundary and before every
 * interval. A state that has moved differs in its first words.
 */
function printComparison(size: number, inputsRead: readonly number[], jumped: Record<"x" | "u", ReadonlySet<number>>) {
  const words = (array: "x" | "u", own: "X" | "Y", numbers: readonly number[]) =>
    numbers.flatMap((i) => [2 * i, 2 * i + 1].map((word) => `(${array}[${word}] ^ ${own}[${word}])`));
  const isKept = { x: (i: number) => !jumped.x.has(i), u: (i: number) => !jumped.u.has(i) };
  const states = Array.from({ length: size }, (_, i) => i);
  const [first, ...others] = states.filter(isKept.x);
  const kept = [...words("x", "X", others), ...words("u", "Y", inputsRead.filter(isKept.u))];
  const changed = [
    ...words("x", "X", [...jumped.x]),
    ...words(
      "u",
      "Y",
      inputsRead.filter((i) => jumped.u.has(i)),
    ),
  ];
  const difference = (terms: readonly string[]) => `(${[...terms, "0"].join(" | ")})`;
  return [
    ...(first === undefined ? [] : [`if (${difference(words("x", "X", [first]))} !== 0) return ${NOTHING};`]),
    `if (${difference(kept)} !== 0) return ${NOTHING};`,
    `return ${difference(changed)} === 0 ? ${ALL} : ${ALL_BUT_JUMP};`,
  ].join("\n");
}

/**
 * How much of an evaluation is valid for a new state and input: nothing, the values that a jump keeps, or everything.
 */
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

/** Binds a plant to code; undefined if the code was made for another program or for another structure of vehicle. */
export function bindingOf(code: KernelCode, plant: Dynamics): Binding | undefined {
  const equations = plant.equations!;
  const { clearBounds, constants, jumped, outputCells, program, refusedAt } = equations;
  const isSame = (a: readonly number[] | undefined, b: readonly number[] | undefined) =>
    (a === undefined) === (b === undefined) && String(a) === String(b);
  if (program !== code.program || plant.layout.size !== code.size) return undefined;
  if (!isSame(clearBounds?.states ?? [], code.bounded) || refusedAt !== code.refusedAt) return undefined;
  if (!isSame(outputCells, code.outputCells)) return undefined;
  if (!isSame(jumped?.states, code.jumped?.states) || !isSame(jumped?.inputs, code.jumped?.inputs)) return undefined;
  const numbers = new Float64Array(code.constantCount);
  const bind = code.functions.bind({ C: numbers, ...numbered("A", Object.values(constants)) }) as () => boolean;
  return bind() ? { plant, equations, numbers } : undefined;
}

/** Returns a record `{ A0: …, A1: … }`. */
function numbered(letter: string, values: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(values.map((value, i) => [`${letter}${i}`, value]));
}

/** Minimum array length, because V8 keeps shorter typed arrays on its heap, where access is slower. */
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
  /** Called once per interval, after state and input are loaded. Returns false if a guard fails. */
  readonly prepare: () => boolean;
  /** Computes the slope from state, input and clock. Returns false if a guard fails. */
  readonly rhs: () => boolean;
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
  /** Whether code and reference agreed for the numbers in memory. */
  private isChecked = false;

  constructor(code: KernelCode, first: Binding) {
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
    this.rhs = code.functions.slopes(given) as Kernel["rhs"];
    this.rhsAfterJump = code.functions.afterJump(given) as Kernel["rhsAfterJump"];
    this.take = code.functions.take(given) as Kernel["take"];
    this.compare = code.functions.compare(given) as Kernel["compare"];
    this.evaluate = code.functions.evaluate({ ...given, K: this.outputSlope }) as Kernel["evaluate"];
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
   * with the same numbers as the last is not compared again: every bound plant has been compared before.
   */
  check(binding: Binding): void {
    const { clock, code } = this;
    const { equations } = binding;
    const isKnown = this.isChecked && this.hasNumbersOf(binding);
    this.bind(binding);
    if (isKnown) return;
    this.isChecked = false;
    clock[0] = 0;
    const [slope, scratch] = [new Float64Array(code.size), new Float64Array(equations.scratchSize)];
    const [x, u] = [new Float64Array(code.size), new Float64Array(equations.inputSize)];
    const isSame = (values: Float64Array) => slope.every((value, i) => Object.is(value, values[i]));
    for (let k = 0; k < equations.exampleCount; k += 1) {
      equations.exampleInto(x, u, k);
      equations.into(slope, clock, x, u, scratch);
      equations.outputsInto?.(slope, clock, x, u, scratch);
      this.state.set(x);
      this.input.set(u);
      const isWhole = !this.evaluate() || (isSame(this.outputSlope) && this.isSameScratch(scratch));
      const isEqual = isWhole && (!this.prepare() || !this.rhs() || isSame(this.slope)) && this.isSameAfterJump(isSame);
      if (!isEqual) throw new CodeDiffers(`code and reference differ at example ${k}`);
    }
    this.isChecked = true;
  }

  /** Whether the numbers in memory are those of a plant, bit for bit. */
  private hasNumbersOf({ equations: { clearBounds, constants }, numbers }: Binding): boolean {
    const bounds = clearBounds?.states.flatMap((_, k) => [clearBounds.low[k]!, clearBounds.high[k]!]) ?? [];
    return (
      areSame(this.numbers, numbers) &&
      areSame(this.bounds, bounds) &&
      this.tableNames.every((name, i) => areSame(this.tables[i]!, constants[name]!))
    );
  }

  /** Compares the slopes after a jump to the present example, from one with smaller numbers. */
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

/** Whether two lists have the same values, with −0 different from 0. */
function areSame(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i += 1) if (!Object.is(a[i], b[i])) return false;
  return true;
}
