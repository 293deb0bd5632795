/**
 * `npm run bench`: every bench in a process of its own, one after the other; each measures its variants side by side and
 * prints ratios. `npm run bench -- plant math` runs only those named.
 */
import { spawnSync } from "node:child_process";

const BENCHES = ["math", "plant", "engine", "autopilot", "recording"];

const asked = process.argv.slice(2);
for (const name of asked.length > 0 ? asked : BENCHES) {
  process.stdout.write(`\n# ${name}\n`);
  const run = spawnSync(process.execPath, ["--import", "tsx", "--conditions=source", `bench/${name}.ts`], {
    stdio: "inherit",
  });
  if (run.status !== 0) process.exitCode = 1;
}
