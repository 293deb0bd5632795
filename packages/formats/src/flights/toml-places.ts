/**
 * Places of the keys of a TOML text. Loaded only when there is something to complain about: the parser that keeps
 * places is an order of magnitude slower to load than the one that reads values.
 */
import { ParseError, parseTOML, type AST } from "toml-eslint-parser";
import type { PlaceNode, Span } from "./places.ts";

export function tomlPlaces(text: string): PlaceNode {
  const root: PlaceNode = { value: { start: 0, end: 0 }, children: new Map() };
  for (const entry of entriesOf(text)) {
    if (entry.type === "TOMLKeyValue") addKeyValue(root, entry);
    else addTable(root, entry);
  }
  return root;
}

/** None where the two parsers do not agree that this is TOML: complaints then go without their lines. */
function entriesOf(text: string): readonly (AST.TOMLKeyValue | AST.TOMLTable)[] {
  try {
    return parseTOML(text, { tomlVersion: "1.1" }).body[0].body;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return [];
  }
}

/** `[a.b]` or `[[a.b]]`; `resolvedKey` has the indices of lists of tables in it. */
function addTable(root: PlaceNode, table: AST.TOMLTable): void {
  const span = spanOf(table.key);
  let node = root;
  for (const name of table.resolvedKey) node = childOf(node, name, { key: span, value: span });
  for (const entry of table.body) addKeyValue(node, entry);
}

function addKeyValue(node: PlaceNode, { key, value }: AST.TOMLKeyValue): void {
  let at = node;
  key.keys.forEach((part, i) => {
    const isLast = i === key.keys.length - 1;
    const name = part.type === "TOMLBare" ? part.name : part.value;
    at = childOf(at, name, { key: spanOf(part), value: spanOf(isLast ? value : part) });
  });
  addContent(at, value);
}

function addContent(node: PlaceNode, content: AST.TOMLContentNode): void {
  if (content.type === "TOMLInlineTable") {
    for (const entry of content.body) addKeyValue(node, entry);
  } else if (content.type === "TOMLArray") {
    content.elements.forEach((element, index) => addContent(childOf(node, index, { value: spanOf(element) }), element));
  }
}

function childOf(node: PlaceNode, name: string | number, spans: Omit<PlaceNode, "children">): PlaceNode {
  const known = node.children.get(name);
  if (known !== undefined) return known;
  const child: PlaceNode = { ...spans, children: new Map() };
  node.children.set(name, child);
  return child;
}

function spanOf(node: { readonly range: readonly [number, number] }): Span {
  return { start: node.range[0], end: node.range[1] };
}
