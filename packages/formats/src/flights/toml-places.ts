/**
 * Finds the positions of the keys and values of a TOML text that the parser has accepted.
 *
 * The parser returns no positions. When a diagnostic needs a line, this scanner reads the text a second time and finds
 * the start and end of each key and value. It does not check the text, because the parser has done that.
 */
import { parse } from "smol-toml";
import { invariant } from "@escapement/core";
import type { PlaceNode, Span } from "./places.ts";

interface KeyPart {
  readonly name: string;
  readonly span: Span;
}

const BLANKS_AND_COMMENTS = /(?:[ \t\r\n]|#[^\n]*)*/y;
const BLANKS = /[ \t]*/y;
const BARE_KEY = /[^\s.=\]},'"]+/y;
/** A number, a boolean or a date; a date may be followed by a blank and a time. */
const SCALAR = /\d{4}-\d\d-\d\d \d\d:[^\s,\]}#]*|[^\s,\]}#]+/y;

export function tomlPlaces(text: string): PlaceNode {
  return new TomlScanner(text).scan();
}

class TomlScanner {
  private readonly text: string;
  /** Arrays of tables, `[[a]]`: a header whose path contains one refers to its last table. */
  private readonly tableArrays = new Set<PlaceNode>();
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  scan(): PlaceNode {
    const root: PlaceNode = { value: { start: 0, end: 0 }, children: new Map() };
    let table = root;
    for (;;) {
      this.skip(BLANKS_AND_COMMENTS);
      if (this.at >= this.text.length) return root;
      if (this.text[this.at] === "[") table = this.header(root);
      else this.keyValue(table);
    }
  }

  /** Scans `[a.b]` or `[[a.b]]`. The position of every table that a header opens is the whole header. */
  private header(root: PlaceNode): PlaceNode {
    const isArray = this.text[this.at + 1] === "[";
    this.at += isArray ? 2 : 1;
    const parts = this.key();
    this.at += isArray ? 2 : 1;
    const span = { start: parts[0]!.span.start, end: parts.at(-1)!.span.end };
    const spans = { key: span, value: span };
    let node = root;
    parts.forEach(({ name }, i) => {
      node = childOf(node, name, spans);
      const opensTable = isArray && i === parts.length - 1;
      if (opensTable) this.tableArrays.add(node);
      if (opensTable) node = childOf(node, node.children.size, spans);
      else if (this.tableArrays.has(node)) node = node.children.get(node.children.size - 1)!;
    });
    return node;
  }

  private keyValue(table: PlaceNode): void {
    const parts = this.key();
    this.at += "=".length;
    this.skip(BLANKS);
    const last = parts.pop()!;
    let node = table;
    for (const { name, span } of parts) node = childOf(node, name, { key: span, value: span });
    node.children.set(last.name, { key: last.span, ...this.value() });
  }

  /** Scans the parts of a dotted key, and the blanks after it. */
  private key(): KeyPart[] {
    const parts: KeyPart[] = [];
    for (;;) {
      this.skip(BLANKS);
      parts.push(this.keyPart());
      this.skip(BLANKS);
      if (this.text[this.at] !== ".") return parts;
      this.at += 1;
    }
  }

  private keyPart(): KeyPart {
    const start = this.at;
    const isQuoted = this.isAtQuote();
    if (isQuoted) this.string();
    else this.skip(BARE_KEY);
    const span = { start, end: this.at };
    const written = this.text.slice(start, this.at);
    return { name: isQuoted ? (parse(`key = ${written}`)["key"] as string) : written, span };
  }

  private value(): Pick<PlaceNode, "value" | "children"> {
    const start = this.at;
    const node: PlaceNode = { value: { start, end: start }, children: new Map() };
    const first = this.text[start];
    if (first === "[") this.items("]", () => node.children.set(node.children.size, this.value()));
    else if (first === "{") this.items("}", () => this.keyValue(node));
    else if (this.isAtQuote()) this.string();
    else this.skip(SCALAR);
    return { value: { start, end: this.at }, children: node.children };
  }

  /** Scans the items of an array or an inline table. */
  private items(close: string, scanItem: () => void): void {
    this.at += 1;
    for (;;) {
      this.skip(BLANKS_AND_COMMENTS);
      if (this.text[this.at] === close) break;
      if (this.text[this.at] === ",") this.at += 1;
      else scanItem();
    }
    this.at += 1;
  }

  private isAtQuote(): boolean {
    return this.text[this.at] === '"' || this.text[this.at] === "'";
  }

  private string(): void {
    const quote = this.text[this.at]!;
    const isMultiline = this.text.startsWith(quote.repeat(3), this.at);
    const close = isMultiline ? quote.repeat(3) : quote;
    this.at += close.length;
    while (this.at < this.text.length && !this.text.startsWith(close, this.at)) {
      this.at += quote === '"' && this.text[this.at] === "\\" ? 2 : 1;
    }
    this.at += close.length;
    // A multi-line string may end with one or two quotes that belong to its text.
    while (isMultiline && this.text[this.at] === quote) this.at += 1;
  }

  private skip(pattern: RegExp): void {
    pattern.lastIndex = this.at;
    invariant(
      pattern.test(this.text),
      `the TOML parser accepted text that the scanner cannot read, at offset ${this.at}`,
    );
    this.at = pattern.lastIndex;
  }
}

function childOf(node: PlaceNode, name: string | number, spans: Omit<PlaceNode, "children">): PlaceNode {
  const known = node.children.get(name);
  if (known !== undefined) return known;
  const child: PlaceNode = { ...spans, children: new Map() };
  node.children.set(name, child);
  return child;
}
