/** The codecs run in browsers, and everything runs without the optional dependencies h5wasm and koffi. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { afterAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../", import.meta.url));
/** The folder is outside the repository, so that Node finds no `node_modules`. */
const folder = mkdtempSync(join(tmpdir(), "escapement-platforms-"));
afterAll(() => rmSync(folder, { recursive: true }));

const OPTIONAL = /^(?:h5wasm|koffi)(?:\/|$)/;

describe("the codecs in browsers", () => {
  it("import no Node module and load WebAssembly only on demand", async () => {
    const unknown: string[] = [];
    const build = await rolldown({
      input: `${root}packages/formats/src/index.ts`,
      platform: "browser",
      resolve: { conditionNames: ["source", "import", "browser", "default"] },
      external: [OPTIONAL, "@foxglove/wasm-zstd"],
      onLog: (_level, { message }) => void unknown.push(message),
      plugins: [
        {
          name: "node-modules",
          resolveId(name, from) {
            if (isBuiltin(name)) unknown.push(`${from} imports ${name}`);
            return undefined;
          },
        },
      ],
    });
    const { output } = await build.generate({ format: "esm" });
    await build.close();
    expect(unknown).toEqual([]);
    const chunks = output.filter((file) => file.type === "chunk");
    const imported = (names: (chunk: (typeof chunks)[number]) => readonly string[]) =>
      [...new Set(chunks.flatMap(names))].filter((name) => !chunks.some(({ fileName }) => fileName === name)).sort();
    expect(imported((chunk) => chunk.imports)).toEqual([]);
    expect(imported((chunk) => chunk.dynamicImports)).toEqual(["@foxglove/wasm-zstd", "h5wasm"]);
    const globals = chunks.flatMap(({ code }) => code.match(/^.*\b(?:process|Buffer)[.(].*$/gm) ?? []);
    expect(globals).toEqual([]);
  });
});

describe("without an optional dependency", () => {
  /** Bundles a program into the empty folder and runs it there. */
  async function run(name: string, program: string): Promise<unknown> {
    const build = await rolldown({
      input: name,
      platform: "node",
      resolve: { conditionNames: ["source", "import", "node", "default"] },
      external: [/^node:/, OPTIONAL, "@foxglove/wasm-zstd"],
      logLevel: "silent",
      plugins: [
        {
          name: "program",
          resolveId: (id) => (id === name ? `${root}${name}` : undefined),
          load: (id) => (id === `${root}${name}` ? program : undefined),
        },
      ],
    });
    await build.write({ dir: folder, format: "esm", entryFileNames: `${name}.mjs`, chunkFileNames: "[name].mjs" });
    await build.close();
    return JSON.parse(execFileSync(process.execPath, [join(folder, `${name}.mjs`)], { cwd: folder, encoding: "utf8" }));
  }
  const REPORT = `const errors = [];
    const report = ({ code, what, fix }) => errors.push({ code, what, fix });
    process.on("exit", () => console.log(JSON.stringify(errors)));`;

  it("HDF5 logs are rejected with the install command for h5wasm, in files, in memory and on reading", async () => {
    const program = `
      import { MemoryBytes, openLog, readTable } from "./packages/formats/src/index.ts";
      import { openLogFile } from "./packages/formats/src/node/index.ts";
      import { hdf5End } from "./packages/formats/src/logs/hdf5/end.ts";
      import { crc32 } from "node:zlib";
      ${REPORT}
      await openLogFile("log.h5").catch(report);
      await openLog("hdf5", new MemoryBytes()).catch(report);
      const content = Uint8Array.of(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a);
      await readTable(Uint8Array.from([...content, ...hdf5End(crc32(content))])).catch(report);
      const csv = await openLogFile("log.csv");
      csv.open([{ name: "x", unit: "m", about: "" }]);
      await csv.close();
    `;
    const refusal = {
      code: "LOG-012",
      what: "HDF5 logs need the package h5wasm, which cannot be loaded",
      fix: "run npm install h5wasm, or choose another kind of log",
    };
    expect(await run("without-h5wasm", program)).toEqual([refusal, refusal, refusal]);
    expect(readdirSync(folder).filter((name) => name.startsWith("log."))).toEqual(["log.csv"]);
  });

  it("the PX4 lockstep library is rejected with the install command for koffi", async () => {
    writeFileSync(join(folder, "libpx4_lockstep.so"), "");
    const program = `
      import { loadAbi } from "./packages/px4/src/lockstep/abi.ts";
      ${REPORT}
      try { loadAbi("libpx4_lockstep.so"); } catch (error) { report(error); }
    `;
    expect(await run("without-koffi", program)).toEqual([
      {
        code: "LOCKSTEP-002",
        what: "the PX4 lockstep library is called through the package koffi, which cannot be loaded",
        fix: "run npm install koffi",
      },
    ]);
  });
});
