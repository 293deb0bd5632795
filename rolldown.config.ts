/**
 * Two bundles: the command and the library, whose parts are chunks beside them that load when they are needed; and the
 * scripts and styles of the pages that the command writes. All contain the licences of their packages.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { defineConfig, type OutputAsset, type OutputChunk, type Plugin } from "rolldown";
import { readyKernels } from "./tools/compile/ready.ts";
import { noticesComment, noticesMarkdown, noticesOf } from "./tools/notices.ts";

const require = createRequire(import.meta.url);
const resolve = { conditionNames: ["source", "import", "node", "default"] };

/** Modules that contribute to the bundle. */
function modulesOf(outputs: readonly (OutputAsset | OutputChunk)[]): string[] {
  return outputs.flatMap((output) => (output.type === "chunk" ? output.moduleIds : []));
}

/** The script and the style of a page that the command writes. */
function pageBundle(name: string, script: string, styles: readonly string[], libraries: readonly string[] = []) {
  return {
    input: { [name]: `packages/viewer/src/${script}` },
    platform: "browser" as const,
    resolve: { conditionNames: ["source", "import", "browser", "default"] },
    output: { dir: "packages/cli/dist", format: "esm" as const, entryFileNames: "[name].js", minify: true },
    plugins: [
      pageAssets(name, [
        ...libraries,
        ...["shared/tokens.css", ...styles].map((file) => `packages/viewer/src/${file}`),
      ]),
    ],
  };
}

/** Puts the licences into a page's script, and joins its styles. */
function pageAssets(name: string, styles: readonly string[]): Plugin {
  return {
    name: "page-assets",
    generateBundle(_, bundle) {
      const notices = noticesComment(noticesOf(modulesOf(Object.values(bundle))));
      for (const chunk of Object.values(bundle)) if (chunk.type === "chunk") chunk.code = notices + chunk.code;
      const source = styles.map((file) => readFileSync(file, "utf8")).join("\n");
      this.emitFile({ type: "asset", fileName: `${name}.css`, source });
    },
  };
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
      "flight-thread": "packages/cli/src/campaign/flight-thread.ts",
    },
    platform: "node",
    resolve,
    external: [/^node:/, "koffi", "bullmq", "ioredis", /^h5wasm/, "@foxglove/wasm-zstd"],
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
  pageBundle("report-page", "report/page.ts", ["report/style.css"], [require.resolve("uplot/dist/uPlot.min.css")]),
  pageBundle("campaign-page", "campaign/page.ts", ["report/style.css", "campaign/style.css"]),
]);
