/**
 * A source file as the tidy rules see it: text, syntax tree and comments, from a real parser.
 *
 * A comment `// tidy-allow <rule>: <reason>` on a line or above it suppresses a rule there; in the header, it
 * suppresses the rule for the whole file. The reason is required.
 */
import { parseSync } from "oxc-parser";

export interface Finding {
  readonly rule: string;
  readonly file: string;
  readonly line: number;
  readonly what: string;
}

/** Any node of the tree: rules read `type` and the fields of that type. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

interface Import {
  readonly specifier: string;
  readonly start: number;
}

const MARK = /tidy-allow ([a-z-]+): (.{10,})/;

export class Source {
  /** Path from the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly program: Node;
  /** Every node of the program. */
  readonly visits: readonly Visit[];
  readonly imports: readonly Import[];
  private readonly lineStarts: readonly number[];

  constructor(path: string, text: string) {
    this.path = path;
    this.text = text;
    const parsed = parseSync(path, text);
    if (parsed.errors.length > 0) throw new Error(`${path}: ${parsed.errors[0]!.message}`);
    this.program = parsed.program as unknown as Node;
    const starts = [0];
    for (let i = 0; i < text.length; i += 1) if (text[i] === "\n") starts.push(i + 1);
    this.lineStarts = starts;
    this.visits = walk(this.program);
    this.imports = importsOf(this.visits);
  }

  lineOf(offset: number): number {
    let line = this.lineStarts.findIndex((start) => start > offset);
    if (line < 0) line = this.lineStarts.length;
    return line;
  }

  get lineCount(): number {
    return this.text.endsWith("\n") ? this.lineStarts.length - 1 : this.lineStarts.length;
  }

  /** The comment that opens the file, of either form; empty if there is none. */
  get header(): string {
    return /^\s*(\/\*\*[\s\S]*?\*\/|(\/\/.*\n)+)/.exec(this.text)?.[0] ?? "";
  }

  /** Returns true if a rule is suppressed at a line, or by the header for the whole file. */
  allows(rule: string, line: number): boolean {
    const here = [line - 1, line].map((n) =>
      this.text.slice(this.lineStarts[n - 1], this.lineStarts[n] ?? this.text.length),
    );
    return [this.header, ...here].some((text) => MARK.exec(text)?.[1] === rule);
  }

  /** Yields a finding at an offset, unless it is suppressed there. */
  *finding(rule: string, offset: number, what: string): Generator<Finding> {
    const line = this.lineOf(offset);
    if (!this.allows(rule, line)) yield { rule, file: this.path, line, what };
  }
}

/** A node with its ancestors, nearest first. */
interface Visit {
  readonly node: Node;
  readonly ancestors: readonly Node[];
}

/** Lists every node below and including this one, each before its children. */
export function walk(root: Node): Visit[] {
  const visits: Visit[] = [];
  const visit = (node: Node, ancestors: readonly Node[]): void => {
    visits.push({ node, ancestors });
    let inner: readonly Node[] | undefined;
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (isNode(child)) visit(child, (inner ??= [node, ...ancestors]));
      }
    }
  };
  visit(root, []);
  return visits;
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

/** Returns the name of an identifier node. */
export function nameOf(value: unknown): string | undefined {
  return isNode(value) && value.type === "Identifier" ? (value["name"] as string) : undefined;
}

function importsOf(visits: readonly Visit[]): Import[] {
  const found: Import[] = [];
  for (const { node } of visits) {
    const source = node["source"];
    const isModule = [
      "ImportDeclaration",
      "ExportNamedDeclaration",
      "ExportAllDeclaration",
      "ImportExpression",
    ].includes(node.type);
    if (isModule && isNode(source) && typeof source["value"] === "string") {
      found.push({ specifier: source["value"], start: node.start });
    }
    // import("…") in a type position.
    const argument = node["argument"] ?? node["source"];
    if (node.type === "TSImportType" && isNode(argument)) {
      const literal = isNode(argument["literal"]) ? argument["literal"] : argument;
      if (typeof literal["value"] === "string") found.push({ specifier: literal["value"], start: node.start });
    }
  }
  return found;
}
