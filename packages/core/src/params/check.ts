/**
 * Checks user input against a parameter table and fills in the defaults.
 *
 * It collects all diagnostics, not only the first; each has its key, the fault and the fix. The file reader adds line
 * numbers. The result has every key of the table, so no later code needs defaults.
 */
import { timeErrors } from "../time/errors.ts";
import { secondsToUs } from "../time/seconds.ts";
import { SimError } from "../errors/index.ts";
import { didYouMean, oneOfNames, nearestName } from "./nearest.ts";
import type { ListParam, NumberParam, Param, ParamTable, SectionsParam, VectorParam } from "./table.ts";

export interface Diagnostic {
  readonly code: DiagnosticCode;
  /** Dotted path, list entries as `rotors[2]`. */
  readonly key: string;
  readonly what: string;
  readonly fix: string;
}

/** Stable codes of all faults that a value can have; `describe/errors.ts` explains them. */
type DiagnosticCode =
  | "unknownKey"
  | "missing"
  | "wrongType"
  | "outOfRange"
  | "notFinite"
  | "notWhole"
  | "wrongLength"
  | "notIncreasing"
  | "unknownChoice"
  | "notExactUs"
  | "inconsistent";

export type PlainObject = { readonly [key: string]: unknown };

export function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns the values of `table` from `input`, with defaults filled in, and appends the diagnostics. Keys in `also` are
 * allowed but checked elsewhere.
 */
export function checkParams(
  table: ParamTable,
  input: PlainObject,
  diagnostics: Diagnostic[],
  path = "",
  also: readonly string[] = [],
): Record<string, unknown> {
  return checkTable(table, input, new Place(path, diagnostics), also);
}

/** A key of the input, and the list that collects its diagnostics. */
class Place {
  readonly key: string;
  private readonly diagnostics: Diagnostic[];

  constructor(key: string, diagnostics: Diagnostic[]) {
    this.key = key;
    this.diagnostics = diagnostics;
  }

  /** Adds a diagnostic. Returns undefined, which is the resolved value of a faulty key. */
  report(code: DiagnosticCode, what: string, fix: string): undefined {
    this.diagnostics.push({ code, key: this.key, what, fix });
    return undefined;
  }

  under(key: string): Place {
    return new Place(this.key === "" ? key : `${this.key}.${key}`, this.diagnostics);
  }

  entry(index: number): Place {
    return new Place(`${this.key}[${index}]`, this.diagnostics);
  }
}

function checkTable(
  table: ParamTable,
  input: PlainObject,
  place: Place,
  also: readonly string[] = [],
): Record<string, unknown> {
  const known = Object.keys(table);
  const misspelled = new Set<string>();
  for (const key of Object.keys(input)) {
    if (known.includes(key) || also.includes(key)) continue;
    const fix = didYouMean(key, [...known, ...also], knownKeysText([...also, ...known]));
    place.under(key).report("unknownKey", `unknown key ${show(key)}`, fix);
    const near = nearestName(key, [...known, ...also]);
    if (near !== undefined) misspelled.add(near);
  }
  return Object.fromEntries(
    known.map((key) => {
      const value = Object.hasOwn(input, key) ? input[key] : undefined;
      // The misspelled key is already reported, so the intended key is not also reported as missing.
      if (value === undefined && misspelled.has(key) && table[key]!.default === undefined) return [key, undefined];
      return [key, checkValue(table[key]!, value, place.under(key))];
    }),
  );
}

function knownKeysText(known: readonly string[]): string {
  return known.length === 0 ? "remove it: this table has no keys" : `use one of the known keys: ${known.join(", ")}`;
}

function checkValue(param: Param, value: unknown, place: Place): unknown {
  if (value === undefined) return defaultOf(param, place);
  switch (param.type) {
    case "number":
      return checkNumber(param, value, place);
    case "duration":
      return checkDuration(value, place, param.zero === true);
    case "boolean":
      if (typeof value === "boolean") return value;
      return place.report("wrongType", `${show(value)} is not a boolean`, "use true or false");
    case "text":
      return checkText(value, place);
    case "texts":
      return checkTexts(param.maxLength ?? 4096, value, place);
    case "choice":
      if (typeof value === "string" && param.options.includes(value)) return value;
      return place.report(
        "unknownChoice",
        `${show(value)} is not one of the choices`,
        oneOfNames(value, param.options),
      );
    case "vector":
    case "list":
      return checkNumbers(param, value, place);
    case "section":
      if (isPlainObject(value)) return checkTable(param.table, value, place);
      return place.report("wrongType", `${show(value)} is not a table`, `write [${place.key}] with its keys below`);
    case "sections":
      return checkSections(param, value, place);
  }
}

function defaultOf(param: Param, place: Place): unknown {
  if (param.default === undefined) {
    return place.report("missing", `"${place.key}" is missing`, `add it: ${describe(param)}. ${param.about}`);
  }
  if (param.type === "section") return checkTable(param.table, param.default, place);
  if (param.type === "sections") return checkSections(param, param.default, place);
  return Array.isArray(param.default) ? [...param.default] : param.default;
}

function checkNumber(
  param: Pick<NumberParam, "unit" | "min" | "max" | "open" | "integer">,
  value: unknown,
  place: Place,
): number | undefined {
  const { unit, min = -Infinity, max = Infinity, open = false, integer = false } = param;
  if (typeof value !== "number") {
    return place.report("wrongType", `${show(value)} is not a number`, `use a number${unitSuffix(unit)}`);
  }
  if (!Number.isFinite(value)) {
    return place.report("notFinite", `${value} is not finite`, `use a finite number${unitSuffix(unit)}`);
  }
  if (integer && !Number.isInteger(value)) {
    return place.report("notWhole", `${value} is not a whole number`, `use a whole number, e.g. ${Math.round(value)}`);
  }
  const isInside = open ? value > min && value < max : value >= min && value <= max;
  if (isInside) return value;
  return place.report("outOfRange", `${value}${isPlain(unit) ? "" : ` ${unit}`} is out of range`, rangeFix(param));
}

function checkDuration(value: unknown, place: Place, zero: boolean): number | undefined {
  const seconds = checkNumber({ unit: "s", min: 0 }, value, place);
  if (seconds === undefined) return undefined;
  if (seconds === 0 && !zero) return place.report("outOfRange", "the duration is 0 s", "use at least 0.000001 s");
  try {
    secondsToUs(seconds);
    return seconds;
  } catch (error) {
    if (!(error instanceof SimError)) throw error;
    const { code, what, fix } = timeDiagnostic(error, seconds);
    return place.report(code, what, fix);
  }
}

/** Returns the diagnostic for seconds that cannot be converted: not a whole number of microseconds, or too large. */
export function timeDiagnostic(error: SimError, seconds: number): Omit<Diagnostic, "key"> {
  const { what, fix } = error;
  if (error.code !== timeErrors.outOfRange.code) return { code: "notExactUs", what, fix };
  return { code: Number.isFinite(seconds) ? "outOfRange" : "notFinite", what: `${seconds} s is out of range`, fix };
}

function checkText(value: unknown, place: Place): string | undefined {
  if (typeof value === "string") return value;
  return place.report("wrongType", `${show(value)} is not a text`, "put it in quotes");
}

function checkTexts(maxLength: number, value: unknown, place: Place): unknown {
  if (!Array.isArray(value)) {
    return place.report("wrongType", `${show(value)} is not a list`, 'use a list of texts, e.g. ["a", "b"]');
  }
  if (value.length > maxLength) {
    return place.report("wrongLength", `the list has ${value.length} texts`, `use at most ${maxLength}`);
  }
  const at = value.findIndex((item) => typeof item !== "string");
  return at < 0 ? [...value] : checkText(value[at], place.entry(at));
}

function checkNumbers(param: VectorParam | ListParam, value: unknown, place: Place): unknown {
  const minLength = param.type === "vector" ? param.size : (param.minLength ?? 0);
  const maxLength = param.type === "vector" ? param.size : (param.maxLength ?? 4096);
  if (!Array.isArray(value)) return place.report("wrongType", `${show(value)} is not a list`, `use ${describe(param)}`);
  if (value.length < minLength || value.length > maxLength) {
    return place.report("wrongLength", `the list has ${value.length} values`, `use ${describe(param)}`);
  }
  const numbers = value.map((item, index) => checkNumber(param, item, place.entry(index)));
  if (numbers.includes(undefined)) return undefined;
  if (param.type === "list" && param.increasing === true) {
    const at = numbers.findIndex((number, index) => index > 0 && number! <= numbers[index - 1]!);
    if (at > 0) {
      const what = `${numbers[at]} does not exceed the value before it, ${numbers[at - 1]}`;
      return place.entry(at).report("notIncreasing", what, "list the values in strictly increasing order");
    }
  }
  return numbers;
}

function checkSections(param: SectionsParam, value: unknown, place: Place): unknown {
  const { minLength = 0, maxLength = 4096 } = param;
  const fix = `write between ${minLength} and ${maxLength} tables [[${place.key}]]`;
  if (!Array.isArray(value)) return place.report("wrongType", `${show(value)} is not a list of tables`, fix);
  if (value.length < minLength || value.length > maxLength) {
    return place.report("wrongLength", `the list has ${value.length} entries`, fix);
  }
  return value.map((item, index) => {
    if (isPlainObject(item)) return checkTable(param.table, item, place.entry(index));
    return place.entry(index).report("wrongType", `${show(item)} is not a table`, `write a table [[${place.key}]]`);
  });
}

/** Describes a parameter, for example "a number in kg, above 0", for error texts, `list` and the docs. */
export function describe(param: Param): string {
  switch (param.type) {
    case "number":
      return `a ${param.integer === true ? "whole number" : "number"}${unitSuffix(param.unit)}${rangeSuffix(param)}`;
    case "duration":
      return `seconds, whole microseconds${param.zero === true ? ", 0 allowed" : ""}`;
    case "boolean":
      return "true or false";
    case "text":
      return "a text";
    case "texts":
      return "a list of texts";
    case "choice":
      return `one of: ${param.options.map((option) => (option === "" ? '""' : option)).join(", ")}`;
    case "vector":
      return `${param.size} numbers${unitSuffix(param.unit)}${rangeSuffix(param)}`;
    case "list":
      return `a list of numbers${unitSuffix(param.unit)}${rangeSuffix(param)}`;
    case "section":
      return "a table";
    case "sections":
      return "a list of tables";
  }
}

/** Whether a unit is not printed: pure numbers, counts, indices. */
function isPlain(unit: string): boolean {
  return ["1", "count", "index", "enum", "flag"].includes(unit);
}

function unitSuffix(unit: string): string {
  return isPlain(unit) ? "" : ` in ${unit}`;
}

function rangeSuffix(range: { min?: number; max?: number; open?: boolean }): string {
  const text = rangeText(range);
  return text === "any" ? "" : `, ${text}`;
}

function rangeText({ min, max, open = false }: { min?: number; max?: number; open?: boolean }): string {
  const above = open ? "above" : "at least";
  const below = open ? "below" : "at most";
  if (min === undefined && max === undefined) return "any";
  if (max === undefined) return `${above} ${min}`;
  if (min === undefined) return `${below} ${max}`;
  return `${above} ${min} and ${below} ${max}`;
}

/** Returns the fix for a number out of its range, as a sentence. */
function rangeFix({
  min,
  max,
  open = false,
  integer = false,
}: Pick<NumberParam, "min" | "max" | "open" | "integer">): string {
  const number = integer ? "a whole number" : "a number";
  const above = open ? "above" : "of at least";
  const below = open ? "below" : "of at most";
  if (max === undefined) return `use ${number} ${above} ${min}`;
  if (min === undefined) return `use ${number} ${below} ${max}`;
  const top = max === Number.MAX_SAFE_INTEGER ? "2^53 - 1" : String(max);
  return open ? `use ${number} above ${min} and below ${top}` : `use ${number} from ${min} to ${top}`;
}

/** Formats any value as a short quotation for a message. */
export function show(value: unknown): string {
  const text = typeof value === "string" ? `"${value}"` : (plainText(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** Returns JSON if possible; an object passed to the API may contain cycles or functions. */
function plainText(value: unknown): string | undefined {
  if (typeof value === "bigint" || typeof value === "symbol" || typeof value === "function") return typeof value;
  if (typeof value === "number") return String(value);
  try {
    return JSON.stringify(value) ?? undefined;
  } catch {
    return Array.isArray(value) ? "a list" : "an object";
  }
}
