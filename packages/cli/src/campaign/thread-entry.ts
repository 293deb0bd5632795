/** Where a flying thread starts: the bundle, or the sources with a loader. */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const isSource = import.meta.url.endsWith(".ts");

/** The file whose imports decide the bits of a row. */
export const THREAD_FILE = new URL(isSource ? "./flight-thread.ts" : "./flight-thread.js", import.meta.url);

/** What to pass to `Worker`. */
export const THREAD_START: { readonly entry: URL; readonly execArgv: readonly string[] } = isSource
  ? { entry: sourceEntry(), execArgv: ["--conditions=source"] }
  : { entry: THREAD_FILE, execArgv: [] };

/** Node 20 applies a loader of the command line to the main thread only, so the thread registers its own. */
function sourceEntry(): URL {
  // `require` finds the CommonJS form of the loader; the other form is beside it.
  const common = pathToFileURL(createRequire(import.meta.url).resolve("tsx/esm/api"));
  const loader = new URL("./index.mjs", common).href;
  const text = `import { register } from "${loader}"; register(); await import("${THREAD_FILE.href}");`;
  return new URL(`data:text/javascript,${encodeURIComponent(text)}`);
}
