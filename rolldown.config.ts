/**
 * Two bundles: the command, whose parts are chunks beside it that load when they are asked for; and the
 * report page's script and style, which the command puts into the pages it writes.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { defineConfig } from "rolldown";
import { readyKernels } from "./tools/compile/ready.ts";

const require = createRequire(import.meta.url);
const resolve = { conditionNames: ["source", "import", "node", "default"] };

export default defineConfig([
  {
    input: {
      escapement: "packages/cli/src/main.ts",
      index: "packages/cli/src/index.ts",
      worker: "packages/px4/src/lockstep/worker.ts",
    },
    platform: "node",
    resolve,
    external: [/^node:/, "koffi", /^h5wasm/, "@foxglove/wasm-zstd"],
    plugins: [readyKernels],
    output: {
      dir: "packages/cli/dist",
      format: "esm",
      entryFileNames: "[name].js",
      chunkFileNames: "chunk-[name].js",
      // Few files to open: the core in one, the readers of flight files in another.
      codeSplitting: {
        groups: [
          { name: "core", test: /packages[\\/]core[\\/]src/ },
          {
            name: "files",
            test: /packages[\\/]formats[\\/]src[\\/](?:text|missions|params|flights)|smol-toml/,
          },
        ],
      },
      comments: false,
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
      banner: (chunk) => (chunk.name === "escapement" ? "#!/usr/bin/env node" : ""),
    },
  },
  {
    input: { "report-page": "packages/viewer/src/report/page.ts" },
    platform: "browser",
    resolve: { conditionNames: ["source", "import", "browser", "default"] },
    output: { dir: "packages/cli/dist", format: "esm", entryFileNames: "[name].js", minify: true },
    plugins: [
      {
        name: "report-style",
        generateBundle() {
          const plots = readFileSync(require.resolve("uplot/dist/uPlot.min.css"), "utf8");
          const page = readFileSync("packages/viewer/src/report/style.css", "utf8");
          this.emitFile({ type: "asset", fileName: "report-page.css", source: `${plots}\n${page}` });
        },
      },
    ],
  },
]);
