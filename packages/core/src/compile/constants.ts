/**
 * Numbers that are known before the flight: parameters, and everything that depends on parameters alone.
 *
 * Code is made for a structure, not for particular numbers. The structure consists of the facts that shaped the code:
 * the whole numbers, the outcomes of comparisons between parameters, which parameters are equal, and which are 0, −0,
 * 1, −1 or NaN. The code reads all other numbers from an array, which is computed step by step in the order of the
 * source. So one text serves every vehicle of the same structure.
 */
import { apply, type Binary, type Unary } from "./program.ts";

type Constants = Readonly<Record<string, Float64Array | Int32Array>>;

/** How one number is computed; operands are indices of earlier steps. */
type Step =
  | readonly ["parameter", array: string, index: number]
  | readonly ["literal", number]
  | readonly ["operation", Unary | Binary, number, number];

/** A fact on which the code depends. */
type Fact =
  | readonly ["whole", array: string, index: number, value: number]
  | readonly ["compared", Binary, number, number, boolean]
  | readonly ["equal", number, number]
  /** The number is this special value or, if `undefined`, not special. */
  | readonly ["special", step: number, value: number | undefined];

export interface Structure {
  readonly steps: readonly Step[];
  readonly facts: readonly Fact[];
}

/** 0, −0, 1, −1 and NaN are literals in the code, because its form depends on them. */
function specialOf(value: number): number | undefined {
  return value === 0 || value === 1 || value === -1 || Number.isNaN(value) ? value : undefined;
}

/** The numbers of all steps for other parameters; undefined if their structure differs. */
export function valuesFor({ steps, facts }: Structure, given: Constants): Float64Array | undefined {
  const values = new Float64Array(steps.length);
  steps.forEach((step, i) => {
    if (step[0] === "parameter") values[i] = given[step[1]]![step[2]]!;
    else if (step[0] === "literal") values[i] = step[1];
    else values[i] = apply(step[1], values[step[2]]!, values[step[3]]!) as number;
  });
  return facts.every((fact) => holds(fact, given, values)) ? values : undefined;
}

function holds(fact: Fact, given: Constants, values: Float64Array): boolean {
  if (fact[0] === "whole") return given[fact[1]]![fact[2]] === fact[3];
  if (fact[0] === "compared") return apply(fact[1], values[fact[2]]!, values[fact[3]]!) === fact[4];
  if (fact[0] === "equal") return Object.is(values[fact[1]], values[fact[2]]);
  return Object.is(specialOf(values[fact[1]]!), fact[2]);
}

/** Collects the structure while a program runs. */
export class ConstantRecipes implements Structure {
  readonly steps: Step[] = [];
  readonly facts: Fact[] = [];
  readonly values: number[] = [];
  private readonly given: Constants;
  private readonly known = new Map<string, number>();
  private readonly recorded = new Set<string>();

  constructor(given: Constants) {
    this.given = given;
  }

  /** A whole number. It is part of the structure, because it selects variants and ends loops. */
  whole(array: string, index: number): number {
    const value = this.given[array]![index]!;
    this.record(["whole", array, index, value]);
    return value;
  }

  /** The step of a parameter, or of an earlier parameter with the same value. */
  parameter(array: string, index: number): number {
    const key = `${array} ${index}`;
    const before = this.known.get(key);
    if (before !== undefined) return before;
    const value = this.given[array]![index]!;
    const step = this.add(["parameter", array, index], value);
    const first = this.steps.findIndex(([kind], i) => kind === "parameter" && Object.is(this.values[i], value));
    if (first < step) this.record(["equal", first, step]);
    this.known.set(key, first);
    return first;
  }

  literal(value: number): number {
    return this.once(`= ${Object.is(value, -0) ? "-0" : value}`, ["literal", value], value);
  }

  operation(op: Unary | Binary, a: number, b: number): number {
    return this.once(`${a} ${op} ${b}`, ["operation", op, a, b], apply(op, this.values[a]!, this.values[b]!) as number);
  }

  compare(op: Binary, a: number, b: number): boolean {
    const outcome = apply(op, this.values[a]!, this.values[b]!) as boolean;
    this.record(["compared", op, a, b, outcome]);
    return outcome;
  }

  /** The value of a step if it is special; undefined otherwise. */
  special(step: number): number | undefined {
    const value = specialOf(this.values[step]!);
    this.record(["special", step, value]);
    return value;
  }

  private record(fact: Fact): void {
    const key = fact.map((part) => (Object.is(part, -0) ? "-0" : String(part))).join(" ");
    if (this.recorded.has(key)) return;
    this.recorded.add(key);
    this.facts.push(fact);
  }

  private once(key: string, step: Step, value: number): number {
    const before = this.known.get(key);
    if (before !== undefined) return before;
    this.known.set(key, this.steps.length);
    return this.add(step, value);
  }

  private add(step: Step, value: number): number {
    this.steps.push(step);
    return this.values.push(value) - 1;
  }
}
