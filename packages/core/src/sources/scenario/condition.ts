/**
 * Conditions as data: comparisons of quantities, all of which must hold.
 *
 * A condition that is one comparison with `>`, `>=`, `<` or `<=` of a state quantity is a crossing, and is located
 * inside the interval; everything else is looked at where the scenario runs. People write `altitudeM > 10`; the parser
 * here turns that into data, and says what it did not understand.
 */
import { nearestName } from "../../params/index.ts";
import { isStateQuantity, QUANTITY_NAMES, type QuantityName } from "./quantities.ts";

export const COMPARATORS = [">=", "<=", ">", "<", "=="] as const;
export type Comparator = (typeof COMPARATORS)[number];

export interface Comparison {
  readonly quantity: QuantityName;
  readonly comparator: Comparator;
  readonly value: number;
}

/** All of them must hold. */
export type Condition = readonly Comparison[];

export function holds(comparator: Comparator, left: number, right: number): boolean {
  switch (comparator) {
    case ">":
      return left > right;
    case ">=":
      return left >= right;
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case "==":
      return left === right;
  }
}

/** The comparison whose crossing is to be located, if the condition is of that form. */
export function crossingOf(condition: Condition): Comparison | undefined {
  const [only] = condition;
  return condition.length === 1 && only!.comparator !== "==" && isStateQuantity(only!.quantity) ? only : undefined;
}

/** Signed so that it rises through zero when the comparison becomes true. */
export function risesWhen(comparator: Comparator): 1 | -1 {
  return comparator === ">" || comparator === ">=" ? 1 : -1;
}

export interface ConditionFault {
  readonly what: string;
  readonly fix: string;
}

/** `altitudeM > 10 and armed == 1` → data, or what is wrong with it. */
export function parseCondition(text: string): Condition | ConditionFault {
  const comparisons: Comparison[] = [];
  for (const part of text.split(/\s+and\s+/)) {
    const comparison = parseComparison(part.trim());
    if (!("quantity" in comparison)) return comparison;
    comparisons.push(comparison);
  }
  return comparisons;
}

function parseComparison(text: string): Comparison | ConditionFault {
  const comparator = COMPARATORS.find((candidate) => text.includes(candidate));
  if (comparator === undefined) {
    return { what: `"${text}" compares nothing`, fix: `write e.g. "altitudeM > 10" with one of ${COMPARATORS.join(" ")}` };
  }
  const [left = "", right = ""] = text.split(comparator).map((side) => side.trim());
  if (!(QUANTITY_NAMES as readonly string[]).includes(left)) {
    const near = nearestName(left, QUANTITY_NAMES);
    return {
      what: `"${left}" is not a quantity`,
      fix: near === undefined ? `one of: ${QUANTITY_NAMES.join(", ")}` : `did you mean "${near}"?`,
    };
  }
  const value = right === "" ? Number.NaN : Number(right);
  if (!Number.isFinite(value)) return { what: `"${right}" is not a number`, fix: "compare with a finite number" };
  return { quantity: left as QuantityName, comparator, value };
}

export function conditionText(condition: Condition): string {
  return condition.map(({ quantity, comparator, value }) => `${quantity} ${comparator} ${value}`).join(" and ");
}
