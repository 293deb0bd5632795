/**
 * Builds the command and the page of reports into packages/cli/dist, from nothing, so that no old chunk is left over.
 * Says one line; with `--quiet` only what went wrong.
 */
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type InputOptions, type OutputOptions, rolldown } from "rolldown";
import configs from "../rolldown.config.ts";

const DIST = "packages/cli/dist";
const startedMs = performance.now();
rmSync(DIST, { recursive: true, force: true });
for (const { output, ...input } of configs as readonly (InputOptions & { output: OutputOptions })[]) {
  const bundle = await rolldown({ ...input, logLevel: "warn" });
  await bundle.write(output);
  await bundle.close();
}
if (!process.argv.includes("--quiet")) {
  const files = readdirSync(DIST);
  const kilobytes = files.reduce((sum, name) => sum + statSync(join(DIST, name)).size, 0) / 1000;
  const seconds = (performance.now() - startedMs) / 1000;
  process.stdout.write(
    `built ${DIST}: ${files.length} files, ${kilobytes.toFixed(0)} kB, in ${seconds.toFixed(1)} s\n`,
  );
}
