/**
 * Conditions as data: one or more comparisons of quantities, all of which must hold.
 *
 * A single comparison of a state quantity with `>`, `>=`, `<` or `<=` is a crossing and is located inside the interval;
 * every other condition is evaluated when the scenario runs. The parser turns `altitudeM > 10` into data, or reports
 * what is wrong.
 */
import { nearestName, show } from "../../params/index.ts";
import type { Readable } from "../../engine/index.ts";
import {
  isStateQuantity,
  QUANTITY_NAMES,
  type QuantityName,
  type QuantityFacts,
  quantityReader,
  type QuantityReader,
  type SignalValuesView,
  type StatePlaces,
  type StateQuantityName,
} from "../../quantities/index.ts";

export const COMPARATORS = [">=", "<=", ">", "<", "=="] as const;
type Comparator = (typeof COMPARATORS)[number];

interface Comparison {
  readonly quantity: QuantityName;
  readonly comparator: Comparator;
  readonly value: number;
}

/** Comparisons that must all hold. */
export type Condition = readonly Comparison[];

/** Whether `left comparator right` holds, or fails by no more than the margin. */
export function holds(comparator: Comparator, left: number, right: number, margin = 0): boolean {
  switch (comparator) {
    case ">":
      return left + margin > right;
    case ">=":
      return left + margin >= right;
    case "<":
      return left - margin < right;
    case "<=":
      return left - margin <= right;
    case "==":
      return Math.abs(left - right) <= margin;
  }
}

/** A comparison as a value that rises through zero when the comparison becomes true. */
interface CrossingValue {
  readonly quantity: StateQuantityName;
  readonly sign: 1 | -1;
  readonly value: number;
  /** Whether the comparator is `>` or `<`, which is false at equality. */
  readonly isStrict: boolean;
}

/** Returns the crossing to locate; undefined if the condition is not a single inequality of a state quantity. */
export function crossingOf(condition: Condition): CrossingValue | undefined {
  const [only] = condition;
  if (condition.length !== 1 || only === undefined || only.comparator === "==") return undefined;
  const { quantity, comparator, value } = only;
  if (!isStateQuantity(quantity)) return undefined;
  return { quantity, value, sign: comparator.startsWith(">") ? 1 : -1, isStrict: comparator.length === 1 };
}

/** A condition bound to its plant, so that nothing is looked up during the flight. */
export class CompiledCondition {
  private readonly condition: Condition;
  private readonly readers: readonly QuantityReader[];

  constructor(condition: Condition, places: StatePlaces) {
    this.condition = condition;
    this.readers = condition.map(({ quantity }) => quantityReader(quantity, places));
  }

  /** Whether the condition holds. A comparison that fails by no more than the margin is taken to hold. */
  isTrue(bus: SignalValuesView, facts: QuantityFacts, x: Readable, margin: number): boolean {
    const { condition, readers } = this;
    for (let k = 0; k < readers.length; k += 1) {
      const { comparator, value } = condition[k]!;
      if (!holds(comparator, readers[k]!(bus, facts, x), value, margin)) return false;
    }
    return true;
  }
}

interface ConditionFault {
  readonly what: string;
  readonly fix: string;
}

/** Parses a text such as `altitudeM > 10 and armed == 1`, or returns what is wrong with it. */
export function parseCondition(text: string): Condition | ConditionFault {
  const comparisons: Comparison[] = [];
  for (const part of text.split(/\sand\s/)) {
    const comparison = parseComparison(part.trim());
    if (!("quantity" in comparison)) return comparison;
    comparisons.push(comparison);
  }
  return comparisons;
}

function parseComparison(text: string): Comparison | ConditionFault {
  const match = /^([^<>=]*)(>=|<=|==|>|<)([^<>=]*)$/.exec(text);
  if (match === null) {
    return {
      what: `${show(text)} is not a comparison`,
      fix: `write e.g. "altitudeM > 10" with one of ${COMPARATORS.join(" ")}`,
    };
  }
  const comparator = match[2]!;
  const [left, right] = [match[1]!.trim(), match[3]!.trim()];
  if (!(QUANTITY_NAMES as readonly string[]).includes(left)) {
    const near = nearestName(left, QUANTITY_NAMES);
    return {
      what: `${show(left)} is not a quantity`,
      fix: near === undefined ? `use one of: ${QUANTITY_NAMES.join(", ")}` : `did you mean "${near}"?`,
    };
  }
  const value = right === "" ? Number.NaN : Number(right);
  if (!Number.isFinite(value)) return { what: `${show(right)} is not a number`, fix: "compare with a finite number" };
  return { quantity: left as QuantityName, comparator: comparator as Comparator, value };
}

/** Writes a condition as text that `parseCondition` reads. */
export function conditionText(condition: Condition): string {
  return condition.map(({ quantity, comparator, value }) => `${quantity} ${comparator} ${value}`).join(" and ");
}
