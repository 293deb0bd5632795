/** Locates the entry file of a worker thread: in the bundle, or in the sources with a loader. */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const isSource = import.meta.url.endsWith(".ts");

/** The entry file of a thread. Its imports are hashed as the code of a campaign. */
export const THREAD_FILE = new URL(isSource ? "./flight-thread.ts" : "./flight-thread.js", import.meta.url);

/** Entry file and Node.js options for `Worker`. */
export const THREAD_START: { readonly entry: URL; readonly execArgv: readonly string[] } = isSource
  ? { entry: sourceEntry(), execArgv: ["--conditions=source"] }
  : { entry: THREAD_FILE, execArgv: [] };

/**
 * Returns an entry that registers the loader, because Node 20 applies a command-line loader only to the main thread.
 */
function sourceEntry(): URL {
  // `require.resolve` finds the CommonJS file of the loader; its ES module is in the same folder.
  const commonJsFile = pathToFileURL(createRequire(import.meta.url).resolve("tsx/esm/api"));
  const loader = new URL("./index.mjs", commonJsFile).href;
  const text = `import { register } from "${loader}"; register(); await import("${THREAD_FILE.href}");`;
  return new URL(`data:text/javascript,${encodeURIComponent(text)}`);
}
