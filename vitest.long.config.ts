import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, mergeConfig } from "vitest/config";
import base from "./vitest.config.ts";

// Volume and endurance: long flights, killed writers, corrupted files, fuzzing, other Node majors, interpreters.
const { test, ...shared } = base;
const { projects: _projects, ...settings } = test!;

/** Tests of `npm test` that run with more cases here (`tests/support/volume.ts`). */
const withVolume = ["packages", "tests"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts") && !name.includes("node_modules"))
    .map((name) => join(folder, name))
    .filter((path) => /support\/(?:volume|math-inputs)\.ts"/.test(readFileSync(path, "utf8"))),
);

export default mergeConfig(
  { ...shared, test: settings },
  defineConfig({
    test: {
      include: ["tests/long/**/*.test.ts", ...withVolume],
      env: { TEST_VOLUME: "full" },
      // Endurance tests measure memory and time of processes, so nothing else runs beside them.
      maxWorkers: 1,
      testTimeout: 600_000,
      hookTimeout: 600_000,
    },
  }),
);
