#!/usr/bin/env node
/**
 * Starts the bundled command. In a clone of the repository it first builds the bundle if there is none, or if a source
 * has changed since; the published package has no sources, and its bundle runs as it is.
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
 * Returns true if a file, or any file in a folder, is newer than `timeMs`. Deleting a file makes its folder newer. Every
 * start looks at a thousand files, so paths are strings, and no entry is read only to learn its type.
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
