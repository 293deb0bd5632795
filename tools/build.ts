/**
 * Builds the command, the library and the report page into packages/cli/dist. The old bundle is replaced only when
 * the new one is complete, so a command that starts meanwhile always finds a complete bundle.
 * Prints one line; with `--quiet` only errors.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type InputOptions, type OutputOptions, rolldown } from "rolldown";
import configs from "../rolldown.config.ts";

type Config = InputOptions & { readonly output: OutputOptions };

const DIST = "packages/cli/dist";
const startedMs = performance.now();
const dir = `${DIST}.${process.pid}`;
mkdirSync(dir, { recursive: true });
try {
  await Promise.all((configs as readonly Config[]).map(build));
  replaceDist();
} finally {
  rmSync(dir, { recursive: true, force: true });
}

async function build({ output, ...input }: Config): Promise<void> {
  const bundle = await rolldown({ ...input, logLevel: "warn", checks: { pluginTimings: false } });
  await bundle.write({ ...output, dir });
  await bundle.close();
}

/**
 * Replaces the bundle. Ignores the failure that occurs if another build replaces the bundle at the same time, because
 * that bundle is equally valid.
 */
function replaceDist(): void {
  rmSync(DIST, { recursive: true, force: true });
  try {
    renameSync(dir, DIST);
  } catch (error) {
    if (!existsSync(join(DIST, "escapement.js"))) throw error;
  }
}

if (!process.argv.includes("--quiet")) {
  const files = readdirSync(DIST).filter((name) => !name.endsWith(".map"));
  const kilobytes = files.reduce((sum, name) => sum + statSync(join(DIST, name)).size, 0) / 1000;
  const seconds = (performance.now() - startedMs) / 1000;
  process.stdout.write(
    `built ${DIST}: ${files.length} files, ${kilobytes.toFixed(0)} kB, in ${seconds.toFixed(1)} s\n`,
  );
}
