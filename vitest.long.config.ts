import { defineConfig, mergeConfig } from "vitest/config";
import base from "./vitest.config.ts";

// Volume and endurance: long flights, kills, corruptions, fuzzing, other Node majors.
const { test: _test, ...shared } = base;

export default mergeConfig(
  shared,
  defineConfig({
    test: {
      include: ["tests/long/**/*.test.ts"],
      setupFiles: ["./vitest.setup.ts"],
      testTimeout: 600_000,
      hookTimeout: 600_000,
      reporters: ["dot", "./tools/skip-reporter.ts"],
    },
  }),
);
