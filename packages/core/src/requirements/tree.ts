/** The syntax tree of a requirement. Every part holds its place in the text, for errors. */

/** Index of the first character, and of the character after the last. */
export type Place = readonly [start: number, end: number];

export type Comparator = ">" | ">=" | "<" | "<=" | "==" | "!=";

/** The functions of values. */
export const FUNCTION_NAMES = ["abs", "min", "max", "norm", "hypot"] as const;
export type FunctionName = (typeof FUNCTION_NAMES)[number];

/** Events that every flight may have. */
export type BuiltInEvent = "takeoff" | "touchdown" | "arming" | "disarming";

export type EventTree = { readonly place: Place } & (
  | { readonly event: "named"; readonly name: string }
  | { readonly event: BuiltInEvent }
  | { readonly event: "missionItem"; readonly item: number }
  /** The rising edge of a formula. */
  | { readonly event: "edge"; readonly of: FormulaTree }
);

/** A value: a number or a vector. */
export type ValueTree = { readonly place: Place } & (
  | { readonly value: "number"; readonly number: number; readonly unit: string | undefined }
  | {
      readonly value: "named";
      readonly name: string;
      /** A component by name, or by number from 1. */
      readonly component: string | number | undefined;
      /** If present, the value is taken at the last occurrence of this event. */
      readonly at: EventTree | undefined;
    }
  | { readonly value: "add" | "subtract" | "multiply" | "divide"; readonly left: ValueTree; readonly right: ValueTree }
  | { readonly value: "negate"; readonly of: ValueTree }
  | { readonly value: "call"; readonly name: FunctionName; readonly of: readonly ValueTree[] }
);

export type FormulaTree = { readonly place: Place } & (
  | {
      readonly formula: "compare";
      readonly comparator: Comparator;
      readonly left: ValueTree;
      readonly right: ValueTree;
    }
  | { readonly formula: "is"; readonly of: ValueTree; readonly isNot: boolean; readonly value: string }
  /** A value by itself: a flag, or the name of an event. */
  | { readonly formula: "bare"; readonly of: ValueTree }
  | { readonly formula: "event"; readonly of: EventTree }
  | { readonly formula: "not"; readonly of: FormulaTree }
  | { readonly formula: "and" | "or" | "implies"; readonly left: FormulaTree; readonly right: FormulaTree }
  /** `within`: at some instant of the window; `for`: at every instant. */
  | {
      readonly formula: "within" | "for";
      readonly fromUs: number;
      readonly toUs: number;
      readonly of: FormulaTree;
    }
  | { readonly formula: "once"; readonly lastUs: number; readonly of: FormulaTree }
  | { readonly formula: "always" | "eventually"; readonly of: FormulaTree }
  | {
      readonly formula: "until";
      readonly left: FormulaTree;
      readonly right: FormulaTree;
      /** Infinite: up to the end of the flight. */
      readonly withinUs: number;
    }
);

/** A closed span of flight time. */
export interface SpanTree {
  readonly fromUs: number;
  readonly toUs: number;
  readonly place: Place;
}

export type ScopeTree =
  | { readonly scope: "whole" }
  | { readonly scope: "during"; readonly span: SpanTree }
  | { readonly scope: "at"; readonly tUs: number; readonly place: Place }
  /** Each time the event happens. */
  | {
      readonly scope: "each";
      readonly mode: "within" | "for";
      readonly fromUs: number;
      readonly toUs: number;
      readonly event: EventTree;
    }
  | { readonly scope: "after" | "before"; readonly event: EventTree }
  | { readonly scope: "while"; readonly of: FormulaTree };

export interface RequirementTree {
  readonly scope: ScopeTree;
  /** The word before the formula; `plain` if there is none. */
  readonly mode: "always" | "never" | "eventually" | "plain";
  readonly formula: FormulaTree;
}

export type MeasureTree =
  | {
      readonly measure: "max" | "min" | "mean" | "rms" | "final";
      readonly of: ValueTree;
      readonly during: SpanTree | undefined;
    }
  | { readonly measure: "first time"; readonly of: FormulaTree }
  | { readonly measure: "time of" | "count of"; readonly event: EventTree };
