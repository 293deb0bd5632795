import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/**
 * Tests that share one process per worker. They change nothing outside their own file, and loading the core once
 * instead of once per file saves more than a minute.
 */
const SHARED = [
  "packages/{campaign,cli,core,formats,viewer}/src/**/*.test.ts",
  "packages/px4/src/{mavlink,uorb}/**/*.test.ts",
  "tests/{contract,flights,golden,physics,validation}/**/*.test.ts",
  "tests/compile/{branches,flights,interleaved,own-plant,random-programs,text,translate}.test.ts",
];

// Workspace packages are imported from their sources, so no build is needed between an edit and its test.
export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    projects: [
      { extends: true, test: { name: "shared", include: SHARED, isolate: false } },
      {
        // Tests that start processes and browsers, load native code or set environment variables.
        extends: true,
        test: {
          name: "isolated",
          include: ["packages/*/src/**/*.test.ts", "tests/**/*.test.ts"],
          exclude: ["**/node_modules/**", "tests/long/**", ...SHARED],
        },
      },
    ],
    setupFiles: ["./vitest.setup.ts"],
    // Vitest leaves one core free, which on a machine with two cores would be half of it.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Long enough for a machine that is busy with other work.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Import test bundles as they are, like users do.
    server: { deps: { external: [/\.cache\/builds\//] } },
    reporters: ["dot", "./tools/skip-reporter.ts"],
  },
});
