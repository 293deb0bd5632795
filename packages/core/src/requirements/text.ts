/**
 * The canonical text of a tree, which is shown, hashed and compared. Parsing it gives the same tree again.
 */
import type { EventTree, FormulaTree, MeasureTree, RequirementTree, ScopeTree, ValueTree } from "./tree.ts";
import { WORDS } from "./parser.ts";

export function requirementText({ scope, mode, formula }: RequirementTree): string {
  const word = mode === "plain" ? "" : `${mode} `;
  if (scope.scope === "whole") return `${word}${formulaText(formula, 0)}`;
  if (scope.scope === "during") {
    return `${word}${formulaText(formula, 0)} during ${timeText(scope.span.fromUs)}..${timeText(scope.span.toUs)}`;
  }
  return `${scopeText(scope)}: ${word}${formulaText(formula, 0)}`;
}

export function measureText(tree: MeasureTree): string {
  switch (tree.measure) {
    case "first time":
      return `first time ${formulaText(tree.of, 0)}`;
    case "time of":
    case "count of":
      return `${tree.measure} ${eventText(tree.event)}`;
    default: {
      const { during } = tree;
      const span = during === undefined ? "" : ` during ${timeText(during.fromUs)}..${timeText(during.toUs)}`;
      return `${tree.measure} ${valueText(tree.of, 0)}${span}`;
    }
  }
}

function scopeText(scope: Exclude<ScopeTree, { scope: "whole" | "during" }>): string {
  switch (scope.scope) {
    case "at":
      return `at ${timeText(scope.tUs)}`;
    case "after":
    case "before":
      return `${scope.scope} ${eventText(scope.event)}`;
    case "while":
      return `while ${formulaText(scope.of, 0)}`;
    case "each": {
      const { mode, fromUs, toUs, event } = scope;
      return `${windowText(mode, fromUs, toUs)} after ${eventText(event)}`;
    }
  }
}

function windowText(mode: "within" | "for", fromUs: number, toUs: number): string {
  return fromUs === 0 ? `${mode} ${timeText(toUs)}` : `from ${timeText(fromUs)} to ${timeText(toUs)}`;
}

/**
 * Returns the time in the longest of the units s, ms and us that gives a whole number, or in seconds with a fraction
 * that is parsed back exactly.
 */
function timeText(us: number): string {
  if (us % 1e6 === 0) return `${us / 1e6} s`;
  if (us % 1e3 === 0 && us < 1e6) return `${us / 1e3} ms`;
  const seconds = (us / 1e6).toFixed(6).replace(/0+$/, "");
  return us < 1e3 ? `${us} us` : `${seconds} s`;
}

export function eventText(tree: EventTree): string {
  switch (tree.event) {
    case "named":
      return WORDS.includes(tree.name) || !/^[A-Za-z_]/.test(tree.name) ? `"${tree.name}"` : tree.name;
    case "missionItem":
      return `missionItem ${tree.item}`;
    case "edge":
      return `(${formulaText(tree.of, 0)})`;
    default:
      return tree.event;
  }
}

/**
 * Levels: 0 implies, 1 or, 2 and, 3 until, 4 operators before a formula, 5 predicates. A part of a lower level is put
 * in parentheses.
 */
export function formulaText(tree: FormulaTree, level: number): string {
  const [ownLevel, text] = formulaParts(tree);
  return ownLevel < level ? `(${text})` : text;
}

function formulaParts(tree: FormulaTree): readonly [level: number, text: string] {
  switch (tree.formula) {
    case "implies":
      return [0, `if ${formulaText(tree.left, 1)} then ${formulaText(tree.right, 0)}`];
    case "or":
      return [1, `${formulaText(tree.left, 1)} or ${formulaText(tree.right, 2)}`];
    case "and":
      return [2, `${formulaText(tree.left, 2)} and ${formulaText(tree.right, 3)}`];
    case "until": {
      const within = tree.withinUs === Infinity ? "" : ` within ${timeText(tree.withinUs)}`;
      return [3, `${formulaText(tree.left, 4)} until ${formulaText(tree.right, 4)}${within}`];
    }
    case "not":
    case "always":
    case "eventually":
      return [4, `${tree.formula} ${formulaText(tree.of, 4)}`];
    case "within":
    case "for":
      return [4, `${windowText(tree.formula, tree.fromUs, tree.toUs)}: ${formulaText(tree.of, 4)}`];
    case "once":
      return [4, `once ${formulaText(tree.of, 4)} in the last ${timeText(tree.lastUs)}`];
    case "compare":
      return [5, `${valueText(tree.left, 0)} ${tree.comparator} ${valueText(tree.right, 0)}`];
    case "is":
      return [5, `${valueText(tree.of, 0)} is ${tree.isNot ? "not " : ""}${tree.value}`];
    case "bare":
      return [5, valueText(tree.of, 0)];
    case "event":
      return [5, eventText(tree.of)];
  }
}

/** Levels: 0 sums, 1 products, 2 factors. A part of a lower level is put in parentheses. */
export function valueText(tree: ValueTree, level: number): string {
  switch (tree.value) {
    case "number":
      return tree.unit === undefined ? String(tree.number) : `${tree.number} ${tree.unit}`;
    case "named": {
      const { name, component, at } = tree;
      const part = component === undefined ? "" : typeof component === "number" ? `[${component}]` : `.${component}`;
      return `${name}${part}${at === undefined ? "" : ` at ${eventText(at)}`}`;
    }
    case "negate":
      return `-${valueText(tree.of, 2)}`;
    case "call":
      return `${tree.name}(${tree.of.map((argument) => valueText(argument, 0)).join(", ")})`;
    case "add":
    case "subtract":
    case "multiply":
    case "divide": {
      const [ownLevel, symbol] = OPERATORS[tree.value];
      const text = `${valueText(tree.left, ownLevel)} ${symbol} ${valueText(tree.right, ownLevel + 1)}`;
      return ownLevel < level ? `(${text})` : text;
    }
  }
}

const OPERATORS = { add: [0, "+"], subtract: [0, "-"], multiply: [1, "*"], divide: [1, "/"] } as const;
