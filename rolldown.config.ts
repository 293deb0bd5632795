/** Bundles the command into one file, so that it starts within a blink; heavy formats stay separate and load lazily. */
import { defineConfig } from "rolldown";

export default defineConfig({
  input: { escapement: "packages/cli/src/main.ts", index: "packages/cli/src/index.ts" },
  platform: "node",
  resolve: { conditionNames: ["source", "import", "node", "default"] },
  external: [/^node:/, "koffi", "h5wasm", /^h5wasm\//],
  output: {
    dir: "packages/cli/dist",
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    banner: (chunk) => (chunk.name === "escapement" ? "#!/usr/bin/env node" : ""),
  },
});
