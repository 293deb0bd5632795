import { availableParallelism } from "node:os";
import SkipReporter from "./tools/skip-reporter.ts";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const isSet = (variable: string) => (process.env[variable] ?? "") !== "";

/**
 * Tests that need a separate process: they load native code, change the environment of the process, or depend on the
 * code that the process has compiled before. Tests of the real PX4 are skipped if it is not installed; they then need
 * no separate process.
 */
const ISOLATED = [
  "packages/px4/src/lockstep/{child,runtime}.test.ts",
  "packages/px4/src/sitl/{fly-sitl,simulator-port}.test.ts",
  "tests/compile/environments.test.ts",
  ...(isSet("PX4_LOCKSTEP_LIB") ? ["packages/px4/src/lockstep/real-library.test.ts"] : []),
  ...(isSet("PX4_SITL_BIN") ? ["packages/px4/src/sitl/real-sitl.test.ts"] : []),
];

/**
 * Runs the files of `tests` before those beside the code: they fly whole flights and start browsers. A long file at the
 * end would leave the other workers idle.
 */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) =>
      project.name === "isolated" ? 0 : moduleId.includes("/tests/") ? 1 : 2;
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

// Workspace packages are imported from their sources, so no build is needed between an edit and its test.
export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    // Node imports the modules itself, and tsx strips their types. Vite's module runner turns each use of an import
    // into a property access, which makes flights about a quarter slower.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: ["--import", "tsx", "--conditions=source"],
    projects: [
      { extends: true, test: { name: "isolated", include: ISOLATED } },
      {
        // The other files share one process per worker: loading the core once instead of once per file saves minutes.
        // They change nothing outside their own file.
        extends: true,
        test: {
          name: "shared",
          include: ["packages/*/src/**/*.test.ts", "tests/**/*.test.ts"],
          exclude: ["**/node_modules/**", "tests/long/**", ...ISOLATED],
          isolate: false,
        },
      },
    ],
    sequence: { sequencer: LongFilesFirst },
    setupFiles: ["./vitest.setup.ts"],
    // One more than there are cores, because tests often wait for a process, a browser or a timer.
    maxWorkers: availableParallelism() + 1,
    // Long enough for a machine that is busy with other work.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Import test bundles without transforming them, as users do.
    server: { deps: { external: [/\.cache\/builds\//] } },
    reporters: ["dot", new SkipReporter()],
  },
});
