import { defineConfig, mergeConfig } from "vitest/config";
import base from "./vitest.config.ts";

// Volume and endurance: long flights, killed writers, corrupted files, fuzzing, other Node majors, interpreters.
const { test, ...shared } = base;
const { projects: _projects, ...settings } = test!;

export default mergeConfig(
  { ...shared, test: settings },
  defineConfig({
    test: {
      include: ["tests/long/**/*.test.ts"],
      // Endurance tests measure memory and time of processes, so nothing else runs beside them.
      maxWorkers: 1,
      testTimeout: 600_000,
      hookTimeout: 600_000,
    },
  }),
);
