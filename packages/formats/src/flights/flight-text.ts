/**
 * Reads the text of a flight file, TOML or JSON by its extension, into a plain object, and locates keys for
 * diagnostics.
 *
 * It checks only the syntax; resolution checks the meaning of the keys. Flights use no dates, so a date becomes text.
 * Implausible sizes and depths are rejected.
 */
import { parse, TomlDate, TomlError } from "smol-toml";
import type { PlainObject, SimError } from "@escapement/core";
import { fileErrors } from "../text/file-errors.ts";
import { parseJson, type JsonNode } from "../text/json.ts";
import { decodeText, Lines, MAX_DEPTH } from "../text/text.ts";
import { storeExcerpt } from "./excerpts.ts";
import { Locator, type PlaceNode } from "./places.ts";
import { tomlPlaces } from "./toml-places.ts";

/** A flight file's values, with the place of every key. */
export interface FlightText {
  readonly file: string;
  readonly object: PlainObject;
  /** Returns the lines and columns of keys, which are found at the first call. */
  locator(): Locator;
}

/** Reads a flight file (TOML or JSON), with the place of every key. */
export function readFlightText(input: string | Uint8Array, file: string): FlightText {
  const text = decodeText(input, file);
  if (/\.toml$/i.test(file)) return readToml(text, file);
  if (/\.json$/i.test(file)) return readJson(text, file);
  throw fileErrors.unknownKind({
    what: "the file extension is neither .toml nor .json",
    where: { file },
    fix: "rename the file to end in .toml or .json",
  });
}

function readToml(text: string, file: string): FlightText {
  let parsed: unknown;
  try {
    parsed = parse(text, { maxDepth: MAX_DEPTH });
  } catch (error) {
    throw tomlError(error, text, file);
  }
  const object = plainValue(parsed, file, 1) as PlainObject;
  return { file, object, locator: once(() => new Locator(tomlPlaces(text), new Lines(text))) };
}

function tomlError(error: unknown, text: string, file: string): SimError {
  if (!(error instanceof TomlError)) throw error;
  const { line, column } = error;
  const source = text.split(/\r?\n/)[line - 1] ?? "";
  const found = { where: { file, line }, cause: error };
  const reason = error.message.replace("Invalid TOML document: ", "").split("\n")[0]!;
  if (/nested/.test(reason)) {
    return fileErrors.tooDeep({
      ...found,
      what: `${reason}, at column ${column}`,
      fix: `use at most ${MAX_DEPTH} levels`,
    });
  }
  const made = fileErrors.syntax({ ...found, ...syntaxProblem(source, `${reason}, at column ${column}`) });
  storeExcerpt(made, { line, text: source, mark: { column, length: 1 } });
  return made;
}

/**
 * Returns the error in a line of TOML. The parser's messages about a header without its bracket, and about a string
 * without one of its quotes, are misleading.
 */
function syntaxProblem(source: string, reason: string): { readonly what: string; readonly fix: string } {
  const [, opening, name] = /^\s*(\[\[?)\s*([^\]#]*?)\s*\]?\s*(?:#.*)?$/.exec(source) ?? [];
  const isOpen = opening !== undefined && !source.includes(opening === "[" ? "]" : "]]");
  if (isOpen) {
    return {
      what: "the table header is not closed",
      fix: `write ${opening}${name}${opening === "[" ? "]" : "]]"}`,
    };
  }
  if (endsInString(source)) {
    const isUnclosed = /^control characters are not allowed in strings|^unfinished string/.test(reason);
    return isUnclosed
      ? { what: `a string is not closed, ${reason.replace(/^.*, /, "")}`, fix: "write the closing quote" }
      : {
          what: `a quote is missing or misplaced: ${reason}`,
          fix: 'begin and end every string with the same quote, e.g. "it\'s"',
        };
  }
  return { what: reason, fix: 'correct the TOML: key = value, each key once, strings in "quotes"' };
}

/** Whether a line ends inside a string. */
function endsInString(source: string): boolean {
  return /["']/.test(source.replace(/"(?:[^"\\]|\\.)*"|'[^']*'|#.*$/g, ""));
}

/** Replaces the parser's own objects by plain objects, and dates by text. */
function plainValue(value: unknown, file: string, depth: number): unknown {
  if (value instanceof TomlDate) return value.toISOString();
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) {
    throw fileErrors.tooDeep({
      what: `nested deeper than ${MAX_DEPTH} levels`,
      where: { file },
      fix: "check that this is the right file",
    });
  }
  if (Array.isArray(value)) return value.map((item) => plainValue(item, file, depth + 1));
  const object = {};
  for (const [key, item] of Object.entries(value)) {
    // Assignment would treat a key named __proto__ as the prototype.
    const plain = { value: plainValue(item, file, depth + 1), enumerable: true, writable: true, configurable: true };
    Object.defineProperty(object, key, plain);
  }
  return object;
}

function readJson(text: string, file: string): FlightText {
  const node = parseJson(text, file);
  if (node.members === undefined) {
    const line = new Lines(text).at(node.start).line;
    throw fileErrors.wrongType({
      what: "a flight file must contain an object",
      where: { file, line },
      fix: "write { … }",
    });
  }
  const locator = once(() => new Locator(jsonPlaces(node), new Lines(text)));
  return { file, object: node.value as PlainObject, locator };
}

function jsonPlaces(node: JsonNode, key?: PlaceNode["key"]): PlaceNode {
  const children: PlaceNode["children"] = new Map();
  node.members?.forEach((member, name) => {
    children.set(name, jsonPlaces(member.node, { start: member.keyStart, end: member.keyEnd }));
  });
  node.items?.forEach((item, index) => children.set(index, jsonPlaces(item)));
  return { ...(key === undefined ? {} : { key }), value: { start: node.start, end: node.end }, children };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
