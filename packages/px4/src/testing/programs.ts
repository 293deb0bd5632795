/**
 * Builds programs that tests start as processes. They are bundled once, because a bundle starts ten times faster than
 * sources with a loader.
 */
import { join } from "node:path";
import { rolldown } from "rolldown";
import { buildOnce, root } from "../../../../tests/support/build-once.ts";

const PROGRAMS = {
  "mock-program": "testing/mock-program.ts",
  "fly-stock": "testing/fly-stock.ts",
  "fly-library": "testing/fly-library.ts",
  lockstep: "testing/lockstep.ts",
  // Must be in the same folder as the module that starts it, as in the release.
  worker: "lockstep/worker.ts",
};

/** Returns the file of a bundled program. */
export async function buildProgram(name: keyof typeof PROGRAMS): Promise<string> {
  const folder = await buildOnce("px4-programs", async (dir) => {
    const sources = join(root, "packages/px4/src");
    const build = await rolldown({
      input: Object.fromEntries(Object.entries(PROGRAMS).map(([entry, file]) => [entry, join(sources, file)])),
      cwd: root,
      platform: "node",
      resolve: { conditionNames: ["source", "import", "node", "default"] },
      external: [/^node:/, "koffi"],
      logLevel: "silent",
    });
    await build.write({ dir, format: "esm", entryFileNames: "[name].js" });
    await build.close();
  });
  return join(folder, `${name}.js`);
}
