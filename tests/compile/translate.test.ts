/**
 * Checks the translation of sources to programs: the committed programs match their sources, and code outside the
 * language is an error with file and line.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import type { Program } from "../../packages/core/src/compile/program.ts";
import { EQUATIONS, moduleText } from "../../tools/compile/index.ts";
import { Translator, type Views } from "../../tools/compile/translate.ts";
import { interpret } from "./support/interpreter.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "escapement-translate-"));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

function translate(text: string, opaqueFunctions: readonly string[] = []): Program {
  return new Translator(opaqueFunctions).translate(write("entry.ts", text), "f");
}

/** Runs the program of a source and returns its first array. */
function outcome(text: string, x: readonly number[]): number[] {
  const dx = new Float64Array(x.length);
  interpret(translate(text), { dx, x: Float64Array.from(x) });
  return [...dx];
}

describe("the committed programs", () => {
  it.each(EQUATIONS)("$module matches its source", (equations) => {
    const committed = readFileSync(join(root, equations.module), "utf8");
    // Use absolute paths, so that the test does not depend on the working directory.
    const made = moduleText({ ...equations, source: join(root, equations.source) });
    expect(made === committed, `${equations.source} has changed: run \`npm run compile\` and commit`).toBe(true);
  });

  it("contain no file names, and survive a JSON round trip", () => {
    for (const equations of EQUATIONS) {
      const text = readFileSync(join(root, equations.module), "utf8");
      expect(text).not.toContain("null");
      expect(text).not.toMatch(/\.ts"/);
    }
  });
});

describe("the language", () => {
  it.each<[string, string, number[], number[]]>([
    ["arithmetic and Math", "dx[0] = Math.sqrt(x[0]) - Math.max(x[1], -x[0]) / 2;", [4, 3], [0.5, 0]],
    ["locals, compound assignments", "let a = x[0]; a += 2; a *= x[1]; dx[0] = a; dx[1] += 1;", [4, 3], [18, 1]],
    ["loops", "for (let i = 0; i < 2; i += 1) dx[i] = x[1 - i]!;", [4, 3], [3, 4]],
    ["while and continue", "let i = 0; while (i < 2) { i += 1; if (i === 1) continue; dx[0] = i; }", [0, 0], [2, 0]],
    ["choices", "dx[0] = x[0] > 1 && !(x[1] > 5) ? 1 : x[0] < 0 || x[1] > 5 ? 2 : 3;", [0, 3], [3, 0]],
    ["scopes", "const a = 1; { const a = 2; dx[0] = a; } dx[1] = a;", [0, 0], [2, 1]],
    ["calls", "twiceInto(dx, x[0]); dx[1] = half(x[1]);", [4, 3], [8, 1.5]],
    ["constants of modules", "dx[0] = TWO * x[0]; dx[1] = 1 / NOTHING;", [4, 3], [8, -Infinity]],
    ["marks for the compiler", "dx[0] = (x[0]! as number);", [4, 3], [4, 0]],
  ])("%s", (_name, body, x, expected) => {
    const text = `const ONE = 1;\nconst TWO = (ONE + 1) as const;\nexport const NOTHING = -0;
      function half(a: number): number { return a / TWO; }
      function twiceInto(dx: Float64Array, a: number): void { dx[0] = 2 * a; }
      export function f(dx: Float64Array, x: Float64Array): void { ${body} }`;
    expect(outcome(text, x)).toEqual(expected);
  });

  it("follows functions and constants through imports, including renamed ones", () => {
    write(
      "other.ts",
      "export const K = 3;\nexport function scale(a: number): number { return helper(a) * K; }\nfunction helper(a: number): number { return a + 1; }\n",
    );
    const text = `import { K as FACTOR, scale as grow } from "./other.ts";
      const K = 100;
      function helper(a: number): number { return a - 1; }
      export function f(dx: Float64Array, x: Float64Array): void { dx[0] = grow(x[0]) + helper(FACTOR); dx[1] = K; }`;
    expect(outcome(text, [4, 0])).toEqual([17, 100]);
  });

  it("leaves opaque functions as calls", () => {
    const { functions } = translate(
      "function search(w: Float64Array): void { while (true) w[0] = 1; }\nexport function f(w: Float64Array): void { search(w); }",
      ["search"],
    );
    expect(functions[1]).toEqual({ name: "search", params: ["w"], slots: 1 });
  });
});

describe("code outside the language is rejected, with file and line", () => {
  const inside = (body: string) =>
    `const ONE = 1;\nlet moves = 2;\nexport function f(dx: Float64Array, x: Float64Array): void {\n  ${body}\n}\n`;

  it.each<[string, string]>([
    ["dx[0] = x[0] % 2;", "unknown operator"],
    ["dx[0] = x[0] ** 2;", "unknown operator"],
    ["dx[0] = x[0] ?? 1;", "unknown operator"],
    ["dx[0] = ~x[0];", "unknown operator"],
    ["dx[0] = typeof x;", "unknown operator"],
    ["dx[0] **= 2;", "unknown assignment"],
    ["dx[0]++;", "not an assignment or a call"],
    ["const a = [1, 2];", "not an expression of equations"],
    ["const a = { b: 1 };", "not an expression of equations"],
    ["const a = () => 1;", "not an expression of equations"],
    ["const { length } = x;", "declare one name at a time"],
    ["let a;", "no initial value"],
    ["dx[0] = x.length;", "not an element of an array parameter"],
    ["dx[0] = ONE[0];", "not an element of an array parameter"],
    ["x.fill(0);", "not a call of a plain function"],
    ["dx[0] = Math.sin(x[0]);", "unknown function"],
    ["dx[0] = Math.max(1, 2, 3);", "unknown function"],
    ["unheardOf(x);", '"unheardOf" is not a function of these modules'],
    ["dx[0] = unheardOf;", "unknown name"],
    ["dx[0] = moves;", "unknown name"],
    ['dx[0] = "1";', "not a finite number"],
    ["dx[0] = 1e999;", "not a finite number"],
    ["dx[0] = 1n;", "not a finite number"],
    ["for (;;) dx[0] = 1;", "a loop needs a condition"],
    ["for (const a of x) dx[0] = a;", "not a statement of equations"],
    ["do { dx[0] = 1; } while (x[0] > 1);", "not a statement of equations"],
    ["switch (x[0]) { default: }", "not a statement of equations"],
    ["while (x[0] > 1) break;", "not a statement of equations"],
    ["try { dx[0] = 1; } finally {}", "not a statement of equations"],
    ["throw x;", "not a statement of equations"],
    ["dx[0] = (1, 2);", "not an expression of equations"],
    ["dx[0] = x?.[0];", "not an expression of equations"],
  ])("%s", (body, why) => {
    expect(() => translate(inside(body))).toThrow(`${join(folder, "entry.ts")}:4: ${why}`);
  });

  it.each<[string, string]>([
    ["export function f({ a }: { a: number }): void {}", ":1: not a plain parameter"],
    ["export function f(a = 1): void {}", ":1: not a plain parameter"],
    ["export const f = (): void => {};", ':1: "f" is not a function of these modules'],
    ["\n\nexport function f( {", ":3: "],
    ["const A = Math.PI;\nexport function f(dx: Float64Array): void {\n  dx[0] = A;\n}", ":1: not a constant number"],
    ["const A = 1 / 0;\nexport function f(dx: Float64Array): void {\n  dx[0] = A;\n}", ":3: not a finite number"],
    ['import * as all from "./other.ts";\nexport function f(): void {\n  all();\n}', ':3: "all" is not a function'],
  ])("%j", (text, why) => {
    expect(() => translate(text)).toThrow(`${join(folder, "entry.ts")}${why}`);
  });
});

describe("views", () => {
  const cells = (...indices: number[]) => Float64Array.from(indices);
  const part = (at: number) => ({ gain: at, axis: cells(at + 1, at + 2) });
  /**
   * p: mass, then parts with three numbers each; n: a count, the offsets of two blocks of x, and the bus of each part.
   */
  const views: Views = {
    Constants: {
      arrays: ["p", "n"],
      map: {
        mass: 0,
        parts: [
          { ...part(1), bus: -4 },
          { ...part(4), bus: -5 },
        ],
        count: -1,
      },
    },
    Scratch: { map: { total: cells(0), loads: cells(1, 2) } },
    Blocks: { offsets: { speed: 1, charge: 2 }, of: "n" },
    Outputs: {
      within: "w",
      from: 3,
      sizes: [
        ["load", { element: 0 }],
        ["sum", 1],
      ],
      of: "n",
    },
  };
  const signature = "dx: Blocks, x: Blocks, w: Scratch, vehicle: Constants";

  function run(text: string, entry = "f"): { dx: number[]; w: number[] } {
    const program = new Translator([], views).translate(write("entry.ts", text), entry);
    const [dx, w] = [new Float64Array(4), new Float64Array(6)];
    const p = Float64Array.of(10, 2, 3, 4, 5, 6, 7);
    // x: charges start at index 0, speeds at index 2.
    interpret(program, { dx, x: Float64Array.of(0.5, 0.25, 100, 200), w, p, n: Int32Array.of(2, 2, 0, 1, 0) });
    return { dx: [...dx], w: [...w] };
  }

  it.each<[string, string, Partial<ReturnType<typeof run>>]>([
    ["numbers and arrays", "w.total[0] = vehicle.mass + vehicle.parts[1].axis[1];", { w: [17, 0, 0, 0, 0, 0] }],
    ["blocks at the offsets of the vehicle", "dx.speed[1] = x.charge[0] * x.speed[1];", { dx: [0, 0, 0, 100] }],
    [
      "elements of tables, by a name of their own",
      "for (let i = 0; i < vehicle.count; i += 1) { const part = vehicle.parts[i]; w.loads[part.bus] += part.gain; }",
      { w: [0, 5, 2, 0, 0, 0] },
    ],
    [
      "a name keeps its element when the index moves on",
      "let i = 0; const part = vehicle.parts[i]; i += 1; w.total[0] = part.gain; const axis = vehicle.parts[i].axis; i = 0; w.loads[0] = axis[0];",
      { w: [2, 6, 0, 0, 0, 0] },
    ],
    [
      "parts as arguments, with defaults for those left out",
      "addInto(w.loads, vehicle.parts[1].axis); addInto(w.loads, vehicle.parts[0].axis, 1); w.total[0] = gainOf(vehicle.parts[1]);",
      { w: [5, 9, 11, 0, 0, 0] },
    ],
  ])("%s", (_name, body, expected) => {
    const text = `function addInto(out: Float64Array, a: Float64Array, from = 0): void {
        for (let i = from; i < 2; i += 1) out[i] += a[i];
        if (from === 1) out[0] += a[0];
      }
      function gainOf(part: Part): number { return part.gain; }
      export function f(${signature}): void { ${body} }`;
    expect(run(text)).toMatchObject(expected);
  });

  it("calls a table of functions entry by entry, each with its own array", () => {
    const text = `const table = {
        load(out, w, vehicle) { for (let i = 0; i < vehicle.count; i += 1) out[i] = vehicle.parts[i].gain; },
        sum(out, w) { out[0] = w.total[0] + 1; },
      } satisfies Table;
      const names = Object.keys(table) as readonly (keyof typeof table)[];
      export function f(y: Outputs, w: Scratch, vehicle: Constants): void {
        for (const name of names) table[name](y[name], w, vehicle);
      }`;
    expect(run(text).w).toEqual([0, 0, 0, 2, 5, 1]);
  });

  it.each<[string, string]>([
    ["w.total[0] = vehicle.weight;", "not a field of this view"],
    ["w.total[0] = x.soc[0];", "not a field of this view"],
    ["let part = vehicle.parts[0]; w.total[0] = part.gain;", "a part of a view needs its own `const`"],
    ["w.total = 1;", "not an element of an array parameter"],
    ["helper(x, w);", 'its offset is in array "n", which is not a parameter'],
  ])("rejects %s", (body, why) => {
    const text = `function helper(x: Blocks, w: Scratch): void { w.total[0] = x.speed[0]; }
export function f(${signature}): void { ${body} }`;
    expect(() => run(text)).toThrow(why);
  });
});
