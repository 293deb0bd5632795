/** Splits a text into tokens. A number includes the unit after it, so that `2 m` is one token. */
import { UNIT_NAMES } from "../quantities/index.ts";
import { requirementErrors } from "./errors.ts";
import { fault } from "./fault.ts";
import { notationFix } from "./hints.ts";
import type { Place } from "./tree.ts";

export type Token = { readonly place: Place } & (
  | { readonly token: "name"; readonly text: string }
  /** A name in quotation marks, which is never a word of the language. */
  | { readonly token: "quoted"; readonly text: string }
  | { readonly token: "number"; readonly text: string; readonly value: number; readonly unit: string | undefined }
  | { readonly token: "symbol"; readonly text: string }
  | { readonly token: "end"; readonly text: "" }
);

const MAX_TEXT_LENGTH = 10_000;

const SPACE = /\s+/y;
/** A hyphen between letters belongs to the name, because events have such names. */
const NAME = /[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*/y;
const NUMBER = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const QUOTED = /"([^"]*)"/y;
const SYMBOL = /\.\.|>=|<=|==|!=|[><+\-*/(),:.[\]]/y;

export function tokensOf(text: string): Token[] {
  if (text.length > MAX_TEXT_LENGTH) {
    throw fault(requirementErrors.tooLarge, text.slice(0, 80), [0, 80], {
      what: `the text has ${text.length} characters`,
      fix: `write at most ${MAX_TEXT_LENGTH}`,
    });
  }
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  for (;;) {
    match(SPACE);
    const start = at;
    if (at >= text.length) {
      tokens.push({ token: "end", text: "", place: [start, start] });
      return tokens;
    }
    const number = match(NUMBER);
    if (number !== null) {
      const unit = unitAt(text, at);
      if (unit !== undefined) at = unit.end;
      const value = Number(number[0]);
      if (!Number.isFinite(value)) {
        const details = { what: `${number[0]} is not a finite number`, fix: "write a smaller number" };
        throw fault(requirementErrors.leftOver, text, [start, at], details);
      }
      tokens.push({ token: "number", text: number[0], value, unit: unit?.name, place: [start, at] });
      continue;
    }
    const name = match(NAME);
    if (name !== null) {
      tokens.push({ token: "name", text: name[0], place: [start, at] });
      continue;
    }
    const quoted = match(QUOTED);
    if (quoted !== null) {
      tokens.push({ token: "quoted", text: quoted[1]!, place: [start, at] });
      continue;
    }
    const symbol = match(SYMBOL);
    if (symbol === null) {
      const [character] = text.slice(at);
      throw fault(requirementErrors.leftOver, text, [at, at + character!.length], {
        what: `"${character}" has no meaning in a requirement`,
        fix: notationFix(text.slice(at)),
      });
    }
    tokens.push({ token: "symbol", text: symbol[0], place: [start, at] });
  }
}

/** Returns the unit after a number, with or without a space. */
function unitAt(text: string, at: number): { readonly name: string; readonly end: number } | undefined {
  let start = at;
  while (text[start] === " ") start += 1;
  for (const name of UNIT_NAMES) {
    if (/^\d/.test(name) || !text.startsWith(name, start)) continue;
    const end = start + name.length;
    if (!/^[A-Za-z0-9_]/.test(text.slice(end, end + 1)) || name === "%") return { name, end };
  }
  return undefined;
}
