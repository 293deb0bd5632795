#!/usr/bin/env node
/**
 * Starts the bundled command. In a clone of the repository it first builds the bundle if there is none, or if a source
 * has changed since; the published package has no sources, and its bundle runs as it is.
 */
import { existsSync, readdirSync, statSync } from "node:fs";
import * as modules from "node:module";
import { fileURLToPath } from "node:url";

const command = new URL("../dist/escapement.js", import.meta.url);
const root = new URL("../../../", import.meta.url);
const builder = new URL("tools/build.ts", root);

// Node 22.8 and later keep compiled code in the system's folder for temporary files, so that the next start is shorter.
modules.enableCompileCache?.();
if (existsSync(builder) && isOutdated()) await build();
await import(command.href);

function isOutdated() {
  const built = statSync(command, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const inputs = [new URL("rolldown.config.ts", root), new URL("tools/compile/", root)];
  for (const name of readdirSync(new URL("packages/", root))) inputs.push(new URL(`packages/${name}/src/`, root));
  return inputs.some((input) => isNewer(input, built));
}

/** Returns true if a file, or any file in a folder, is newer than `timeMs`. Deleting a file makes its folder newer. */
function isNewer(url, timeMs) {
  const found = statSync(url, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (found.mtimeMs > timeMs) return true;
  if (!found.isDirectory()) return false;
  return readdirSync(url, { withFileTypes: true }).some((entry) =>
    entry.isDirectory()
      ? isNewer(new URL(`${entry.name}/`, url), timeMs)
      : !/\.test(-d)?\.ts$/.test(entry.name) && statSync(new URL(entry.name, url)).mtimeMs > timeMs,
  );
}

async function build() {
  // Loaded only here, because it would delay every start by some milliseconds.
  const { spawnSync } = await import("node:child_process");
  const cwd = fileURLToPath(root);
  process.stderr.write("building escapement from its sources ...\n");
  const { status } = spawnSync(process.execPath, ["--import", "tsx", "tools/build.ts", "--quiet"], {
    cwd,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (status === 0) return;
  process.stderr.write(`escapement could not be built: run "npm ci" in ${cwd}, then "npm run build"\n`);
  process.exit(1);
}
