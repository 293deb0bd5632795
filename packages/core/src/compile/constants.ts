/**
 * Numbers that are known before the flight: parameters, and what follows from parameters alone.
 *
 * Code is made for a structure, not for numbers: which parameters are zero, one, equal to each other, how comparisons
 * between them come out. All of that is written down as it is looked at, and what follows from parameters is written
 * down as a recipe. So another vehicle of the same structure can take over the code: its numbers are computed by the
 * same recipe, in the same order of operations, into the array that the code reads.
 */
import type { Binary, Unary } from "./program.ts";

/** What a rule may ask about a number. */
export type Category =
  | "zero"
  | "negative zero"
  | "one"
  | "minus one"
  | "above one"
  | "below one"
  | "negative"
  | "not finite";

export function categoryOf(value: number): Category {
  if (value === 0) return Object.is(value, -0) ? "negative zero" : "zero";
  if (value === 1) return "one";
  if (value === -1) return "minus one";
  if (!(Math.abs(value) < Infinity)) return "not finite";
  if (value < 0) return "negative";
  return value > 1 ? "above one" : "below one";
}

export type Constants = Readonly<Record<string, Float64Array | Int32Array>>;

type Step =
  | readonly ["parameter", array: string, index: number]
  | readonly ["literal", number]
  | readonly ["unary", Unary, number]
  | readonly ["binary", Binary, number, number];

type Decision =
  | readonly ["category", step: number, Category]
  | readonly ["not zero", step: number]
  | readonly ["compared", Binary, number, number, boolean]
  | readonly ["same", number, number]
  | readonly ["whole", array: string, index: number, value: number];

/** What code holds for: how the numbers it reads are computed from parameters, and what was decided on them. */
export interface Structure {
  readonly steps: readonly Step[];
  readonly decisions: readonly Decision[];
}

/** The numbers of all steps for other parameters, or undefined if those have another structure. */
export function valuesFor({ steps, decisions }: Structure, given: Constants): Float64Array | undefined {
  const values = new Float64Array(steps.length);
  steps.forEach((step, i) => {
    if (step[0] === "parameter") values[i] = given[step[1]]![step[2]]!;
    else if (step[0] === "literal") values[i] = step[1];
    else if (step[0] === "unary") values[i] = applyUnary(step[1], values[step[2]]!) as number;
    else values[i] = applyBinary(step[1], values[step[2]]!, values[step[3]]!) as number;
  });
  return decisions.every((decision) => stands(decision, given, values)) ? values : undefined;
}

export class ConstantRecipes implements Structure {
  private readonly given: Constants;
  readonly steps: Step[] = [];
  readonly decisions: Decision[] = [];
  private readonly values: number[] = [];
  private readonly known = new Map<string, number>();
  private readonly looked = new Set<string>();

  constructor(given: Constants) {
    this.given = given;
  }

  value(step: number): number {
    return this.values[step]!;
  }

  /** A whole number that shapes the code: part of the structure itself. */
  whole(array: string, index: number): number {
    const value = this.given[array]![index]!;
    this.decide(["whole", array, index, value]);
    return value;
  }

  /** A parameter. One that equals an earlier one is that one. */
  parameter(array: string, index: number): number {
    const value = this.given[array]![index]!;
    const key = `${array} ${index}`;
    const before = this.known.get(key);
    if (before !== undefined) return before;
    const step = this.add(["parameter", array, index], value);
    const twin = this.steps.findIndex(([kind], i) => kind === "parameter" && Object.is(this.values[i], value));
    if (twin < step) this.decide(["same", twin, step]);
    this.known.set(key, twin);
    return twin;
  }

  literal(value: number): number {
    return this.remember(`= ${Object.is(value, -0) ? "-0" : value}`, ["literal", value], value);
  }

  unary(op: Unary, a: number): number {
    return this.remember(`${op} ${a}`, ["unary", op, a], applyUnary(op, this.values[a]!) as number);
  }

  binary(op: Binary, a: number, b: number): number {
    const value = applyBinary(op, this.values[a]!, this.values[b]!) as number;
    return this.remember(`${a} ${op} ${b}`, ["binary", op, a, b], value);
  }

  /** How a comparison comes out; code made on it holds for those for whom it comes out alike. */
  compare(op: Binary, a: number, b: number): boolean {
    const outcome = applyBinary(op, this.values[a]!, this.values[b]!) as boolean;
    this.decide(["compared", op, a, b, outcome]);
    return outcome;
  }

  /** Code reads a number of which it is known only that it is not zero. */
  notZero(step: number): void {
    this.decide(["not zero", step]);
  }

  category(step: number): Category {
    const category = categoryOf(this.values[step]!);
    this.decide(["category", step, category]);
    return category;
  }

  private decide(decision: Decision): void {
    const key = decision.join(" ");
    if (this.looked.has(key)) return;
    this.looked.add(key);
    this.decisions.push(decision);
  }

  private remember(key: string, step: Step, value: number): number {
    const before = this.known.get(key);
    if (before !== undefined) return before;
    const made = this.add(step, value);
    this.known.set(key, made);
    return made;
  }

  private add(step: Step, value: number): number {
    this.steps.push(step);
    this.values.push(value);
    return this.steps.length - 1;
  }
}

function stands(decision: Decision, given: Constants, values: Float64Array): boolean {
  switch (decision[0]) {
    case "category":
      return categoryOf(values[decision[1]]!) === decision[2];
    case "not zero":
      return values[decision[1]] !== 0;
    case "compared":
      return applyBinary(decision[1], values[decision[2]]!, values[decision[3]]!) === decision[4];
    case "same":
      return Object.is(values[decision[1]], values[decision[2]]);
    case "whole":
      return given[decision[1]]![decision[2]] === decision[3];
  }
}

export function applyUnary(op: Unary, a: number | boolean): number | boolean {
  switch (op) {
    case "neg":
      return -a;
    case "not":
      return !a;
    case "sqrt":
      return Math.sqrt(a as number);
    case "abs":
      return Math.abs(a as number);
    case "floor":
      return Math.floor(a as number);
  }
}

export function applyBinary(op: Binary, left: number | boolean, right: number | boolean): number | boolean {
  const a = left as number;
  const b = right as number;
  switch (op) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return a / b;
    case "min":
      return Math.min(a, b);
    case "max":
      return Math.max(a, b);
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    case ">=":
      return a >= b;
    case "===":
      return a === b;
    case "!==":
      return a !== b;
    case "and":
      return left && right;
    case "or":
      return left || right;
  }
}
