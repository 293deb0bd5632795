/**
 * Compares the limit on code length with V8 itself: the size of the bytecode of our text, and whether it is optimised.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { coreRegistry, mustResolve, type PlainObject, resolveFlight } from "@escapement/core";
import { buildPlant } from "../../packages/core/src/describe/build/build-parts.ts";
import { rk4Tableau } from "../../packages/core/src/integrate/methods/rk4.ts";
import { rk45Tableau } from "../../packages/core/src/integrate/methods/rk45.ts";
import { makerText, printKernel, printMethod } from "../../packages/core/src/compile/index.ts";
import {
  estimatedBytes,
  type FunctionText,
  MAX_BYTES,
  requireOptimisable,
} from "../../packages/core/src/compile/function-text.ts";
import { buildCommand } from "../support/command.ts";
import { plantOf, programOf } from "./support/equations.ts";
import { oddVehicles } from "./support/vehicles.ts";

/** V8's limit in the Node version that runs these tests (`--max-optimized-bytecode-size`). */
const LIMIT = 61_440;
const folder = mkdtempSync(join(tmpdir(), "escapement-size-"));
afterAll(() => rmSync(folder, { recursive: true }));

function textsOf(vehicle: PlainObject | string): FunctionText[] {
  const spec: PlainObject = { extends: "hover", vehicle };
  const plant = buildPlant(mustResolve(resolveFlight({ file: "test", spec }, coreRegistry)).definition, coreRegistry);
  const { functions, ...facts } = printKernel(plant.layout.size, plant.equations!);
  const methods = [rk4Tableau, rk45Tableau].map((tableau) => printMethod(facts, tableau, plant.layout));
  return [functions.slopes, functions.evaluate, methods[0]!.step, methods[1]!.step];
}

/** Returns the bytecode size of each text in bytes, as V8 reports it. */
function bytesOf(texts: readonly FunctionText[]): number[] {
  const named = texts.map((text, i) => {
    const maker = makerText({ ...text, head: text.head.replace(/^\w+/, `code${i}`) });
    return `made.push((${maker})({}));`;
  });
  const file = join(folder, "bytes.js");
  writeFileSync(file, `const made = [];\n${named.join("\n")}\nfor (const each of made) try { each(); } catch {}\n`);
  const { stdout } = spawnSync(process.execPath, ["--print-bytecode", "--print-bytecode-filter=code*", file], {
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  return texts.map((_, i) =>
    Number(new RegExp(`for function: code${i} [\\s\\S]*?Bytecode length: (\\d+)`).exec(stdout)?.[1]),
  );
}

describe("the bytecode estimate", () => {
  it.each<[string, PlainObject | string]>([
    ["octa", "octa"],
    ["second-order actuators", oddVehicles["second-order actuators"]!],
  ])("is at least 98 % of V8's count for %s, and close to it for long code", (_name, vehicle) => {
    const texts = textsOf(vehicle);
    bytesOf(texts).forEach((bytes, i) => {
      expect(bytes).toBeGreaterThan(1000);
      const estimate = estimatedBytes(texts[i]!.body);
      expect(estimate / bytes).toBeGreaterThan(0.98);
      if (bytes > 20_000) expect(estimate / bytes).toBeLessThan(1.25);
    });
  });

  it("leaves a margin below V8's limit, and fits the largest built-in vehicle", () => {
    expect(MAX_BYTES / 0.98).toBeLessThan(LIMIT);
    for (const { body } of textsOf("octa")) requireOptimisable(body);
  });

  it("rejects a right-hand side and a step that are too long", () => {
    const many = (size: number, terms: number) => {
      const x = (i: number) => ["at", 1, i % size] as const;
      const sum = (i: number) =>
        Array.from({ length: terms }, (_, k) => k).reduce<never>(
          (all, k) => ["+", ["*", x(i + k), x(i + 2 * k)], all] as never,
          x(i) as never,
        );
      const body = Array.from({ length: size }, (_, i) => ["put", 0, i, sum(i)] as const);
      return plantOf({
        program: programOf(body as never),
        size,
        examples: [Array.from({ length: size + 2 }, () => 1)],
      });
    };
    expect(() => printKernel(60, many(60, 60).equations)).toThrow("the code would be too long");
    const wide = many(80, 1);
    const facts = printKernel(80, wide.equations);
    expect(printMethod(facts, rk4Tableau, wide.layout).step).toBeDefined();
    expect(() => printMethod(facts, rk45Tableau, wide.layout)).toThrow("the code would be too long");
  });
});

describe("V8", () => {
  it("optimises the longest code of the built-in vehicles", async () => {
    // The bundled command, because it has the same code as the sources and starts sooner.
    const { main } = await buildCommand();
    const fly = ["fly", "mission", "--set", "vehicle=octa", "--until", "12", "--json"];
    const { stdout, stderr } = spawnSync(process.execPath, ["--trace-opt", main, ...fly], {
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    expect(stderr).toBe("");
    expect(stdout).toContain('"code": "compiled at build time"');
    expect(stdout).toMatch(/completed optimizing 0x\w+ <JSFunction evaluate\b/);
    expect(stdout).toMatch(/completed optimizing 0x\w+ <JSFunction step\b/);
  });
});
