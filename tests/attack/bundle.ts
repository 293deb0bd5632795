/** Makes one JavaScript file of a program of the attacks. */
import { mkdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** This folder is inside the repository, so that Node finds the libraries that are not in the bundle. */
const CACHE = `${root}.cache/attack`;

/** Bundles `tests/attack/<name>.ts`; returns the path of the bundle, which exists as long as this process. */
export async function bundle(name: string): Promise<string> {
  mkdirSync(CACHE, { recursive: true });
  const build = await rolldown({
    input: `${root}tests/attack/${name}.ts`,
    platform: "node",
    resolve: { conditionNames: ["source", "import", "node", "default"] },
    external: [/^node:/, /^@foxglove\//, "h5wasm", /^h5wasm\//],
    logLevel: "silent",
  });
  const path = `${CACHE}/${name}-${process.pid}.mjs`;
  await build.write({ file: path, format: "esm", codeSplitting: false });
  await build.close();
  process.on("exit", () => rmSync(path, { force: true }));
  return path;
}
