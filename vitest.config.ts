import { defineConfig } from "vitest/config";

/** `npm run test:long` sets this: volume, endurance and other Node majors. */
const isLong = process.env["ESCAPEMENT_LONG"] === "1";

// Workspace packages are imported from their sources: no build stands between an edit and its test.
export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    include: isLong ? ["tests/long/**/*.test.ts"] : ["packages/*/src/**/*.test.ts", "tests/**/*.test.ts"],
    exclude: isLong ? [] : ["**/node_modules/**", "tests/long/**"],
    testTimeout: isLong ? 600_000 : 120_000,
    hookTimeout: 120_000,
    reporters: ["dot", "./tools/skip-reporter.ts"],
  },
});
