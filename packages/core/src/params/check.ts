/**
 * Checks user input against a parameter table and fills in the defaults.
 *
 * It collects all diagnostics, not only the first; each has its key, what is wrong and how to fix it. The file reader adds
 * line numbers. The result has every key of the table, so no later code needs defaults.
 */
import { timeErrors } from "../time/errors.ts";
import { secondsToUs } from "../time/seconds.ts";
import { SimError } from "../errors/index.ts";
import { nearestName, oneOfNames } from "./nearest.ts";
import type { ListParam, NumberParam, Param, ParamTable, VectorParam } from "./table.ts";

export interface Diagnostic {
  readonly code: DiagnosticCode;
  /** Dotted path, list entries as `rotors[2]`. */
  readonly key: string;
  readonly what: string;
  readonly fix: string;
}

/** Stable codes of everything that can be wrong with a value; explained in `describe/errors.ts`. */
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

/** Resolved values of `table` from `given`. Appends diagnostics. Keys in `also` are allowed but checked elsewhere. */
export function checkParams(
  table: ParamTable,
  given: PlainObject,
  diagnostics: Diagnostic[],
  path = "",
  also: readonly string[] = [],
): Record<string, unknown> {
  const known = Object.keys(table);
  for (const key of Object.keys(given)) {
    if (known.includes(key) || also.includes(key)) continue;
    const near = nearestName(key, [...known, ...also]);
    diagnostics.push({
      code: "unknownKey",
      key: join(path, key),
      what: `unknown key ${show(key)}`,
      fix: near === undefined ? `known keys: ${[...also, ...known].join(", ") || "none"}` : `did you mean "${near}"?`,
    });
  }
  const resolved: Record<string, unknown> = {};
  for (const key of known) {
    const param = table[key]!;
    const value = Object.hasOwn(given, key) ? given[key] : undefined;
    resolved[key] = checkValue(param, value, diagnostics, join(path, key));
  }
  return resolved;
}

function checkValue(param: Param, value: unknown, diagnostics: Diagnostic[], key: string): unknown {
  if (value === undefined) return defaultOf(param, diagnostics, key);
  const report = (code: DiagnosticCode, what: string, fix: string) => {
    diagnostics.push({ code, key, what, fix });
    return undefined;
  };
  switch (param.type) {
    case "number":
      return checkNumber(param, value, diagnostics, key);
    case "duration":
      return checkDuration(value, diagnostics, key, param.zero === true);
    case "boolean":
      return typeof value === "boolean"
        ? value
        : report("wrongType", `${show(value)} is not a boolean`, "true or false");
    case "text":
      return typeof value === "string"
        ? value
        : report("wrongType", `${show(value)} is not a text`, "put it in quotes");
    case "texts":
      return checkTexts(param.maxLength ?? 4096, value, diagnostics, key);
    case "choice":
      return checkChoice(param.options, value, diagnostics, key);
    case "vector":
    case "list":
      return checkNumbers(param, value, diagnostics, key);
    case "section":
      return isPlainObject(value)
        ? checkParams(param.table, value, diagnostics, key)
        : report("wrongType", `${show(value)} is not a table`, `write [${key}] with its keys below`);
    case "sections":
      return checkSections(param, value, diagnostics, key);
  }
}

function defaultOf(param: Param, diagnostics: Diagnostic[], key: string): unknown {
  if (param.default === undefined) {
    diagnostics.push({
      code: "missing",
      key,
      what: `"${key}" is missing`,
      fix: `give ${describe(param)}: ${param.about}`,
    });
    return undefined;
  }
  if (param.type === "section") return checkParams(param.table, param.default, diagnostics, key);
  if (param.type === "sections") return checkSections(param, param.default, diagnostics, key);
  return Array.isArray(param.default) ? [...param.default] : param.default;
}

function checkNumber(
  param: Pick<NumberParam, "unit" | "min" | "max" | "open" | "integer">,
  value: unknown,
  diagnostics: Diagnostic[],
  key: string,
): number | undefined {
  if (typeof value !== "number") {
    diagnostics.push({
      code: "wrongType",
      key,
      what: `${show(value)} is not a number`,
      fix: `a number${unitSuffix(param.unit)}`,
    });
    return undefined;
  }
  if (!Number.isFinite(value)) {
    diagnostics.push({
      code: "notFinite",
      key,
      what: `${value} is not finite`,
      fix: `a finite number${unitSuffix(param.unit)}`,
    });
    return undefined;
  }
  if (param.integer === true && !Number.isInteger(value)) {
    diagnostics.push({
      code: "notWhole",
      key,
      what: `${value} is not a whole number`,
      fix: `e.g. ${Math.round(value)}`,
    });
    return undefined;
  }
  const { min = -Infinity, max = Infinity, open = false } = param;
  const inside = open ? value > min && value < max : value >= min && value <= max;
  if (!inside) {
    diagnostics.push({
      code: "outOfRange",
      key,
      what: `${value}${isPlain(param.unit) ? "" : ` ${param.unit}`} is out of range`,
      fix: rangeText(param),
    });
    return undefined;
  }
  return value;
}

function checkDuration(value: unknown, diagnostics: Diagnostic[], key: string, zero: boolean): number | undefined {
  const seconds = checkNumber({ unit: "s", min: 0 }, value, diagnostics, key);
  if (seconds === undefined) return undefined;
  if (seconds === 0 && !zero) {
    diagnostics.push({ code: "outOfRange", key, what: "0 s is not a duration", fix: "at least 0.000001 s" });
    return undefined;
  }
  try {
    secondsToUs(seconds);
  } catch (error) {
    if (!(error instanceof SimError)) throw error;
    diagnostics.push({ key, ...timeDiagnostic(error, seconds) });
    return undefined;
  }
  return seconds;
}

/** The diagnostic for seconds that do not convert: not a whole number of microseconds, or too large. */
export function timeDiagnostic(error: SimError, seconds: number): Omit<Diagnostic, "key"> {
  const { what, fix } = error;
  if (error.code !== timeErrors.outOfRange.code) return { code: "notExactUs", what, fix };
  return { code: Number.isFinite(seconds) ? "outOfRange" : "notFinite", what: `${seconds} s is out of range`, fix };
}

function checkChoice(
  options: readonly string[],
  value: unknown,
  diagnostics: Diagnostic[],
  key: string,
): string | undefined {
  if (typeof value === "string" && options.includes(value)) return value;
  diagnostics.push({
    code: "unknownChoice",
    key,
    what: `${show(value)} is not known here`,
    fix: oneOfNames(value, options),
  });
  return undefined;
}

function checkTexts(maxLength: number, value: unknown, diagnostics: Diagnostic[], key: string): unknown {
  if (!Array.isArray(value)) {
    diagnostics.push({
      code: "wrongType",
      key,
      what: `${show(value)} is not a list`,
      fix: 'a list of texts, e.g. ["a", "b"]',
    });
    return undefined;
  }
  if (value.length > maxLength) {
    diagnostics.push({ code: "wrongLength", key, what: `${value.length} texts given`, fix: `at most ${maxLength}` });
    return undefined;
  }
  const at = value.findIndex((item) => typeof item !== "string");
  if (at < 0) return [...value];
  diagnostics.push({
    code: "wrongType",
    key: `${key}[${at}]`,
    what: `${show(value[at])} is not a text`,
    fix: "put it in quotes",
  });
  return undefined;
}

function checkNumbers(param: VectorParam | ListParam, value: unknown, diagnostics: Diagnostic[], key: string): unknown {
  const least = param.type === "vector" ? param.size : (param.minLength ?? 0);
  const most = param.type === "vector" ? param.size : (param.maxLength ?? 4096);
  if (!Array.isArray(value)) {
    diagnostics.push({ code: "wrongType", key, what: `${show(value)} is not a list`, fix: describe(param) });
    return undefined;
  }
  if (value.length < least || value.length > most) {
    diagnostics.push({ code: "wrongLength", key, what: `${value.length} values given`, fix: describe(param) });
    return undefined;
  }
  const numbers = value.map((item, index) => checkNumber(param, item, diagnostics, `${key}[${index}]`));
  if (numbers.includes(undefined)) return undefined;
  if (param.type === "list" && param.increasing === true) {
    const at = numbers.findIndex((number, index) => index > 0 && number! <= numbers[index - 1]!);
    if (at > 0) {
      diagnostics.push({
        code: "notIncreasing",
        key: `${key}[${at}]`,
        what: `${numbers[at]} does not exceed the value before it, ${numbers[at - 1]}`,
        fix: "list the values in strictly increasing order",
      });
      return undefined;
    }
  }
  return numbers;
}

function checkSections(
  param: Extract<Param, { type: "sections" }>,
  value: unknown,
  diagnostics: Diagnostic[],
  key: string,
): unknown {
  const { minLength = 0, maxLength = 4096 } = param;
  if (!Array.isArray(value) || value.length < minLength || value.length > maxLength) {
    diagnostics.push({
      code: Array.isArray(value) ? "wrongLength" : "wrongType",
      key,
      what: Array.isArray(value) ? `${value.length} entries given` : `${show(value)} is not a list of tables`,
      fix: `between ${minLength} and ${maxLength} tables [[${key}]]`,
    });
    return undefined;
  }
  return value.map((item, index) => {
    if (isPlainObject(item)) return checkParams(param.table, item, diagnostics, `${key}[${index}]`);
    diagnostics.push({
      code: "wrongType",
      key: `${key}[${index}]`,
      what: `${show(item)} is not a table`,
      fix: `[[${key}]]`,
    });
    return undefined;
  });
}

/** For example "a number in kg, above 0"; for error texts, `list` and the docs. */
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
      return `one of: ${param.options.join(", ")}`;
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

/** Units not worth printing: pure numbers, counts, indices. */
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

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

/** Any value as a short quotation for a message. */
export function show(value: unknown): string {
  const text = typeof value === "string" ? `"${value}"` : (plainText(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** JSON if possible: an object passed to the API may contain cycles or functions. */
function plainText(value: unknown): string | undefined {
  if (typeof value === "bigint" || typeof value === "symbol" || typeof value === "function") return typeof value;
  if (typeof value === "number") return String(value);
  try {
    return JSON.stringify(value) ?? undefined;
  } catch {
    return Array.isArray(value) ? "a list" : "an object";
  }
}
