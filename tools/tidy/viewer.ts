/**
 * Checks import directions inside the viewer.
 *
 * Code shared by the pages must not import a page. The worker of the viewer imports only the protocol and `data/` from
 * the page; neither the worker nor `data/` uses the DOM. Only one folder may import each of the two large libraries, so
 * that the library stays in a chunk that loads when needed.
 */
import { posix } from "node:path";
import { isTest } from "./layers.ts";
import { declaredNames, isReference } from "./purity.ts";
import { type Finding, nameOf, type Source } from "./source.ts";

const SOURCES = "packages/viewer/src/";
const WORKER = `${SOURCES}view/worker/`;
/** Rows and quantities, which page and worker compute with. */
const DATA = `${SOURCES}view/data/`;
/** Libraries, and the one folder that may import each of them. */
const LIBRARIES: readonly (readonly [library: RegExp, folder: string])[] = [
  [/^three(?:\/|$)/, "view/scene/"],
  [/^@(?:codemirror|lezer)\//, "view/editor/"],
];
/** Globals that a worker does not have. */
const DOM = ["window", "document", "location", "localStorage", "requestAnimationFrame"];

export function* checkViewer(source: Source): Generator<Finding> {
  if (!source.path.startsWith(SOURCES) || isTest(source.path)) return;
  for (const { specifier, start } of source.imports) {
    const violation = importViolation(source.path, specifier);
    if (violation !== undefined) yield* source.finding("layers", start, violation);
  }
  if ([WORKER, DATA].some((folder) => source.path.startsWith(folder))) yield* domUses(source);
}

function importViolation(path: string, specifier: string): string | undefined {
  const [, folder] = LIBRARIES.find(([library]) => library.test(specifier)) ?? [];
  if (folder !== undefined && !path.startsWith(SOURCES + folder)) return `only ${folder} imports "${specifier}"`;
  if (!specifier.startsWith(".")) return undefined;
  const target = posix.join(posix.dirname(path), specifier);
  if (path.startsWith(`${SOURCES}shared/`) && !target.startsWith(`${SOURCES}shared/`))
    return "shared/ must not import a page";
  const isForWorker = [WORKER, DATA, `${SOURCES}view/protocol.ts`].some((each) => target.startsWith(each));
  if (path.startsWith(WORKER) && !isForWorker) return "the worker shares only protocol.ts and data/ with the page";
  return undefined;
}

function* domUses(source: Source): Generator<Finding> {
  const declared = declaredNames(source);
  for (const { node, ancestors } of source.visits) {
    const name = nameOf(node);
    if (name === undefined || !DOM.includes(name) || declared.has(name) || !isReference(node, ancestors[0])) continue;
    yield* source.finding("layers", node.start, `a worker has no ${name}`);
  }
}
