/**
 * The bundles: the command and the library, with chunks that load when they are needed; the scripts and styles of the
 * pages that the command writes; and the viewer with its worker, in chunks for the server and in one piece for one-file
 * pages. All contain the licences of their packages.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { defineConfig, type OutputAsset, type OutputChunk, type Plugin } from "rolldown";
import { VERSION } from "./packages/cli/src/version.ts";
import { servedHtml } from "./packages/viewer/src/view/served-html.ts";
import { readyKernels, pageKernels } from "./tools/compile/ready.ts";
import { leanShader } from "./tools/lean-shaders.ts";
import { noticesComment, noticesMarkdown, noticesOf } from "./tools/notices.ts";

const require = createRequire(import.meta.url);
const resolve = { conditionNames: ["source", "import", "node", "default"] };
const PLOT_STYLE = require.resolve("uplot/dist/uPlot.min.css");
const browser = {
  conditionNames: ["source", "import", "browser", "default"],
  // Libraries in WebAssembly need a weaker content security policy than the viewer has.
  alias: {
    "@foxglove/wasm-zstd": pathOf("packages/viewer/src/view/worker/libraries/zstd.ts"),
    h5wasm: pathOf("packages/viewer/src/view/worker/libraries/hdf5.ts"),
    // Use the sources of the library, because unused parts of its own bundle cannot be removed.
    three: require.resolve("three/src/Three.js"),
  },
};

/** Modules of the 3-D library that the scene never uses, such as those for headsets, and their replacements. */
const REPLACED: readonly (readonly [module: RegExp, replacement: string])[] = [
  [
    /three[\\/]src[\\/]renderers[\\/]webxr[\\/]WebXRManager\.js$/,
    `export class WebXRManager {
      enabled = false;
      isPresenting = false;
      addEventListener() {}
      removeEventListener() {}
      setAnimationLoop() {}
      getEnvironmentBlendMode() {}
      dispose() {}
    }`,
  ],
  [/three[\\/]src[\\/]extras[\\/]PMREMGenerator\.js$/, "export class PMREMGenerator {}"],
  // Nothing in the scene is picked with a ray.
  [/three[\\/]src[\\/]math[\\/]Ray\.js$/, "export class Ray {}"],
  [/three[\\/]src[\\/]math[\\/]Triangle\.js$/, "export class Triangle {}"],
  // Features that no material of the scene switches on, and shaders of other materials.
  [
    /ShaderChunk[\\/](?:transmission|iridescence|envmap|lightprobes|lights_(?:phong|lambert|toon)|gradientmap|batching|skin|morph|bumpmap|normalmap|displacementmap|alphahash|clearcoat|map_particle|tonemapping_pars)\w*\.glsl\.js$/,
    'export default "";',
  ],
  [
    /ShaderLib[\\/](?:backgroundCube|cube|distance|equirect|mesh(?:lambert|matcap|normal|phong|toon)|points|sprite|vsm)\.glsl\.js$/,
    'export const vertex = "", fragment = "";',
  ],
];

/** Also shortens the shaders, which the minifier leaves unchanged because they are strings. */
const leanScene: Plugin = {
  name: "lean-scene",
  transform: (code, id) => (/three[\\/]src[\\/].*\.glsl\.js$/.test(id) ? leanShader(code) : undefined),
  load: (id) => REPLACED.find(([module]) => module.test(id))?.[1],
};

/** Removes the descriptions of signals from the page. Those that the page shows arrive with the columns. */
const leanSignals: Plugin = {
  name: "lean-signals",
  transform(code, id) {
    if (!/core[\\/]src[\\/]signals[\\/]table\.ts$/.test(id)) return undefined;
    return code.replaceAll(/about: "[^"]*"/g, 'about: ""');
  },
};

/**
 * Puts the code that the worker needs to fly into one file beside its entry. Readers and writers of files are separate
 * chunks.
 */
const ENGINE_CORE = {
  name: "engine-core",
  test: /packages[\\/](?:core[\\/]src|formats[\\/]src[\\/](?:text|flights)|viewer[\\/]src[\\/]view[\\/]worker[\\/]texts)|smol-toml/,
};

/**
 * The chunks that `escapement fly` loads: few and large, because every file that is opened takes time. A chunk also
 * gets the modules that its modules import, except modules of a chunk that is listed above it. The readers and writers
 * of rare files are loaded by `import()`, so they stay in separate chunks.
 */
const COMMAND_CHUNKS = [
  { name: "core", test: /packages[\\/]core[\\/]src[\\/](?!kernels[\\/])/ },
  {
    name: "files",
    test: /packages[\\/]formats[\\/]src[\\/](?:text|missions|params|flights|bytes|mcap|recording|checkpoint)|smol-toml/,
  },
  {
    name: "start",
    test: /packages[\\/]cli[\\/]src[\\/](?:exit-codes|version|print[\\/](?:style|home)|commands[\\/](?:index|options))\.ts$/,
  },
].map((group, i, { length }) => ({ ...group, priority: length - i }));

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** Modules that contribute to the bundle. */
function modulesOf(outputs: readonly (OutputAsset | OutputChunk)[]): string[] {
  return outputs.flatMap((output) => (output.type === "chunk" ? output.moduleIds : []));
}

/** The script and the style of a page that the command writes. */
function pageBundle(name: string, script: string, styles: readonly string[], libraries: readonly string[] = []) {
  return {
    input: { [name]: `packages/viewer/src/${script}` },
    platform: "browser" as const,
    resolve: browser,
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

/** A script of the viewer: in chunks, or in one piece. */
function viewBundle(
  name: string,
  script: string,
  { format = "esm", isWhole = true, core, plugins = [] }: ViewBundleOptions = {},
) {
  return {
    input: { [name]: `packages/viewer/src/view/${script}` },
    platform: "browser" as const,
    resolve: browser,
    treeshake: { moduleSideEffects: [{ test: /node_modules[\\/](?:@mcap|heap-js)/, sideEffects: false }] },
    output: {
      dir: "packages/cli/dist",
      format,
      entryFileNames: "view/[name].js",
      chunkFileNames: "view/[name].js",
      ...(isWhole ? { codeSplitting: false } : core === undefined ? {} : { codeSplitting: { groups: [core] } }),
      minify: true,
    },
    plugins: [...plugins, isWhole ? entryNotices : noticesBeside(name)],
  };
}

interface ViewBundleOptions {
  readonly format?: "esm" | "iife";
  readonly isWhole?: boolean;
  /** Modules that chunks share, as one chunk. */
  readonly core?: { readonly name: string; readonly test: RegExp };
  readonly plugins?: readonly Plugin[];
}

/** Puts the licences of all chunks into the first. */
const entryNotices: Plugin = {
  name: "entry-notices",
  generateBundle(_, bundle) {
    const notices = noticesComment(noticesOf(modulesOf(Object.values(bundle))));
    for (const chunk of Object.values(bundle)) {
      if (chunk.type === "chunk" && chunk.isEntry) chunk.code = notices + chunk.code;
    }
  },
};

/** Puts the licences of all chunks into a file beside them, which the page does not load. */
function noticesBeside(name: string): Plugin {
  const fileName = `view/${name}-notices.txt`;
  return {
    name: "notices-beside",
    generateBundle(_, bundle) {
      const source = noticesComment(noticesOf(modulesOf(Object.values(bundle))));
      this.emitFile({ type: "asset", fileName, source });
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === "chunk" && chunk.isEntry) chunk.code = `/*! Licences: ${name}-notices.txt */\n${chunk.code}`;
      }
    },
  };
}

/** Returns a style without comments and indentation, except for comments that hold a licence. */
function compactStyle(style: string): string {
  return style
    .replaceAll(/\/\*[^!][\s\S]*?\*\//g, "")
    .replaceAll(/\s*([{};,])\s*/g, "$1")
    .replaceAll(/:\s+/g, ":")
    .replaceAll(/\n\s*/g, "\n");
}

/** Rules of the plots' style for titles and legends. The viewer has its own. */
const UNUSED_PLOT_RULES = /(?<=\})[^{}]*\.u-(?:title|legend|inline|series)\b[^{}]*\{[^}]*\}/g;

/** The HTML and the style of the viewer. */
const viewFiles: Plugin = {
  name: "view-files",
  generateBundle() {
    const own = ["shared/tokens.css", "view/page.css"].map((file) => `packages/viewer/src/${file}`);
    const [plots, ...others] = [PLOT_STYLE, ...own].map((file) => compactStyle(readFileSync(file, "utf8")));
    const style = [plots!.replaceAll(UNUSED_PLOT_RULES, ""), ...others].join("\n");
    this.emitFile({ type: "asset", fileName: "view/view.css", source: style });
    this.emitFile({ type: "asset", fileName: "view/index.html", source: servedHtml(VERSION) });
  },
};

const COMMAND = {
  platform: "node" as const,
  resolve,
  external: [/^node:/, "koffi", "aws4fetch", "bullmq", "ioredis", "vitest", /^h5wasm/, "@foxglove/wasm-zstd"],
};
const COMMAND_OUTPUT = {
  dir: "packages/cli/dist",
  codeSplitting: { groups: COMMAND_CHUNKS },
  comments: false,
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
} as const;

/** Makes the scripts that `cli/src/kept-code.ts` runs: functions in strict mode, as ASCII. */
const scripts: Plugin = {
  name: "scripts",
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== "chunk") continue;
      const body = chunk.code
        .replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
        // A script that is made from kept compiled code cannot use `import()`.
        .replaceAll(/\bimport\(/g, "importModule(");
      chunk.code = `(function(exports,require,importModule,__filename){"use strict";${body}\n})`;
    }
  },
};

export default defineConfig([
  {
    ...COMMAND,
    input: {
      escapement: "packages/cli/src/main.ts",
      index: "packages/cli/src/index.ts",
      core: "packages/cli/src/public/core.ts",
      engine: "packages/cli/src/public/engine.ts",
      models: "packages/cli/src/public/models.ts",
      math: "packages/cli/src/public/math.ts",
      formats: "packages/cli/src/public/formats.ts",
      px4: "packages/cli/src/public/px4.ts",
      campaign: "packages/cli/src/public/campaign.ts",
      matchers: "packages/cli/src/public/matchers.ts",
      vitest: "packages/cli/src/public/vitest.ts",
      worker: "packages/px4/src/lockstep/worker.ts",
      "flight-thread": "packages/cli/src/campaign/flight-thread.ts",
    },
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
      ...COMMAND_OUTPUT,
      format: "esm",
      entryFileNames: "[name].js",
      chunkFileNames: "chunk-[name].js",
      sourcemap: true,
      banner: (chunk) => (chunk.name === "escapement" ? "#!/usr/bin/env node" : ""),
    },
  },
  {
    ...COMMAND,
    input: { fly: "packages/cli/src/fly-script.ts" },
    plugins: [readyKernels, scripts],
    output: {
      ...COMMAND_OUTPUT,
      format: "cjs",
      entryFileNames: "script-[name].js",
      chunkFileNames: "script-chunk-[name].js",
    },
  },
  pageBundle("report-page", "report/page.ts", ["report/style.css"], [PLOT_STYLE]),
  pageBundle("campaign-page", "campaign/page.ts", ["report/style.css", "campaign/style.css"]),
  viewBundle("page", "main.ts", { isWhole: false, plugins: [viewFiles, leanScene, leanSignals] }),
  viewBundle("whole-page", "main.ts", { plugins: [leanScene, leanSignals] }),
  viewBundle("engine", "worker/entry.ts", { isWhole: false, core: ENGINE_CORE, plugins: [pageKernels] }),
  viewBundle("whole-engine", "worker/entry.ts", { format: "iife", plugins: [pageKernels] }),
]);
