/**
 * Finds the positions of keys and values in a file by the dotted paths of diagnostics.
 *
 * A path is `wind.sigmaNedMps` or `scenario[2].at`. If a key is missing, the position is that of the innermost table
 * that exists. TOML and JSON files build the same tree.
 */
import type { Lines } from "../text/text.ts";

/** A part of the text, as offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface PlaceNode {
  readonly key?: Span;
  readonly value: Span;
  readonly children: Map<string | number, PlaceNode>;
}

interface Mark {
  readonly line: number;
  readonly column: number;
  /** Number of characters on that line, at least 1. */
  readonly length: number;
}

interface Place {
  /** The key; absent for list items. */
  readonly key: Mark | undefined;
  readonly value: Mark;
  /** False if the path is not in the file; the position is then that of the innermost table that exists. */
  readonly exact: boolean;
}

export class Locator {
  private readonly root: PlaceNode;
  private readonly lines: Lines;

  constructor(root: PlaceNode, lines: Lines) {
    this.root = root;
    this.lines = lines;
  }

  locate(path: string): Place {
    let node = this.root;
    let rest = path;
    while (rest !== "") {
      const step = nextStep(node, rest);
      if (step === undefined) break;
      node = node.children.get(step.name)!;
      rest = step.rest;
    }
    const key = node.key === undefined ? undefined : this.mark(node.key);
    return { key, value: this.mark(node.value), exact: rest === "" };
  }

  /** Returns the text of a line, to print above the marker. */
  lineText(line: number): string {
    return this.lines.textOf(line);
  }

  private mark({ start, end }: Span): Mark {
    const { line, column } = this.lines.at(start);
    const maxLength = this.lines.textOf(line).length - column + 1;
    return { line, column, length: Math.max(1, Math.min(end - start, maxLength)) };
  }
}

/** Returns the child for the next step of the path. Keys may contain dots, so the longest match is used. */
function nextStep(
  node: PlaceNode,
  path: string,
): { readonly name: string | number; readonly rest: string } | undefined {
  const index = /^\[(\d+)\]\.?/.exec(path);
  if (index !== null && node.children.has(Number(index[1]))) {
    return { name: Number(index[1]), rest: path.slice(index[0].length) };
  }
  let best: string | undefined;
  for (const name of node.children.keys()) {
    if (typeof name !== "string" || !path.startsWith(name)) continue;
    const after = path[name.length];
    const fits = after === undefined || after === "." || after === "[";
    if (fits && (best === undefined || name.length > best.length)) best = name;
  }
  if (best === undefined) return undefined;
  const rest = path.slice(best.length);
  return { name: best, rest: rest.startsWith(".") ? rest.slice(1) : rest };
}
