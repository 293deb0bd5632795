#!/usr/bin/env node
/**
 * Starts the bundled command. In a clone of the repository, it first builds the bundle if the bundle is missing or
 * older than a source. The published package has no sources, so its bundle is never built again.
 */
import { existsSync, readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const command = new URL("../dist/escapement.js", import.meta.url);
const folder = fileURLToPath(new URL("../../../", import.meta.url));

if (existsSync(`${folder}tools/build.ts`) && isOutdated()) await build();
await import(command.href);

function isOutdated() {
  const built = statSync(command, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const inputs = [`${folder}rolldown.config.ts`, `${folder}tools/compile`];
  for (const name of readdirSync(`${folder}packages`)) inputs.push(`${folder}packages/${name}/src`);
  return inputs.some((input) => isNewer(input, built));
}

/**
 * Returns true if a file, or any file in a folder, was modified after `timeMs`. Deleting a file changes the
 * modification time of its folder. Every start checks about a thousand files, so this function calls only `statSync`
 * and `readdirSync`, without `path.join` and without file types, which would be slower.
 */
function isNewer(path, timeMs) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (found.mtimeMs > timeMs) return true;
  if (!found.isDirectory()) return false;
  return readdirSync(path).some((name) => !/\.test(-d)?\.ts$/.test(name) && isNewer(`${path}/${name}`, timeMs));
}

async function build() {
  // Loaded only here, because it would delay every start by some milliseconds.
  const { spawnSync } = await import("node:child_process");
  const cwd = folder;
  process.stderr.write("building escapement from its sources ...\n");
  const { status } = spawnSync(process.execPath, ["--import", "tsx", "tools/build.ts", "--quiet"], {
    cwd,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (status === 0) return;
  process.stderr.write(`escapement could not be built: run "npm ci" in ${cwd}, then "npm run build"\n`);
  process.exit(1);
}
