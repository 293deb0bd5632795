/**
 * Code of a right-hand side at work: over its arrays, with the numbers of the flight that uses it, and tried against the
 * reference for each of them.
 *
 * It is shared by all flights whose parameters have the same structure. The arrays that the code works on belong to it,
 * since engines make the fastest code for arrays that never change; a flight that uses it binds its own numbers first, if
 * another one did in between.
 */
import type { Dynamics, Equations } from "../integrate/contract.ts";
import { Arena } from "./arena.ts";
import { valuesFor } from "./constants.ts";
import { LEAST_CONSTANT, MOST_CONSTANT } from "./finite.ts";
import type { KernelCode } from "./kernel-code.ts";
import { NotCompilable } from "./not-compilable.ts";

/** Short typed arrays lie among the objects and are slower to reach. */
const LEAST_LENGTH = 16;

/** The plant whose numbers a kernel holds at present. */
export interface Binding {
  readonly plant: Dynamics;
  readonly equations: Equations;
  readonly numbers: Float64Array;
}

/** What a plant needs to use code, or undefined if its structure is another one. */
export function bindingOf(code: KernelCode, plant: Dynamics): Binding | undefined {
  const equations = plant.equations!;
  if (equations.program !== code.program || plant.layout.size !== code.size) return undefined;
  if (String(equations.calm?.states ?? []) !== String(code.calm)) return undefined;
  if (equations.refusedAt !== code.refusedAt || !isSameList(equations.outputCells, code.outputCells)) return undefined;
  const numbers = valuesFor(code.structure, equations.constants);
  const isValid = (value: number) =>
    value === 0 || (Math.abs(value) >= LEAST_CONSTANT && Math.abs(value) <= MOST_CONSTANT);
  return numbers !== undefined && numbers.every(isValid) ? { plant, equations, numbers } : undefined;
}

/** Absent is all cells, and an empty list is none. */
function isSameList(a: readonly number[] | undefined, b: readonly number[] | undefined): boolean {
  return (a === undefined) === (b === undefined) && String(a) === String(b);
}

export class Kernel {
  readonly code: KernelCode;
  readonly state: Float64Array;
  readonly slope: Float64Array;
  readonly input: Float64Array;
  readonly scratch: Float64Array;
  readonly clock: Float64Array;
  /** Bounds of the states that tell whether the plant is calm, in pairs. */
  readonly calmBounds: Float64Array;
  /** Where its arrays lie, and those of methods that work on it. */
  readonly arena: Arena;
  /** Once an interval, before the rest: what follows from the input and from states that do not move. */
  readonly prepare: () => boolean;
  /** From state, input and clock to slope. */
  readonly rhs: () => void;
  /** From a state and an input of others' to slope and scratch; false: not to be trusted. */
  readonly evaluate: (x: Float64Array, u: Float64Array) => boolean;
  bound: Binding;
  /** The whole input, where the reference is run; the code has taken over what it reads. */
  given: Float64Array;
  /** The method whose memory it is at present. */
  user: object | undefined;

  /** The reference moved a state that the code takes for still. */
  private isStirred = false;
  private readonly numbers: Float64Array;
  private readonly calls: Equations["calls"];
  private readonly tableNames: readonly string[];
  private readonly tables: readonly (Float64Array | Int32Array)[];

  constructor(code: KernelCode, first: Binding) {
    const { size, functions } = code;
    const { inputSize, scratchSize, constants, calls } = first.equations;
    const { numbers } = first;
    this.code = code;
    this.calls = calls;
    this.arena = new Arena(24 * size + 2 * inputSize + numbers.length + scratchSize + 256);
    const vector = (length: number) => this.arena.reserve(length);
    this.clock = vector(LEAST_LENGTH);
    this.calmBounds = vector(2 * code.calm.length);
    this.state = vector(size);
    this.slope = vector(size);
    this.input = vector(inputSize);
    this.given = this.input;
    this.numbers = vector(numbers.length);
    this.tableNames = Object.keys(constants);
    this.tables = this.tableNames.map((name) => constants[name]!.slice());
    this.scratch = vector(scratchSize);
    this.bound = first;
    const given: Record<string, unknown> = {
      S: this.state,
      U: this.input,
      T: this.clock,
      K: this.slope,
      W: this.scratch,
      C: this.numbers,
      bail: this.bail,
    };
    this.tables.forEach((table, i) => (given[`A${i}`] = table));
    Object.values(calls).forEach(({ run }, i) => (given[`F${i}`] = run));
    const forSlopes = { ...given, V: vector(code.handed) };
    this.prepare = functions.prepare(forSlopes) as Kernel["prepare"];
    this.rhs = functions.slopes(forSlopes) as Kernel["rhs"];
    this.evaluate = functions.evaluate(forSlopes) as Kernel["evaluate"];
  }

  /** Whether the arrays suffice for a plant. */
  holds({ equations }: Binding): boolean {
    const fits = this.tableNames.every((name, i) => equations.constants[name]?.length === this.tables[i]!.length);
    const isCalled = Object.keys(this.calls).every((name) => equations.calls[name]?.run === this.calls[name]!.run);
    const { inputSize, scratchSize } = equations;
    return fits && isCalled && inputSize <= this.input.length && scratchSize <= this.scratch.length;
  }

  bind(binding: Binding): void {
    this.numbers.set(binding.numbers);
    this.tableNames.forEach((name, i) => this.tables[i]!.set(binding.equations.constants[name]!));
    const { calm } = binding.equations;
    calm?.states.forEach((_, k) => this.calmBounds.set([calm.low[k]!, calm.high[k]!], 2 * k));
    this.slope.fill(0);
    this.bound = binding;
    this.user = undefined;
  }

  /** Binds a plant and tries the code on its examples: refused where a bit differs from the reference. */
  tryOn(binding: Binding): void {
    const { code, clock } = this;
    const { equations } = binding;
    this.bind(binding);
    // As when the branches were counted.
    clock[0] = 0;
    const slope = new Float64Array(code.size);
    const scratch = new Float64Array(equations.scratchSize);
    const [x, u] = [new Float64Array(code.size), new Float64Array(equations.inputSize)];
    for (let k = 0; k < equations.exampleCount; k += 1) {
      equations.exampleInto(x, u, k);
      equations.into(slope, clock, x, u, scratch);
      equations.outputsInto?.(slope, clock, x, u, scratch);
      if (equations.refusedAt !== undefined && scratch[equations.refusedAt] !== 0) continue;
      this.given = u;
      if (!this.evaluate(x, u)) continue;
      let same = slope.every((value, i) => Object.is(value, this.slope[i]));
      for (const cell of code.written) same = same && Object.is(scratch[cell], this.scratch[cell]);
      this.slope.fill(0);
      this.state.set(x);
      this.input.set(u);
      this.prepare();
      this.rhs();
      same = same && slope.every((value, i) => Object.is(value, this.slope[i]));
      if (!same) throw new NotCompilable(`code and reference differ at example ${k}`);
    }
  }

  /** The reference in the middle of code. Where it moves what the code takes for still, nothing is to be trusted. */
  private readonly bail = (): void => {
    this.byReference();
    if (!this.isStirred) return;
    this.slope.fill(NaN);
    this.settle();
  };

  /** States that stand still have a slope of +0 again: code does not write it. */
  settle(): void {
    if (!this.isStirred) return;
    for (const i of this.code.still) this.slope[i] = 0;
    this.isStirred = false;
  }

  /** The reference, in the arrays of the code. */
  readonly byReference = (): void => {
    const { plant, equations } = this.bound;
    const { size } = this.code;
    const [slope, state] = [this.slope.subarray(0, size), this.state.subarray(0, size)];
    equations.into(slope, this.clock, state, this.given, this.scratch);
    const { refusedAt } = equations;
    if (refusedAt !== undefined && this.scratch[refusedAt] !== 0)
      plant.derivativesInto(slope, this.clock, state, this.given);
    if (this.code.still.every((i) => Object.is(slope[i], 0))) return;
    this.isStirred = true;
    this.user = undefined;
  };

  /** What `evaluate` does, by the reference. */
  evaluateByReference(x: Float64Array): void {
    const { size } = this.code;
    const [slope, state] = [this.slope.subarray(0, size), this.state.subarray(0, size)];
    state.set(x);
    this.byReference();
    this.bound.equations.outputsInto?.(slope, this.clock, state, this.given, this.scratch);
  }
}
