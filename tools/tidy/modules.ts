/**
 * Checks rules that need every file at once: unused exports and import cycles.
 *
 * An export is used if another file imports it, directly or through re-exports. That file may be a test.
 * Imports of types and dynamic imports form no cycles, because they are not needed to load the file.
 */
import { posix } from "node:path";
import { type Finding, isNode, nameOf, type Node, type Source, walk } from "./source.ts";

/** Files whose exports are for users outside the repository, or for tools that load them by name. */
const ENTRIES = [
  /^packages\/cli\/src\/(index|main|public\/[^/]+)\.ts$/,
  /^packages\/px4\/src\/lockstep\/worker\.ts$/,
  /^packages\/viewer\/src\/report\/page\.ts$/,
  /^tools\/skip-reporter\.ts$/,
  /^(vitest|rolldown)[^/]*\.ts$/,
  /^(tests|examples|bench)\//,
  /\.test(-d)?\.ts$/,
];

const ALL = "*";

/** A name that a file imports from another; `*` means all. */
interface Use {
  readonly from: string;
  readonly name: string;
  readonly start: number;
  /** True if the imported file must be loaded before this file; false for types and dynamic imports. */
  readonly isLoaded: boolean;
  /** The name under which it is re-exported; undefined if it is used here. */
  readonly passedAs?: string;
}

interface Declared {
  readonly name: string;
  readonly start: number;
}

interface Module {
  readonly source: Source;
  readonly uses: readonly Use[];
  readonly declared: readonly Declared[];
}

export function* checkModules(sources: readonly Source[]): Generator<Finding> {
  const modules = new Map(sources.map((source) => [source.path, read(source)]));
  yield* unusedExports(modules);
  yield* cycles(modules);
}

/** Returns the file that a specifier resolves to, or undefined if it is not in the repository. */
function targetOf(path: string, specifier: string): string | undefined {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(path), specifier);
  if (specifier === "escapement") return "packages/cli/src/index.ts";
  const [, entry] = /^escapement\/(.+)$/.exec(specifier) ?? [];
  if (entry !== undefined) return `packages/cli/src/public/${entry}.ts`;
  const [, name, part = ""] = /^@escapement\/([^/]+)(\/.+)?$/.exec(specifier) ?? [];
  return name === undefined ? undefined : `packages/${name}/src${part}/index.ts`;
}

function read(source: Source): Module {
  const uses: Use[] = [];
  const declared: Declared[] = [];
  for (const { node, ancestors } of source.visits) {
    const from = targetOf(source.path, specifierOf(node) ?? "");
    if (from !== undefined) uses.push(...usesOf(node, from, ancestors));
    if (node.type.startsWith("Export") && !isNode(node["source"])) declared.push(...declaredBy(node));
  }
  return { source, uses, declared };
}

function specifierOf(node: Node): string | undefined {
  const source = node["source"];
  if (isNode(source) && typeof source["value"] === "string") return source["value"];
  return undefined;
}

function* usesOf(node: Node, from: string, ancestors: readonly Node[]): Generator<Use> {
  const { start } = node;
  const isType = node["importKind"] === "type" || node["exportKind"] === "type";
  const isLoaded = !isType && node.type !== "TSImportType" && node.type !== "ImportExpression";
  const specifiers = Array.isArray(node["specifiers"]) ? (node["specifiers"] as Node[]) : undefined;
  if (node.type === "ExportAllDeclaration") {
    const name = textOf(node["exported"]);
    yield { from, name: ALL, start, isLoaded, ...(name === undefined ? { passedAs: ALL } : {}) };
  } else if (specifiers === undefined || specifiers.length === 0) {
    for (const name of importedNames(ancestors)) yield { from, name, start, isLoaded };
  }
  for (const specifier of specifiers ?? []) {
    const isTypeOnly = specifier["importKind"] === "type" || specifier["exportKind"] === "type";
    const at = { from, start: specifier.start, isLoaded: isLoaded && !isTypeOnly };
    if (specifier.type === "ImportNamespaceSpecifier") yield { ...at, name: ALL };
    else if (specifier.type === "ImportDefaultSpecifier") yield { ...at, name: "default" };
    else if (specifier.type === "ImportSpecifier") yield { ...at, name: textOf(specifier["imported"])! };
    else yield { ...at, name: textOf(specifier["local"])!, passedAs: textOf(specifier["exported"])! };
  }
}

/**
 * Returns the names used by `const { a, b } = await import("…")` and `(await import("…")).a`; `*` for any other use.
 */
function importedNames(ancestors: readonly Node[]): string[] {
  const user = ancestors.find(({ type }) => type !== "AwaitExpression" && type !== "ParenthesizedExpression");
  const property = user?.type === "MemberExpression" ? nameOf(user["property"]) : undefined;
  if (property !== undefined && property !== "then") return [property];
  const pattern = user?.type === "VariableDeclarator" ? user["id"] : undefined;
  if (!isNode(pattern) || pattern.type !== "ObjectPattern") return [ALL];
  return (pattern["properties"] as Node[]).map((each) => textOf(each["key"]) ?? ALL);
}

function* declaredBy(node: Node): Generator<Declared> {
  if (node.type === "ExportDefaultDeclaration") yield { name: "default", start: node.start };
  for (const specifier of (node["specifiers"] as Node[] | undefined) ?? [])
    yield { name: textOf(specifier["exported"])!, start: specifier.start };
  const declaration = node["declaration"];
  if (!isNode(declaration) || node.type !== "ExportNamedDeclaration") return;
  const id = nameOf(declaration["id"]);
  if (id !== undefined) yield { name: id, start: declaration.start };
  for (const declarator of (declaration["declarations"] as Node[] | undefined) ?? []) {
    for (const name of boundBy(declarator["id"])) yield { name, start: declarator.start };
  }
}

function* boundBy(pattern: unknown): Generator<string> {
  const name = nameOf(pattern);
  if (name !== undefined) yield name;
  else if (isNode(pattern)) {
    for (const { node, ancestors } of walk(pattern)) {
      const bound = nameOf(node);
      if (bound !== undefined && ancestors[0]?.["key"] !== node) yield bound;
    }
  }
}

function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  return nameOf(node) ?? (typeof node["value"] === "string" ? node["value"] : undefined);
}

function* unusedExports(modules: ReadonlyMap<string, Module>): Generator<Finding> {
  const used = new Map<string, Set<string>>();
  const mark = (path: string, name: string): void => {
    const module = modules.get(path);
    const names = used.get(path) ?? new Set();
    if (module === undefined || names.has(name)) return;
    used.set(path, names.add(name));
    for (const use of module.uses) {
      if (use.passedAs === undefined) continue;
      if (use.passedAs === ALL) mark(use.from, name);
      else if (name === ALL || use.passedAs === name) mark(use.from, use.name);
    }
  };
  for (const { source, uses } of modules.values()) {
    for (const use of uses) if (use.passedAs === undefined) mark(use.from, use.name);
    if (isEntry(source.path)) mark(source.path, ALL);
  }
  for (const { source, declared, uses } of modules.values()) {
    const names = used.get(source.path) ?? new Set();
    if (names.has(ALL) || isEntry(source.path)) continue;
    const passed = uses.flatMap(({ passedAs, start }) => (passedAs === undefined ? [] : [{ name: passedAs, start }]));
    for (const { name, start } of [...declared, ...passed]) {
      if (name !== ALL && !names.has(name))
        yield* source.finding("exports", start, `no other file uses ${name}: do not export it, or delete it`);
    }
  }
}

function isEntry(path: string): boolean {
  return ENTRIES.some((pattern) => pattern.test(path));
}

/** Yields import cycles, in which some file would run before a file that it needs. Each cycle is reported once. */
function* cycles(modules: ReadonlyMap<string, Module>): Generator<Finding> {
  const done = new Set<string>();
  const path: string[] = [];
  function* visit(file: string): Generator<Finding> {
    const module = modules.get(file);
    if (module === undefined || done.has(file)) return;
    path.push(file);
    for (const { from, isLoaded, start } of module.uses) {
      if (!isLoaded) continue;
      const at = path.indexOf(from);
      if (at < 0) yield* visit(from);
      else {
        const round = [...path.slice(at), from].map((name) => posix.basename(name)).join(" → ");
        yield* module.source.finding("cycle", start, `import cycle: ${round}`);
      }
    }
    path.pop();
    done.add(file);
  }
  for (const file of modules.keys()) yield* visit(file);
}
