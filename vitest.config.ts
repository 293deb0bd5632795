import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Packages whose tests share one process per worker: they keep no state in modules, and loading the core costs most. */
const SHARED = ["core", "formats", "viewer", "cli"];

// Workspace packages are imported from their sources, so no build is needed between an edit and its test.
export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "packages",
          include: SHARED.map((name) => `packages/${name}/src/**/*.test.ts`),
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "system",
          include: ["packages/px4/src/**/*.test.ts", "tests/**/*.test.ts"],
          exclude: ["**/node_modules/**", "tests/long/**"],
        },
      },
    ],
    setupFiles: ["./vitest.setup.ts"],
    // Vitest leaves one core free, which on a machine with two cores would be half of it.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Bundles made for tests are code as users get it.
    server: { deps: { external: [/\.cache\/builds\//] } },
    reporters: ["dot", "./tools/skip-reporter.ts"],
  },
});
