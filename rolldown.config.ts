/**
 * Two bundles: the command and the library, whose parts are chunks beside them that load when they are needed; and the
 * report page's script and style, which the command puts into the pages it writes. Both contain the licences of
 * their packages.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { defineConfig, type OutputAsset, type OutputChunk } from "rolldown";
import { readyKernels } from "./tools/compile/ready.ts";
import { noticesComment, noticesMarkdown, noticesOf } from "./tools/notices.ts";

const require = createRequire(import.meta.url);
const resolve = { conditionNames: ["source", "import", "node", "default"] };

/** Modules that contribute to the bundle. */
function modulesOf(outputs: readonly (OutputAsset | OutputChunk)[]): string[] {
  return outputs.flatMap((output) => (output.type === "chunk" ? output.moduleIds : []));
}

export default defineConfig([
  {
    input: {
      escapement: "packages/cli/src/main.ts",
      index: "packages/cli/src/index.ts",
      core: "packages/cli/src/public/core.ts",
      engine: "packages/cli/src/public/engine.ts",
      models: "packages/cli/src/public/models.ts",
      math: "packages/cli/src/public/math.ts",
      formats: "packages/cli/src/public/formats.ts",
      px4: "packages/cli/src/public/px4.ts",
      worker: "packages/px4/src/lockstep/worker.ts",
    },
    platform: "node",
    resolve,
    external: [/^node:/, "koffi", /^h5wasm/, "@foxglove/wasm-zstd"],
    plugins: [
      readyKernels,
      {
        name: "notices",
        generateBundle(_, bundle) {
          const source = noticesMarkdown(noticesOf(modulesOf(Object.values(bundle))));
          this.emitFile({ type: "asset", fileName: "THIRD-PARTY-NOTICES.md", source });
        },
      },
    ],
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
      sourcemap: true,
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
        generateBundle(_, bundle) {
          const notices = noticesComment(noticesOf(modulesOf(Object.values(bundle))));
          for (const chunk of Object.values(bundle)) if (chunk.type === "chunk") chunk.code = notices + chunk.code;
          const plots = readFileSync(require.resolve("uplot/dist/uPlot.min.css"), "utf8");
          const own = ["shared/tokens.css", "report/style.css"].map((file) =>
            readFileSync(`packages/viewer/src/${file}`, "utf8"),
          );
          this.emitFile({ type: "asset", fileName: "report-page.css", source: [plots, ...own].join("\n") });
        },
      },
    ],
  },
]);
