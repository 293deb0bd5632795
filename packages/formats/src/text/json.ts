/**
 * A JSON parser that also returns the position of every value, so that diagnostics can name a line.
 *
 * It is stricter than RFC 8259: a key given twice, a number too large for float64 and nesting beyond the limit are
 * errors. It throws a typed error at the first syntax error.
 */
import type { SimError } from "@escapement/core";
import { fileErrors } from "./file-errors.ts";
import { Lines, MAX_DEPTH, quote } from "./text.ts";

export interface JsonNode {
  readonly value: unknown;
  readonly start: number;
  readonly end: number;
  /** Members, if the value is an object. */
  readonly members?: ReadonlyMap<string, JsonMember>;
  /** Items, if the value is a list. */
  readonly items?: readonly JsonNode[];
}

interface JsonMember {
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly node: JsonNode;
}

export function parseJson(text: string, file: string): JsonNode {
  return new JsonParser(text, file).parse();
}

const NUMBER_AT = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPES: { readonly [letter: string]: string } = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

class JsonParser {
  private readonly text: string;
  private readonly file: string;
  private at = 0;

  constructor(text: string, file: string) {
    this.text = text;
    this.file = file;
  }

  parse(): JsonNode {
    const node = this.node(1);
    this.blanks();
    if (this.at < this.text.length) throw this.error("unexpected text after the end of the value", "remove it");
    return node;
  }

  private node(depth: number): JsonNode {
    this.blanks();
    const start = this.at;
    switch (this.text[this.at]) {
      case undefined:
        throw this.error("the file ends before a value", "complete the file; it is cut short");
      case "{":
        return this.object(depth);
      case "[":
        return this.list(depth);
      case '"':
        return { value: this.string(), start, end: this.at };
      case "t":
        return this.word("true", true);
      case "f":
        return this.word("false", false);
      case "n":
        return this.word("null", null);
      default:
        return { value: this.number(), start, end: this.at };
    }
  }

  private object(depth: number): JsonNode {
    const start = this.open(depth);
    const members = new Map<string, JsonMember>();
    const value: Record<string, unknown> = {};
    this.blanks();
    if (this.text[this.at] === "}") return { value, start, end: this.close(), members };
    for (;;) {
      this.blanks();
      const keyStart = this.at;
      if (this.text[this.at] !== '"') throw this.error("a key in quotes is expected", 'write "key": value');
      const key = this.string();
      const keyEnd = this.at;
      if (members.has(key)) {
        this.at = keyStart;
        throw this.error(`the key ${quote(key)} is given twice`, "keep one of the two", fileErrors.duplicate);
      }
      this.blanks();
      this.expect(":");
      const node = this.node(depth + 1);
      members.set(key, { keyStart, keyEnd, node });
      // Assignment would treat a key named __proto__ as the prototype.
      Object.defineProperty(value, key, { value: node.value, enumerable: true, writable: true, configurable: true });
      if (this.endsWith("}")) return { value, start, end: this.at, members };
    }
  }

  private list(depth: number): JsonNode {
    const start = this.open(depth);
    const items: JsonNode[] = [];
    this.blanks();
    if (this.text[this.at] === "]") return { value: [], start, end: this.close(), items };
    for (;;) {
      items.push(this.node(depth + 1));
      if (this.endsWith("]")) return { value: items.map((item) => item.value), start, end: this.at, items };
    }
  }

  private open(depth: number): number {
    if (depth > MAX_DEPTH) {
      throw this.error(
        `nested deeper than ${MAX_DEPTH} levels`,
        "check that this is the right file",
        fileErrors.tooDeep,
      );
    }
    this.at += 1;
    return this.at - 1;
  }

  private close(): number {
    this.at += 1;
    return this.at;
  }

  /** Reads the character after a member or an item. Returns true for the closing bracket and false for a comma. */
  private endsWith(bracket: string): boolean {
    this.blanks();
    const found = this.text[this.at];
    if (found !== "," && found !== bracket) {
      throw this.error(
        `"," or "${bracket}" is expected`,
        found === undefined ? "complete the file; it is cut short" : "separate values by commas",
      );
    }
    this.at += 1;
    return found === bracket;
  }

  private string(): string {
    this.at += 1;
    let out = "";
    for (;;) {
      const letter = this.text[this.at];
      if (letter === undefined || letter < " ") throw this.error("a string has no closing quote", 'add the closing "');
      this.at += 1;
      if (letter === '"') return out;
      out += letter === "\\" ? this.escape() : letter;
    }
  }

  private escape(): string {
    const letter = this.text[this.at] ?? "";
    this.at += 1;
    if (letter === "u") {
      const digits = this.text.slice(this.at, this.at + 4);
      if (!/^[0-9a-fA-F]{4}$/.test(digits))
        throw this.error("\\u needs four hexadecimal digits", "write all four, e.g. \\u00b0");
      this.at += 4;
      return String.fromCharCode(parseInt(digits, 16));
    }
    const meaning = ESCAPES[letter];
    if (meaning === undefined) throw this.error(`\\${letter} is not a valid escape`, "write \\\\ for a backslash");
    return meaning;
  }

  private number(): number {
    NUMBER_AT.lastIndex = this.at;
    const match = NUMBER_AT.exec(this.text);
    if (match === null)
      throw this.error(
        "a value is expected",
        "write a number, a string in quotes, a list, an object, true, false or null",
      );
    const value = Number(match[0]);
    if (!Number.isFinite(value))
      throw this.error(`${quote(match[0])} is too large`, "write a number below 1.8e308", fileErrors.notNumber);
    this.at += match[0].length;
    return value;
  }

  private word(word: string, value: unknown): JsonNode {
    if (!this.text.startsWith(word, this.at)) throw this.error("unknown word", "write true, false or null");
    const start = this.at;
    this.at += word.length;
    return { value, start, end: this.at };
  }

  private expect(letter: string): void {
    if (this.text[this.at] !== letter)
      throw this.error(`"${letter}" is expected`, `put "${letter}" between key and value`);
    this.at += 1;
  }

  private blanks(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 32 && code !== 9 && code !== 10 && code !== 13) return;
      this.at += 1;
    }
  }

  private error(what: string, fix: string, make = fileErrors.syntax): SimError {
    const { line, column } = new Lines(this.text).at(this.at);
    return make({ what: `${what}, at column ${column}`, where: { file: this.file, line }, fix });
  }
}
