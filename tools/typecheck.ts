/**
 * Type-checks every package with the platform types it may use, then tests and tools. Each project has its own compiler
 * run. All of them run, even after an error, so that one call reports every error.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";

const projects = readdirSync("packages")
  .map((name) => `packages/${name}/tsconfig.json`)
  .filter((path) => existsSync(path));
projects.push("tsconfig.tests.json");

let failed = 0;
for (const project of projects) {
  const run = spawnSync("npx", ["tsc", "-p", project], { stdio: "inherit", shell: process.platform === "win32" });
  if (run.status !== 0) failed += 1;
}
process.exitCode = failed === 0 ? 0 : 1;
