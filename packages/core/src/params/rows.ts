/**
 * The rows of a parameter table, written as calls: `massKg: number("kg", open(0, 1e5), "Total mass.")`.
 *
 * The last argument is the default. A key without one is required.
 */
import type {
  BooleanParam,
  ChoiceParam,
  DurationParam,
  NumberParam,
  ParamTable,
  SectionParam,
  SectionsParam,
  TextParam,
  VectorParam,
} from "./table.ts";

type Range = Pick<NumberParam, "min" | "max" | "open">;

/** Any finite number. */
export const ANY: Range = {};

/** Returns the range from `min` to `max`, both included. */
export function closed(min: number, max: number): Range {
  return { min, max };
}

/** Returns the range between `min` and `max`, both excluded. */
export function open(min: number, max: number): Range {
  return { min, max, open: true };
}

export function above(min: number): Range {
  return { min, open: true };
}

export function atLeast(min: number): Range {
  return { min };
}

export function atMost(max: number): Range {
  return { max };
}

export function number(unit: string, range: Range, about: string, fallback?: number): NumberParam {
  return { type: "number", unit, ...range, ...withDefault(fallback), about };
}

export function integer(unit: string, range: Range, about: string, fallback?: number): NumberParam {
  return { type: "number", unit, integer: true, ...range, ...withDefault(fallback), about };
}

export function vector(
  size: number,
  unit: string,
  range: Omit<Range, "open">,
  about: string,
  fallback?: readonly number[],
): VectorParam {
  return { type: "vector", unit, size, ...range, ...withDefault(fallback), about };
}

/** Seconds above 0. */
export function duration(about: string, fallback?: number): DurationParam {
  return { type: "duration", unit: "s", ...withDefault(fallback), about };
}

export function durationOrZero(about: string, fallback?: number): DurationParam {
  return { type: "duration", unit: "s", zero: true, ...withDefault(fallback), about };
}

export function boolean(about: string, fallback?: boolean): BooleanParam {
  return { type: "boolean", ...withDefault(fallback), about };
}

export function text(about: string, fallback?: string): TextParam {
  return { type: "text", ...withDefault(fallback), about };
}

export function choice<const Option extends string>(
  options: readonly Option[],
  about: string,
  fallback?: Option,
): ChoiceParam<Option> {
  return { type: "choice", options, ...withDefault(fallback), about };
}

/** Declares a table within the table. If all its keys have defaults, the table itself may be omitted. */
export function section<T extends ParamTable>(
  table: T,
  about: string,
  fallback?: Readonly<Record<string, never>>,
): SectionParam<T> {
  return { type: "section", table, ...withDefault(fallback), about };
}

/** Declares a list of tables. */
export function sections<T extends ParamTable>(
  table: T,
  length: { readonly minLength?: number; readonly maxLength: number },
  about: string,
  fallback?: readonly [],
): SectionsParam<T> {
  return { type: "sections", table, ...length, ...withDefault(fallback), about };
}

function withDefault<T>(fallback: T | undefined): { readonly default?: T } {
  return fallback === undefined ? {} : { default: fallback };
}
