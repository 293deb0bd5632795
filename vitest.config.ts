import { defineConfig } from "vitest/config";

// Workspace packages are imported from their sources: no build stands between an edit and its test.
export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "tests/**/*.test.ts"],
    exclude: ["**/node_modules/**", "tests/long/**"],
    setupFiles: ["./vitest.setup.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ["dot", "./tools/skip-reporter.ts"],
  },
});
