/**
 * Type-checks every package with the platform types it may use, then tests and tools. Each project has its own compiler
 * run. All projects run, even after an error, so that one call reports every error. Projects share sources, so several
 * of them may report the same error; it is printed once.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";

const projects = readdirSync("packages")
  .map((name) => `packages/${name}/tsconfig.json`)
  .filter((path) => existsSync(path));
projects.push("tsconfig.tests.json");

let failed = 0;
const printed = new Set<string>();
for (const project of projects) {
  const run = spawnSync("npx", ["tsc", "-p", project, "--pretty", "false"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    shell: process.platform === "win32",
  });
  if (run.status !== 0) failed += 1;
  // The lines that explain an error are indented.
  for (const error of run.stdout.split(/^(?=\S)/m)) {
    if (!printed.has(error)) process.stdout.write(error);
    printed.add(error);
  }
}
process.exitCode = failed === 0 ? 0 : 1;
