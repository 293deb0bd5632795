/**
 * Checks the bench suite without timing anything: row names are unique, every variant runs, the committed kernel and
 * the emitted C++ compute the same bits as our plant, and the page matches the committed results.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { measure, type Effort } from "../bench/measure.ts";
import { compileAll, compilerText } from "../bench/compile-native.ts";
import { benchmarksPage, PAGE } from "../bench/page.ts";
import { peers } from "../bench/peers/index.ts";
import { changes } from "../bench/results.ts";
import { boundary } from "../bench/rows/boundary.ts";
import { engine } from "../bench/rows/engine.ts";
import { groups } from "../bench/rows/index.ts";
import { math } from "../bench/rows/math.ts";
import type { Group, Reading, Row } from "../bench/rows/row.ts";
import { steps } from "../bench/rows/steps.ts";
import { chosenGroups, worstOf } from "../bench/suite.ts";
import { missedLimits, screenTable, verdict } from "../bench/table.ts";
import { LIBRARIES_VARIABLE } from "../bench/yardsticks.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const ONCE: Effort = { rounds: 1, warmUps: 1, sliceMs: 0.1, isQuick: true };

async function readingsOf({ measure: run }: Group): Promise<readonly Reading[]> {
  return run(ONCE);
}

describe("the suite", () => {
  it("has unique row and group names", () => {
    const names = groups.flatMap(({ rows }) => rows.map(({ name }) => name));
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(groups.map(({ name }) => name)).size).toBe(groups.length);
    expect(new Set(peers.map(({ name }) => name)).size).toBe(peers.length);
    expect(() => chosenGroups(["engines"])).toThrow(/there is no group "engines"; there are steps/);
  });

  it("sets the expected limits", () => {
    const limits = groups.flatMap(({ rows }) =>
      rows.flatMap(({ name, limit }) => (limit?.of === "cppO2" ? [[name, limit.max]] : [])),
    );
    expect(Object.fromEntries(limits)).toEqual({
      "RK4 step of 1 ms, iris-reference, compiled": 1,
      "RK4 step of 1 ms, iris-reference, compiled at build time, code generation forbidden": 1.5,
      "RK4 step of 1 ms, iris-reference, as written": 1.5,
      "RK45 interval of 4 ms, iris-reference, compiled": 1.15,
      "RK45 interval of 4 ms, iris-reference, compiled at build time, code generation forbidden": 1.8,
      "RK45 interval of 4 ms, iris-reference, as written": 1.8,
      "engine, compiled": 1,
      "engine, compiled at build time, code generation forbidden": 1.8,
      "engine, as written": 1.8,
    });
  });

  it.each([steps, engine, boundary, math])(
    "runs every row of $name once, with the same bits as the kernel",
    async (group) => {
      const readings = await readingsOf(group);
      expect(readings.map(({ row }) => row)).toEqual(group.rows.map(({ name }) => name));
      for (const { row, value, differs } of readings) {
        expect(value, row).toBeGreaterThan(0);
        expect(differs, row).toBeUndefined();
      }
    },
  );

  it("emits C++ that computes the same bits", async ({ skip }) => {
    skip(compilerText() === undefined, "no C++ compiler");
    const folder = mkdtempSync(join(tmpdir(), "escapement-bench-"));
    onTestFinished(() => {
      delete process.env[LIBRARIES_VARIABLE];
      rmSync(folder, { recursive: true });
    });
    process.env[LIBRARIES_VARIABLE] = JSON.stringify(compileAll(join(root, "bench/native"), folder));
    for (const group of [steps, engine]) {
      for (const { row, ratios, differs } of await readingsOf(group)) {
        expect(Object.keys(ratios), row).toEqual(["kernel", "cppO2", "cppO3", "emitted"]);
        expect(differs, row).toBeUndefined();
      }
    }
  });

  it("keeps the committed kernel small", () => {
    const listed = execFileSync("git", ["ls-files", "bench/native"], { cwd: root, encoding: "utf8" });
    expect(listed).toContain("bench/native/plant.wasm");
    expect(readFileSync(join(root, "bench/native/plant.wasm")).length).toBeLessThan(32_000);
  });
});

describe("measuring", () => {
  it("measures a smaller time per unit for the variant that does less work", () => {
    let spun = 0;
    const spin = (turns: number) => (units: number) => {
      for (let k = 0; k < turns * units; k += 1) spun = Math.imul(spun + k, 31);
      return units;
    };
    const [little, much] = measure(
      [
        { name: "little", guessNs: 100, run: spin(10) },
        { name: "much", guessNs: 100, run: spin(10_000) },
      ],
      { ...ONCE, rounds: 10, sliceMs: 1 },
    );
    expect(little).toBeLessThan(much!);
  });

  it("prepares a variant before every slice, outside the measured time", () => {
    const order: string[] = [];
    const variant = {
      name: "a",
      guessNs: 1e6,
      prepare: () => void order.push("prepare"),
      run: () => order.push("run") && 1,
    };
    measure([variant], { ...ONCE, rounds: 2 });
    expect(order).toEqual(["prepare", "run", "prepare", "run", "prepare", "run"]);
  });
});

describe("the table", () => {
  const row: Row = { name: "a", about: "b", unit: "ns", limit: { of: "cppO2", max: 1, ideal: 0.8 } };
  const reading = (value: number, cppO2: number): Reading => ({
    row: "a",
    value,
    ratios: { cppO2 },
    realTime: 1e6 / value,
  });

  it("shows the worst value of each number over all processes", () => {
    const worst = worstOf([[reading(100, 0.9)], [reading(90, 1.1)], [{ ...reading(80, 0.7), differs: true }]]);
    expect(worst).toEqual([{ row: "a", value: 100, ratios: { cppO2: 1.1 }, realTime: 1e4, differs: true }]);
  });

  it.each([
    [reading(1, 0.7), "yes, ideal", []],
    [reading(1, 0.95), "yes", []],
    [reading(1, 1.01), "no", ["a: 1.01 (≤ 1 × C++ -O2 (ideal 0.8))"]],
    [{ row: "a", value: 1, ratios: {} }, "no compiler", ["a: no compiler"]],
    [{ ...reading(1, 0.7), differs: true as const }, "differs", ["a: differs"]],
  ])('gives %o the verdict "%s"', (found, expected, missed) => {
    expect(verdict(row, found)).toBe(expected);
    expect(missedLimits([row], [found])).toEqual(missed);
    expect(screenTable([row], [found]).split("\n")[1]!.endsWith(expected)).toBe(true);
  });

  it("lists the rows whose ratio changed since the last results", () => {
    expect(changes([reading(100, 1)], [reading(500, 1.02)])).toEqual([]);
    expect(changes([reading(100, 1)], [reading(100, 1.2)])).toEqual(["a: 1.00 → 1.20 (C++ -O2), slower by 20 %"]);
    expect(changes([], [reading(1, 1)])).toEqual(["a: new"]);
  });

  it("matches the page in the docs", () => {
    expect(readFileSync(join(root, PAGE), "utf8")).toBe(benchmarksPage(root));
  });
});
