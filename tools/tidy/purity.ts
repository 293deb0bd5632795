/**
 * Checks that code that determines results (the core and some parts of campaigns) uses nothing whose bits, order or
 * existence differ between machines, engines or runs.
 *
 * Transcendental functions of `Math` and `**` differ in their last bits between engines; clocks and random numbers
 * differ between runs; Node and the DOM are not available everywhere; the order of for…in is not guaranteed. An alias
 * of `Math` is treated as `Math`. Maps and sets are allowed, because they iterate in insertion order.
 */
import { isTest } from "./layers.ts";
import { type Finding, isNode, nameOf, type Node, type Source, walk } from "./source.ts";

/** Functions of `Math` that are exact or correctly rounded in every engine. */
const EXACT = ["sqrt", "abs", "floor", "ceil", "round", "trunc", "min", "max", "sign", "fround", "imul", "clz32"];

/** Globals of the platform, globals that differ between engines or runs, and ways to reach either. */
const BANNED: Readonly<Record<string, string>> = {
  Date: "a clock",
  performance: "a clock",
  Temporal: "a clock",
  setTimeout: "a clock",
  setInterval: "a clock",
  setImmediate: "Node",
  queueMicrotask: "a scheduler",
  requestAnimationFrame: "the DOM",
  process: "Node",
  Buffer: "Node",
  require: "Node",
  __dirname: "Node",
  __filename: "Node",
  console: "output",
  window: "the DOM",
  document: "the DOM",
  navigator: "the DOM",
  localStorage: "the DOM",
  indexedDB: "the DOM",
  fetch: "the network",
  WebSocket: "the network",
  XMLHttpRequest: "the network",
  crypto: "random numbers",
  Worker: "another thread",
  SharedArrayBuffer: "another thread",
  Atomics: "another thread",
  WeakRef: "the garbage collector",
  FinalizationRegistry: "the garbage collector",
  Intl: "the locale",
  globalThis: "every global at once",
  global: "Node",
  self: "the DOM",
  eval: "code from text",
  Function: "code from text",
};

/**
 * Files that determine results: all of the core, and the parts of campaigns that choose flights and draw conclusions.
 */
const RESULT_FILES =
  /^packages\/(core\/src\/|campaign\/src\/(criteria|plans|search|sensitivity|shrink|splitting|statistics|vary)\/)/;

/** The only file that makes code from text; only the printers of the compiler write that text. */
const CODE_FROM_TEXT = "packages/core/src/compile/function-text.ts";

/** Methods whose result depends on the locale. */
const LOCALE = ["localeCompare", "toLocaleString", "toLocaleLowerCase", "toLocaleUpperCase", "toLocaleDateString"];

export function* checkPurity(source: Source): Generator<Finding> {
  if (!RESULT_FILES.test(source.path) || isTest(source.path)) return;
  const declared = declaredNames(source);
  for (const { node, ancestors } of source.visits) {
    yield* operators(source, node);
    const name = nameOf(node);
    if (name === undefined || !isReference(node, ancestors[0])) continue;
    if (name === "Math") yield* mathUse(source, node, ancestors[0]!);
    else if (Object.hasOwn(BANNED, name) && !declared.has(name)) {
      if (name === "Function" && source.path === CODE_FROM_TEXT) continue;
      yield* source.finding(
        "purity",
        node.start,
        `${name} is ${BANNED[name]}, which code that determines results must not use`,
      );
    }
  }
}

function* operators(source: Source, node: Node): Generator<Finding> {
  if (node.type === "ForInStatement") {
    yield* source.finding(
      "purity",
      node.start,
      "the order of for…in is not guaranteed: iterate over a list, or over Object.keys",
    );
  }
  if (node["operator"] === "**" || node["operator"] === "**=") {
    yield* source.finding("purity", node.start, "** differs between engines: use pow of core/math, or multiply");
  }
  const property = node.type === "MemberExpression" && node["computed"] !== true ? nameOf(node["property"]) : undefined;
  if (property !== undefined && LOCALE.includes(property)) {
    yield* source.finding("purity", node.start, `${property} depends on the locale`);
  }
}

/** Checks that `Math` appears only as `Math.<exact function>`. */
function* mathUse(source: Source, node: Node, parent: Node): Generator<Finding> {
  const isObject = parent.type === "MemberExpression" && parent["object"] === node;
  if (!isObject) {
    yield* source.finding("purity", node.start, "an alias of Math hides which functions are used");
    return;
  }
  const property = parent["computed"] === true ? undefined : nameOf(parent["property"]);
  if (property === undefined) {
    yield* source.finding("purity", node.start, "Math[…] hides which function is used");
  } else if (property === "random") {
    yield* source.finding("purity", node.start, "Math.random differs from run to run: draw from a RandomStream");
  } else if (!EXACT.includes(property) && !isConstant(property)) {
    yield* source.finding("purity", node.start, `Math.${property} differs between engines: use core/math`);
  }
}

/**
 * Returns true for constants of `Math`, which are by definition the nearest doubles, so they are the same everywhere.
 */
function isConstant(property: string): boolean {
  return /^[A-Z][A-Z0-9_]*$/.test(property);
}

/** Returns true if an identifier refers to a value or type, and is not a property, key or label. */
export function isReference(node: Node, parent: Node | undefined): boolean {
  if (parent === undefined) return false;
  if (parent.type === "MemberExpression") return parent["object"] === node || parent["computed"] === true;
  const isKey = parent["key"] === node && parent["computed"] !== true;
  if (isKey) return parent.type === "Property" && parent["shorthand"] === true;
  if (parent.type === "TSQualifiedName") return parent["left"] === node;
  return ![
    "LabeledStatement",
    "BreakStatement",
    "ContinueStatement",
    "TSPropertySignature",
    "TSMethodSignature",
  ].includes(parent.type);
}

/** Returns the names that the file declares: variables, parameters, functions, classes, imports. */
export function declaredNames({ visits }: Source): Set<string> {
  const names = new Set<string>();
  const add = (pattern: unknown): void => {
    if (!isNode(pattern)) return;
    for (const { node } of walk(pattern)) {
      const name = nameOf(node);
      if (name !== undefined) names.add(name);
    }
  };
  for (const { node } of visits) {
    if (node.type === "VariableDeclarator") add(node["id"]);
    if (/Function|Class/.test(node.type)) {
      add(node["id"]);
      for (const parameter of Array.isArray(node["params"]) ? node["params"] : []) add(parameter);
    }
    if (/^Import.*Specifier$/.test(node.type)) add(node["local"]);
    if (node.type === "TSTypeAliasDeclaration" || node.type === "TSInterfaceDeclaration") add(node["id"]);
  }
  return names;
}
