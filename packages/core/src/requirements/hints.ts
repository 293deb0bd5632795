/** Fixes for texts that the grammar rejects: what the writer probably meant. */
import { UNIT_NAMES } from "../quantities/index.ts";
import { didYouMean } from "../params/index.ts";
import type { Token } from "./tokens.ts";

/** Notations of other languages that begin with a character that has no meaning in a requirement. */
const NOTATIONS: readonly (readonly [begin: string, fix: string])[] = [
  ["=>", 'write ">="; an implication is "if … then …"'],
  ["=<", 'write "<="'],
  ["=", 'write "=="'],
  ["&", 'write "and"'],
  ["|", 'write "or"'],
  ["!", 'write "not"'],
  ["°", 'write "deg", "deg/s" or "degC"'],
  ["≥", 'write ">="'],
  ["≤", 'write "<="'],
  ["≠", 'write "!="'],
  ["'", 'use double quotation marks: "'],
];

/** Returns the fix for a text that begins with a character without a meaning. */
export function notationFix(rest: string): string {
  return NOTATIONS.find(([begin]) => rest.startsWith(begin))?.[1] ?? "remove it";
}

const SPELLED_UNITS: Readonly<Record<string, string>> = {
  degree: "deg",
  degrees: "deg",
  meter: "m",
  meters: "m",
  metre: "m",
  metres: "m",
  feet: "ft",
  mps: "m/s",
  kmh: "km/h",
  kph: "km/h",
  knots: "kt",
  sec: "s",
  seconds: "s",
  minutes: "min",
  percent: "%",
  C: "degC",
};

const JOINING_WORDS = ["and", "or", "during", "until", "implies"];
const SCOPE_WORDS = ["after", "before", "while", "at"];
const MEASURE_WORDS = ["max", "min", "mean", "rms", "final", "count"];

const JOIN = 'join two statements by "and", or write two requirements';

/** What is said about a token that is left over after a requirement. */
export function leftOverDetails(
  tokens: { readonly before?: Token | undefined; readonly token: Token; readonly after?: Token | undefined },
  words: readonly string[],
): { readonly what?: string; readonly fix: string } {
  const { before, token, after } = tokens;
  if (token.token !== "name") return { fix: JOIN };
  const { text } = token;
  if (text === "for" || text === "within") {
    return { fix: `write it before the comparison, e.g. "always ${text} 3 s: altitude > 2 m"` };
  }
  if (SCOPE_WORDS.includes(text)) {
    return { fix: `begin the requirement with it: "${text} …: …"` };
  }
  if (before?.token === "number" && before.unit === undefined && !words.includes(text.toLowerCase())) {
    const unit = SPELLED_UNITS[text];
    const fix =
      unit === undefined ? didYouMean(text, UNIT_NAMES, "write e.g. 60 deg, 2 m or 3 m/s") : `write "${unit}"`;
    return { what: `"${text}" is not a unit`, fix };
  }
  if (before?.token === "name") {
    const lower = before.text.toLowerCase();
    if (before.text !== lower && words.includes(lower)) return { fix: `write "${lower}" instead of "${before.text}"` };
    if (MEASURE_WORDS.includes(before.text)) {
      return { fix: `"${before.text} ${text}" is a measure; limit every value: "always ${text} < …"` };
    }
  }
  const near = didYouMean(text, JOINING_WORDS, "");
  if (near !== "") return { fix: near };
  const isComparison = after?.token === "number" || (after?.token === "name" && after.text === "than");
  return { fix: isComparison ? "compare with >, >=, <, <=, == or !=" : JOIN };
}
