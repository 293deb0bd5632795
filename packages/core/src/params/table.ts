/**
 * Parameter tables: every model, vehicle and section of a flight declares its settings in such a table.
 *
 * One declaration (type, unit, range, default, one sentence) feeds the checks, the error texts, the JSON Schema, the
 * `list` command and the docs, so they cannot disagree. A key ends in its unit (`tauS`, `massKg`); `unit` repeats it
 * in readable form. Durations are given in seconds and must be whole microseconds (law 2).
 */

interface Common<T> {
  /** One sentence for the user that says what the parameter is. */
  readonly about: string;
  /** If absent, the key is required. */
  readonly default?: T;
}

export interface NumberParam extends Common<number> {
  readonly type: "number";
  readonly unit: string;
  readonly min?: number;
  readonly max?: number;
  /** The bounds themselves are excluded. */
  readonly open?: boolean;
  readonly integer?: boolean;
}

/** Seconds that must convert to whole microseconds. */
export interface DurationParam extends Common<number> {
  readonly type: "duration";
  readonly unit: "s";
  /** Zero is allowed. */
  readonly zero?: boolean;
}

export interface BooleanParam extends Common<boolean> {
  readonly type: "boolean";
}

export interface TextParam extends Common<string> {
  readonly type: "text";
}

export interface ChoiceParam<Option extends string = string> extends Common<string> {
  readonly type: "choice";
  readonly options: readonly Option[];
}

/** A list of strings, e.g. file or column names. */
interface TextsParam extends Common<readonly string[]> {
  readonly type: "texts";
  readonly maxLength?: number;
}

/** A fixed number of numbers: a vector, or a matrix row by row. */
export interface VectorParam extends Common<readonly number[]> {
  readonly type: "vector";
  readonly unit: string;
  readonly size: number;
  readonly min?: number;
  readonly max?: number;
}

/** Any number of numbers, e.g. the knots of a curve. */
export interface ListParam extends Common<readonly number[]> {
  readonly type: "list";
  readonly unit: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly min?: number;
  readonly max?: number;
  readonly increasing?: boolean;
}

export interface SectionParam<T extends ParamTable = ParamTable> extends Common<Readonly<Record<string, unknown>>> {
  readonly type: "section";
  readonly table: T;
}

/** A list of sections, e.g. the rotors of a vehicle. */
export interface SectionsParam<T extends ParamTable = ParamTable> extends Common<
  readonly Readonly<Record<string, unknown>>[]
> {
  readonly type: "sections";
  readonly table: T;
  readonly minLength?: number;
  readonly maxLength?: number;
}

export type Param =
  | NumberParam
  | DurationParam
  | BooleanParam
  | TextParam
  | TextsParam
  | ChoiceParam
  | VectorParam
  | ListParam
  | SectionParam
  | SectionsParam;

/** Parameters by key. */
export type ParamTable = { readonly [key: string]: Param };

/** The type of a parameter's resolved value. */
type ParamValue<P extends Param> =
  P extends ChoiceParam<infer Option>
    ? Option
    : P extends SectionParam<infer T>
      ? ParamsOf<T>
      : P extends SectionsParam<infer T>
        ? readonly ParamsOf<T>[]
        : PlainValues[Exclude<P["type"], "choice" | "section" | "sections">];

interface PlainValues {
  readonly number: number;
  readonly duration: number;
  readonly boolean: boolean;
  readonly text: string;
  readonly texts: readonly string[];
  readonly vector: readonly number[];
  readonly list: readonly number[];
}

/** The values of a parameter table, with every default filled in. */
export type ParamsOf<T extends ParamTable> = { readonly [K in keyof T]: ParamValue<T[K]> };

/** Declares a parameter table: checks its shape and keeps its literal types. */
export function defineParams<const T extends ParamTable>(table: T): T {
  return table;
}
