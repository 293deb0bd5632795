/**
 * Checks each tidy rule on a snippet that breaks it and on a snippet that does not, then all rules on the repository.
 */
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { checkFiles, describeFinding, type Files, tidy } from "../tools/tidy/index.ts";

const HEADER = "/** A file. */\n";

/** Returns the rules that a file breaks, without the rules that need other files. */
function rulesOf(path: string, text: string, header = HEADER): string[] {
  const files = { [path]: path.endsWith(".md") ? text : header + text };
  return [...checkFiles(files)].map(({ rule }) => rule).filter((rule) => rule !== "exports");
}

const core = (text: string) => rulesOf("packages/core/src/multirotor/body/thing.ts", text);

describe("layers", () => {
  it.each([
    ["packages/core/src/multirotor/a.ts", "../sources/wind/index.ts"],
    ["packages/core/src/record/a.ts", "../multirotor/index.ts"],
    ["packages/core/src/sources/wind/a.ts", "../../record/index.ts"],
    ["packages/core/src/engine/a.ts", "../multirotor/plant.ts"],
    ["packages/core/src/integrate/a.ts", "../engine/contracts.ts"],
    ["packages/core/src/state/a.ts", "../integrate/index.ts"],
    ["packages/core/src/time/a.ts", "../params/index.ts"],
    ["packages/core/src/math/a.ts", "../time/index.ts"],
    ["packages/core/src/random/a.ts", "../params/index.ts"],
    ["packages/core/src/errors/a.ts", "../time/index.ts"],
    ["packages/core/src/describe/a.ts", "../run/index.ts"],
    ["packages/core/src/multirotor/a.ts", "../describe/index.ts"],
    ["packages/core/src/multirotor/a.ts", "../index.ts"],
    ["packages/core/src/unheard-of/a.ts", "../errors/index.ts"],
    ["packages/core/src/multirotor/a.ts", "../../../formats/src/index.ts"],
    ["packages/core/src/multirotor/a.ts", "@escapement/formats"],
    ["packages/core/src/multirotor/a.ts", "node:fs"],
    ["packages/core/src/multirotor/a.ts", "lodash"],
    ["packages/core/src/multirotor/a.ts", "./b"],
    ["packages/formats/src/a.ts", "@escapement/px4"],
    ["packages/px4/src/a.ts", "@escapement/campaign"],
    ["packages/viewer/src/a.ts", "@escapement/px4"],
    ["packages/viewer/src/a.ts", "node:fs"],
    ["packages/campaign/src/a.ts", "@escapement/cli"],
    ["packages/formats/src/a.ts", "../../core/src/engine/bus.ts"],
    ["packages/viewer/src/shared/a.ts", "../view/page.ts"],
    ["packages/viewer/src/shared/a.ts", "../report/page.ts"],
    ["packages/viewer/src/view/worker/a.ts", "../store/store.ts"],
    ["packages/viewer/src/view/worker/a.ts", "../../shared/elements.ts"],
    ["packages/viewer/src/view/hud/a.ts", "three"],
    ["packages/viewer/src/view/plots/a.ts", "three/examples/jsm/lines/Line2.js"],
    ["packages/viewer/src/view/page.ts", "@codemirror/view"],
  ])("[L9.5] %s must not import %s", (path, specifier) => {
    expect(rulesOf(path, `import { x } from "${specifier}";\nx();\n`)).toEqual(["layers"]);
  });

  it.each([
    ["packages/core/src/multirotor/a.ts", "../engine/index.ts"],
    ["packages/core/src/multirotor/a.ts", "./rotors/b.ts"],
    ["packages/core/src/params/a.ts", "../time/seconds.ts"],
    ["packages/core/src/random/a.ts", "../snapshot/index.ts"],
    ["packages/core/src/run/a.ts", "../describe/index.ts"],
    ["packages/core/src/verify/a.ts", "../engine/index.ts"],
    ["packages/core/src/index.ts", "./run/index.ts"],
    ["packages/core/src/multirotor/a.test.ts", "../sources/wind/index.ts"],
    ["packages/formats/src/a.ts", "@escapement/core"],
    ["packages/formats/src/a.ts", "smol-toml"],
    ["packages/cli/src/a.ts", "@escapement/px4"],
    ["packages/px4/src/a.ts", "node:net"],
    ["packages/viewer/src/view/worker/a.ts", "../data/series.ts"],
    ["packages/viewer/src/view/worker/a.ts", "../protocol.ts"],
    ["packages/viewer/src/view/worker/libraries/a.ts", "../read.ts"],
    ["packages/viewer/src/view/worker/libraries/a.ts", "../../protocol.ts"],
    ["packages/viewer/src/view/scene/a.ts", "three"],
    ["packages/viewer/src/view/editor/a.ts", "@codemirror/view"],
    ["packages/viewer/src/report/a.ts", "../shared/elements.ts"],
    ["tests/a.ts", "../packages/core/src/engine/bus.ts"],
  ])("%s may import %s", (path, specifier) => {
    expect(rulesOf(path, `import { x } from "${specifier}";\nx();\n`)).toEqual([]);
  });

  it.each(["document.title;", "window.close();", "location.href;", "requestAnimationFrame(a);"])(
    "the worker of a page must not use %s",
    (text) => {
      expect(rulesOf("packages/viewer/src/view/worker/a.ts", text)).toEqual(["layers"]);
      expect(rulesOf("packages/viewer/src/view/hud/a.ts", text)).toEqual([]);
    },
  );

  it.each([
    ["re-exports", 'export * from "../sources/a.ts";'],
    ["named re-exports", 'export { x } from "../sources/a.ts";'],
    ["types", 'import type { X } from "../sources/a.ts";\nexport type Y = X;'],
    ["types in place", 'export type Y = import("../sources/a.ts").X;'],
    ["imports at run time", 'export const y = import("../sources/a.ts");'],
    ["side effects", 'import "../sources/a.ts";'],
  ])("[L9.5] the rule covers %s", (_what, text) => {
    expect(rulesOf("packages/core/src/multirotor/a.ts", text)).toEqual(["layers"]);
  });
});

describe("purity", () => {
  it.each([
    ...[
      "sin",
      "cos",
      "tan",
      "asin",
      "acos",
      "atan",
      "atan2",
      "exp",
      "log",
      "log2",
      "pow",
      "hypot",
      "cbrt",
      "sinh",
      "expm1",
      "random",
    ].map((name) => `export const y = Math.${name}(1);`),
    "export const y = 2 ** 3;",
    "let y = 2;\ny **= 3;\nexport { y };",
    "const M = Math;\nexport const y = M.sin(1);",
    "const { sin } = Math;\nexport const y = sin(1);",
    "export const y = [Math];",
    'export const y = Math["sin"](1);',
    "export const y = Object.keys(Math);",
    "export const y = globalThis.Math.sin(1);",
    "export const y = Date.now();",
    "export const y = new Date();",
    "export const y = performance.now();",
    "export const y = process.argv;",
    "export const y = Buffer.alloc(1);",
    "export const y = window.innerWidth;",
    "export const y = () => document.title;",
    "setTimeout(() => {}, 1);",
    "console.log(1);",
    "export const y = crypto.randomUUID();",
    'export const y = new Function("return 1");',
    'export const y = eval("1");',
    "export const y = [new Intl.NumberFormat()];",
    'export const y = "a".localeCompare("b");',
    "export const y = (1).toLocaleString();",
    "for (const key in { a: 1 }) void key;",
    "export const y = { Date };",
  ])("[L9.5] [D25] the core must not contain: %s", (text) => {
    expect(new Set(core(text))).toEqual(new Set(["purity"]));
  });

  it.each([
    "export const y = Math.sqrt(2) + Math.imul(3, 4) + Math.PI;",
    "export const y = { Date: 1 }.Date;",
    "export function f(process: number): number {\n  return process;\n}",
    "export interface Y {\n  readonly process: number;\n}",
    "for (const value of new Set([1]).values()) void value;",
    "export const y = Object.keys({ a: 1 });",
    "// tidy-allow purity: straight-line code for one vehicle, checked against the reference\nexport const y = new Function();",
  ])("the core may contain: %s", (text) => {
    expect(core(text)).toEqual([]);
  });

  it("[L9.5] the rule covers the parts of a campaign that determine results", () => {
    for (const folder of ["plans", "statistics", "search", "criteria", "shrink"])
      expect(rulesOf(`packages/campaign/src/${folder}/a.ts`, "export const y = Math.log(2);")).toEqual(["purity"]);
    expect(rulesOf("packages/campaign/src/fleet/a.ts", "export const y = Date.now();")).toEqual([]);
  });

  it("the rule applies only to sources that determine results", () => {
    const text = "export const y = Math.sin(Date.now());";
    expect(rulesOf("packages/core/src/multirotor/a.test.ts", text)).toEqual([]);
    expect(rulesOf("packages/cli/src/a.ts", text)).toEqual([]);
  });

  it("tidy-allow needs a reason", () => {
    expect(core("// tidy-allow purity: why\nexport const y = Math.sin(1);")).toEqual(["purity"]);
    expect(core("// tidy-allow layers: this is about something else\nexport const y = Math.sin(1);")).toEqual([
      "purity",
    ]);
  });
});

describe("shape", () => {
  const long = (lines: number) => Array.from({ length: lines }, (_, i) => `export const a${i} = ${i};`).join("\n");
  const longFunction = `export function f(): void {\n${"  void 0;\n".repeat(60)}}\n`;

  it("a source file has a header comment of either form; a list of re-exports needs none", () => {
    const rules = (text: string) => rulesOf("packages/cli/src/a.ts", text, "");
    expect(rules("export const a = 1;\n")).toEqual(["header"]);
    expect(rules("// What it is.\n// Which rule.\nexport const a = 1;\n")).toEqual([]);
    expect(rules('export * from "./b.ts";\nexport { c } from "./c.ts";\n')).toEqual([]);
  });

  it("a file has at most 400 lines, a function 60, unless the header says why", () => {
    const rules = (header: string, text: string) => rulesOf("packages/cli/src/a.ts", text, header);
    expect(rules(HEADER, long(400))).toEqual(["length"]);
    expect(rules(HEADER, long(399))).toEqual([]);
    expect(rules(HEADER, longFunction)).toEqual(["length"]);
    expect(rules("/** Long because it is one table. */\n", long(500) + longFunction)).toEqual([]);
    expect(rulesOf("packages/cli/src/a.test.ts", long(500))).toEqual([]);
  });

  it("no text file contains a marker for unfinished work", () => {
    const mark = ["TO", "DO"].join("");
    expect(rulesOf("packages/cli/src/a.ts", `// ${mark}: later\n`)).toEqual(["unfinished"]);
    expect(rulesOf("docs/a.md", `# A\n\n${mark}\n`)).toEqual(["unfinished"]);
  });

  it("a document has one title, on its first line; headings inside code do not count", () => {
    expect(rulesOf("docs/a.md", "# A\n\n## B\n\n```sh\n# a comment\n```\n")).toEqual([]);
    expect(rulesOf("docs/a.md", "# A\n\n# B\n")).toEqual(["title"]);
    expect(rulesOf("docs/a.md", "text\n")).toEqual(["title"]);
    expect(rulesOf("docs/a.md", "\n# A\n")).toEqual(["title"]);
  });
});

describe("tests", () => {
  const test = (text: string) => rulesOf("tests/a.test.ts", text);

  it.each(["it", "test", "describe"])("no test uses %s.only", (name) => {
    expect(test(`${name}.only("x", () => {});`)).toEqual(["only"]);
  });

  it.each([
    'it("x", () => {\n  if (a) return;\n  expect(a).toBe(1);\n});',
    'it("x", async () => {\n  for (const b of a) {\n    if (b) return;\n  }\n  expect(a).toBe(1);\n});',
    'test("x", () => {\n  if (a) return undefined;\n  expect(a).toBe(1);\n});',
    'it.each([1])("x", () => {\n  if (a) return;\n  expect(a).toBe(1);\n});',
    'it.skipIf(b).each([1])("x", function () {\n  if (a) return;\n  expect(a).toBe(1);\n});',
  ])("no test returns before its assertions: %s", (text) => {
    expect(test(text)).toEqual(["early-return"]);
  });

  it.each([
    'it("x", () => {\n  return expect(a).resolves.toBe(1);\n});',
    'it("x", ({ skip }) => {\n  if (a) return skip("no browser");\n  expect(a).toBe(1);\n});',
    'it("x", () => {\n  const f = () => {\n    if (a) return 1;\n    return 2;\n  };\n  expect(f()).toBe(1);\n});',
    "beforeAll(() => {\n  if (a) return;\n  b();\n});",
  ])("a test may contain: %s", (text) => {
    expect(test(text)).toEqual([]);
  });
});

describe("modules", () => {
  const found = (files: Files) =>
    [...checkFiles(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, HEADER + text])))].map(
      ({ rule, file, what }) => `${rule} ${file} ${/(?:uses|cycle:) (.*?)(?::|$)/.exec(what)?.[1] ?? what}`,
    );
  const [a, b] = ["packages/cli/src/load/a.ts", "packages/cli/src/load/b.ts"];

  it("every export is used by another file, directly or through a re-export", () => {
    const main = { "packages/cli/src/main.ts": 'import { x } from "./load/a.ts";\nx();\n' };
    expect(found({ ...main, [a]: "export const x = () => {};\n" })).toEqual([]);
    expect(found({ ...main, [a]: 'export { x } from "./b.ts";\n', [b]: "export const x = () => {};\n" })).toEqual([]);
    expect(found({ ...main, [a]: 'export * from "./b.ts";\n', [b]: "export function x() {}\n" })).toEqual([]);
    expect(found({ ...main, [a]: "export const x = () => {};\nexport const y = 1;\n" })).toEqual([`exports ${a} y`]);
    expect(found({ ...main, [a]: "export class x {}\nexport interface Y {}\n" })).toEqual([`exports ${a} Y`]);
    expect(
      found({
        ...main,
        [a]: 'export { x, y } from "./b.ts";\n',
        [b]: "const x = 1;\nconst y = 2;\nexport { x, y };\n",
      }),
    ).toEqual([`exports ${a} y`, `exports ${b} y`]);
    const lazy = 'const { x } = await import("./load/a.ts");\nx();\n';
    expect(found({ "packages/cli/src/main.ts": lazy, [a]: "export const x = 1;\nexport const y = 1;\n" })).toEqual([
      `exports ${a} y`,
    ]);
  });

  it("every other file counts as a user of an export: tests, tools, benchmarks and examples too", () => {
    const own = { [a]: "export const x = () => {};\nx();\n" };
    expect(found(own)).toEqual([`exports ${a} x`]);
    expect(found({ ...own, [b]: "const x = 1;\nvoid x;\n" })).toEqual([`exports ${a} x`]);
    const use = (path: string) => `import { x } from "${path}";\nx();\n`;
    expect(found({ ...own, "packages/cli/src/load/a.test.ts": use("./a.ts") })).toEqual([]);
    expect(found({ ...own, "packages/cli/src/print/c.test.ts": use("../load/a.ts") })).toEqual([]);
    for (const folder of ["tests", "tools", "bench", "examples"])
      expect(found({ ...own, [`${folder}/c.ts`]: use("../packages/cli/src/load/a.ts") })).toEqual([]);
    expect(found({ "tools/c.ts": "export const x = 1;\n" })).toEqual(["exports tools/c.ts x"]);
  });

  it("imports have no cycle, except through types and dynamic imports", () => {
    const round = (first: string, second: string) =>
      found({ [a]: first, [b]: second }).filter((text) => text.startsWith("cycle"));
    const x = 'import { y } from "./b.ts";\nexport const x = y;\n';
    expect(round(x, 'import { x } from "./a.ts";\nexport const y = () => x;\n')).toEqual([
      `cycle ${b} a.ts → b.ts → a.ts`,
    ]);
    expect(round(x, 'export { x } from "./a.ts";\nexport const y = 1;\n')).toHaveLength(1);
    expect(round(x, 'import type { x } from "./a.ts";\nexport const y: typeof x = 1;\n')).toEqual([]);
    expect(round(x, 'import { type x } from "./a.ts";\nexport const y: typeof x = 1;\n')).toEqual([]);
    expect(round(x, 'export const y = () => import("./a.ts");\n')).toEqual([]);
  });
});

describe("this repository", () => {
  it("[L9.5] is tidy", () => {
    expect(tidy(fileURLToPath(new URL("..", import.meta.url))).map(describeFinding)).toEqual([]);
  });
});
