/**
 * Computes the margin of a formula by its definition, at every microsecond. It shares only the syntax tree with the
 * monitors.
 */
import type {
  EventTree,
  FormulaTree,
  RequirementTree,
  ValueTree,
} from "../../../packages/core/src/requirements/tree.ts";
import type { HeldFlight } from "./held-signals.ts";

type Interval = readonly [low: number, high: number];

const UNKNOWN: Interval = [-Infinity, Infinity];
const NONE = undefined;

export class Definition {
  private readonly flight: HeldFlight;
  private readonly endUs: number;

  constructor(flight: HeldFlight) {
    this.flight = flight;
    this.endUs = flight.timesUs.at(-1)!;
  }

  /** Returns the margin; undefined if the requirement is untested. All units must be the same. */
  margin({ scope, mode, formula }: RequirementTree): Interval | undefined {
    const tree: FormulaTree = mode === "never" ? { formula: "not", of: formula, place: formula.place } : formula;
    const over = (instants: readonly number[]): Interval | undefined =>
      instants.length === 0
        ? NONE
        : (mode === "eventually" ? greatest : least)(instants.map((tUs) => this.at(tree, tUs)));
    switch (scope.scope) {
      case "whole":
        return over(range(0, this.endUs));
      case "during":
        return over(range(scope.span.fromUs, scope.span.toUs));
      case "at":
        return mode === "plain" ? this.at(tree, scope.tUs) : over(range(scope.tUs, this.endUs));
      case "after": {
        const [first] = this.happenings(scope.event);
        return first === undefined ? NONE : over(range(first, this.endUs));
      }
      case "before": {
        const [first = this.endUs + 1] = this.happenings(scope.event);
        return over(range(0, first - 1));
      }
      case "while": {
        const instants = range(0, this.endUs).filter((tUs) => isSatisfied(this.at(scope.of, tUs)[0]));
        if (instants.length === 0) return NONE;
        const both = range(0, this.endUs).map((tUs) => {
          const [low, high] = this.at(scope.of, tUs);
          const margin = this.at(tree, tUs);
          return mode === "eventually" ? least([[low, high], margin]) : greatest([[-high, -low], margin]);
        });
        return mode === "eventually" ? greatest(both) : least(both);
      }
      case "each": {
        const { place } = tree;
        // Inside a window, always, never and eventually refer to the time from each instant to the end of the flight.
        const inner: FormulaTree =
          mode === "plain" ? tree : { formula: mode === "eventually" ? "eventually" : "always", of: tree, place };
        const each = this.happenings(scope.event).map((tUs) => {
          const values = range(tUs + scope.fromUs, tUs + scope.toUs).map((at) => this.at(inner, at));
          return scope.mode === "for" ? least(values) : greatest(values);
        });
        return each.length === 0 ? NONE : least(each);
      }
    }
  }

  private at(tree: FormulaTree, tUs: number): Interval {
    const over = (fromUs: number, toUs: number, of: FormulaTree) => range(fromUs, toUs).map((at) => this.at(of, at));
    switch (tree.formula) {
      case "compare":
        return this.compare(tree, tUs);
      case "bare":
      case "event": {
        if (tUs > this.endUs) return UNKNOWN;
        const happens = this.happenings(eventOf(tree)).includes(tUs);
        return happens ? [Infinity, Infinity] : [-Infinity, -Infinity];
      }
      case "not": {
        const [low, high] = this.at(tree.of, tUs);
        return [-high, -low];
      }
      case "and":
        return least([this.at(tree.left, tUs), this.at(tree.right, tUs)]);
      case "or":
        return greatest([this.at(tree.left, tUs), this.at(tree.right, tUs)]);
      case "implies": {
        const [low, high] = this.at(tree.left, tUs);
        return greatest([[-high, -low], this.at(tree.right, tUs)]);
      }
      case "for":
        return least(over(tUs + tree.fromUs, tUs + tree.toUs, tree.of));
      case "within":
        return greatest(over(tUs + tree.fromUs, tUs + tree.toUs, tree.of));
      case "always":
        return tUs > this.endUs ? UNKNOWN : least(over(tUs, this.endUs, tree.of));
      case "eventually":
        return tUs > this.endUs ? UNKNOWN : greatest(over(tUs, this.endUs, tree.of));
      case "once":
        return greatest(over(Math.max(0, tUs - tree.lastUs), tUs, tree.of));
      case "until": {
        if (tree.withinUs === Infinity && tUs > this.endUs) return UNKNOWN;
        const toUs = tree.withinUs === Infinity ? this.endUs : tUs + tree.withinUs;
        let before: Interval = [Infinity, Infinity];
        const found: Interval[] = [];
        for (const at of range(tUs, toUs)) {
          found.push(least([this.at(tree.right, at), before]));
          before = least([before, this.at(tree.left, at)]);
        }
        return greatest(found);
      }
      default:
        throw new Error(`not defined here: ${tree.formula}`);
    }
  }

  private compare(tree: Extract<FormulaTree, { formula: "compare" }>, tUs: number): Interval {
    if (tUs > this.endUs) return UNKNOWN;
    const [left, right] = [this.value(tree.left, tUs), this.value(tree.right, tUs)];
    // Addition of zero makes −0 positive; the negation of +0 is −0.
    const margin = {
      ">=": left - right + 0,
      ">": -(right - left),
      "<=": right - left + 0,
      "<": -(left - right),
      "==": NaN,
      "!=": NaN,
    }[tree.comparator];
    return [margin, margin];
  }

  private value(tree: ValueTree, tUs: number): number {
    switch (tree.value) {
      case "number":
        return tree.number;
      case "negate":
        return -this.value(tree.of, tUs);
      case "named": {
        const row = this.flight.timesUs.filter((time) => time <= tUs).length - 1;
        return this.flight.signals[tree.name]!.values[row]!;
      }
      default:
        throw new Error(`not defined here: ${tree.value}`);
    }
  }

  private happenings(tree: EventTree): readonly number[] {
    if (tree.event === "named") return this.flight.events?.[tree.name] ?? [];
    if (tree.event !== "edge") throw new Error(`not defined here: ${tree.event}`);
    return range(0, this.endUs).filter(
      (tUs) => isSatisfied(this.at(tree.of, tUs)[0]) && (tUs === 0 || !isSatisfied(this.at(tree.of, tUs - 1)[0])),
    );
  }
}

function eventOf(tree: Extract<FormulaTree, { formula: "bare" | "event" }>): EventTree {
  if (tree.formula === "event") return tree.of;
  return { event: "named", name: (tree.of as Extract<ValueTree, { value: "named" }>).name, place: tree.place };
}

function isSatisfied(margin: number): boolean {
  return margin > 0 || Object.is(margin, 0);
}

function least(all: readonly Interval[]): Interval {
  return [Math.min(...all.map(([low]) => low)), Math.min(...all.map(([, high]) => high))];
}

function greatest(all: readonly Interval[]): Interval {
  return [Math.max(...all.map(([low]) => low)), Math.max(...all.map(([, high]) => high))];
}

function range(fromUs: number, toUs: number): number[] {
  return Array.from({ length: Math.max(0, toUs - fromUs + 1) }, (_, i) => fromUs + i);
}
