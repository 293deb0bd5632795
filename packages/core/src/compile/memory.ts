/**
 * The arrays of a right-hand side as a run of its program sees them: as symbols, or as the numbers of an example.
 */
import type { OpaqueCall } from "../integrate/contract.ts";
import type { ConstantRecipes, Constants } from "./constants.ts";
import { type Graph, isNode, type Value } from "./graph.ts";
import { NotCompilable } from "./not-compilable.ts";
import type { Rules } from "./rules.ts";

/** What a parameter of the right-hand side stands for. */
export type Role = "state" | "input" | "slope" | "time" | "scratch" | "constant";

const ROLES: ReadonlyMap<string, Role> = new Map([
  ["dx", "slope"],
  ["x", "state"],
  ["u", "input"],
  ["timeS", "time"],
  ["w", "scratch"],
]);

/** An array as the program sees it. */
export class ArrayRef {
  readonly name: string;
  readonly role: Role;

  constructor(name: string) {
    this.name = name;
    this.role = ROLES.get(name) ?? "constant";
  }
}

/** What the arrays hold at one point of a run, to go back to it. */
export type Kept = ReadonlyMap<string, Value>;

export interface Memory {
  read(array: ArrayRef, index: Value): Value;
  write(array: ArrayRef, index: Value, value: Value): void;
  call(name: string, args: readonly (ArrayRef | Value)[]): void;
}

/** Symbols: slopes and scratch are what the program wrote; parameters are known. */
export class SymbolMemory implements Memory {
  private readonly graph: Graph;
  private readonly rules: Rules;
  private readonly recipes: ConstantRecipes;
  private readonly constants: Constants;
  private readonly calls: Readonly<Record<string, OpaqueCall>>;
  /** A function that is called as it stands is given the whole input. */
  handsOutInput = false;
  /** By name of the array and index. */
  private cells = new Map<string, Value>();

  constructor(parts: {
    graph: Graph;
    rules: Rules;
    recipes: ConstantRecipes;
    constants: Constants;
    calls: Readonly<Record<string, OpaqueCall>>;
  }) {
    this.graph = parts.graph;
    this.rules = parts.rules;
    this.recipes = parts.recipes;
    this.constants = parts.constants;
    this.calls = parts.calls;
  }

  get kept(): Kept {
    return this.cells;
  }

  restore(kept: Kept): void {
    this.cells = new Map(kept);
  }

  /** Everything written to an array. */
  written(name: string): Map<number, Value> {
    const start = `${name} `;
    const found = [...this.cells].filter(([key]) => key.startsWith(start));
    return new Map(found.map(([key, value]) => [Number(key.slice(start.length)), value]));
  }

  read(array: ArrayRef, index: Value): Value {
    const { graph } = this;
    if (array.role === "constant") return this.constant(array.name, index);
    if (isNode(index)) throw new NotCompilable(`which element of "${array.name}" is meant depends on the state`);
    if (array.role === "state" || array.role === "input" || array.role === "time")
      return graph.node(array.role, index, 0);
    const value = this.cells.get(`${array.name} ${String(index)}`);
    if (value === undefined)
      throw new NotCompilable(`element ${String(index)} of "${array.name}" is read before it is written`);
    return value;
  }

  write(array: ArrayRef, index: Value, value: Value): void {
    if (isNode(index)) throw new NotCompilable(`which element of "${array.name}" is written depends on the state`);
    if (array.role !== "slope" && array.role !== "scratch") {
      throw new NotCompilable(`"${array.name}" is written, which a right-hand side may not`);
    }
    this.cells.set(`${array.name} ${String(index)}`, value);
  }

  /** Stores what the function reads, and reads what it changed. */
  call(name: string, args: readonly (ArrayRef | Value)[]): void {
    const { graph, calls } = this;
    const call = standing(calls, name);
    const given = args.map((arg) => {
      if (arg instanceof ArrayRef) return arg.name;
      if (typeof arg !== "number")
        throw new NotCompilable(`"${name}" is called with a number that depends on the state`);
      return arg;
    });
    if (given.includes("u")) this.handsOutInput = true;
    const which = given.find((arg) => typeof arg === "number") ?? 0;
    const stores = call.reads(which).flatMap((cell) => {
      const value = this.cells.get(`w ${cell}`);
      return value === undefined ? [] : [[cell, value] as const];
    });
    const traits = { isNeverMinusZero: call.writesSums === true };
    const loads = call.writes(which).map((cell) => graph.fresh("scratch", cell, 0, traits));
    graph.block.items.push({ kind: "call", name, args: given, stores, loads });
    for (const load of loads) this.cells.set(`w ${String(load.a)}`, load);
  }

  private constant(name: string, index: Value): Value {
    if (isNode(index)) return this.graph.node("table", index, 0, { table: name });
    const array = this.constants[name];
    const place = index as number;
    if (array === undefined || !(place >= 0 && place < array.length))
      throw new NotCompilable(`"${name}" has no element ${place}`);
    if (array instanceof Int32Array) return this.recipes.whole(name, place);
    return this.rules.constant(this.recipes.parameter(name, place));
  }
}

/** Numbers: the arrays themselves. */
export class NumberMemory implements Memory {
  private readonly arrays: Readonly<Record<string, Float64Array | Int32Array>>;
  private readonly calls: Readonly<Record<string, OpaqueCall>>;

  constructor(
    arrays: Readonly<Record<string, Float64Array | Int32Array>>,
    calls: Readonly<Record<string, OpaqueCall>>,
  ) {
    this.arrays = arrays;
    this.calls = calls;
  }

  read(array: ArrayRef, index: Value): Value {
    return this.arrays[array.name]![index as number] ?? NaN;
  }

  write(array: ArrayRef, index: Value, value: Value): void {
    this.arrays[array.name]![index as number] = value as number;
  }

  call(name: string, args: readonly (ArrayRef | Value)[]): void {
    const run = standing(this.calls, name).run as (...args: unknown[]) => void;
    run(...args.map((arg) => (arg instanceof ArrayRef ? this.arrays[arg.name] : arg)));
  }
}

function standing(calls: Readonly<Record<string, OpaqueCall>>, name: string): OpaqueCall {
  const call = Object.hasOwn(calls, name) ? calls[name] : undefined;
  if (call === undefined) throw new NotCompilable(`"${name}" is not part of the program`);
  return call;
}
