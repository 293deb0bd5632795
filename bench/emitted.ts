/**
 * C++ emitted from the specialised form: the graph that the specialiser makes of the plant's equations, printed in
 * another syntax, for native/plant.cpp to be compiled with.
 *
 * It shows what a C++ compiler makes of the very operations that our generated JavaScript does. Where the code does not
 * hold, or calls a function as it stands, the general model runs, as the reference does in ours.
 */
import type { Multirotor } from "../packages/core/src/multirotor/plant.ts";
import type { ConstantRecipes } from "../packages/core/src/compile/constants.ts";
import { printBody, type Syntax } from "../packages/core/src/compile/printer.ts";
import { runOnSymbols } from "../packages/core/src/compile/symbolic-run.ts";

const number = (value: number) => {
  if (!Number.isFinite(value)) return value > 0 ? "__builtin_inf()" : "-__builtin_inf()";
  const text = Object.is(value, -0) ? "-0" : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
};

const cpp: Syntax = {
  declare: (name, value, isTruth) => `const ${isTruth ? "bool" : "double"} ${name} = ${value};`,
  declareLater: (name, isTruth) => `${isTruth ? "bool" : "double"} ${name};`,
  same: "==",
  differs: "!=",
  sqrt: (a) => `sqrt_(${a})`,
  abs: (a) => `fabs_(${a})`,
  floor: (a) => `floor_(${a})`,
  min: (a, b) => `min_(${a}, ${b})`,
  max: (a, b) => `max_(${a}, ${b})`,
  number,
  index: (text) => `(int)(${text})`,
};

export function emittedText(plant: Multirotor): string {
  const equations = plant.equations!;
  const { constants, calls, refusedAt = -1 } = equations;
  const { slope, afterSlopes, recipes } = runOnSymbols(plant.layout.size, equations);
  const printed = printBody({
    root: afterSlopes.root,
    slopes: slope,
    scratch: new Map(),
    mustBeZero: afterSlopes.scratch.get(refusedAt) ?? 0,
    tables: Object.keys(constants),
    functions: Object.keys(calls),
    still: new Set([...slope].filter(([, value]) => Object.is(value, 0)).map(([i]) => i)),
    syntax: cpp,
  });
  return fileText(printed, knownValues(recipes), equations);
}

/** The numbers that the code reads, in their order. */
function knownValues(recipes: ConstantRecipes): number[] {
  const values: number[] = [];
  for (let i = 0; recipes.value(i) !== undefined; i += 1) values.push(recipes.value(i));
  return values;
}

function fileText(
  { prepare, body, handed }: ReturnType<typeof printBody>,
  values: readonly number[],
  { constants, calls, scratchSize }: NonNullable<Multirotor["equations"]>,
): string {
  const tables = Object.entries(constants).map(([, table], i) => {
    const type = table instanceof Int32Array ? "int32_t" : "double";
    return `static const ${type} A${i}[] = {${Array.from(table, table instanceof Int32Array ? String : number).join(",")}};`;
  });
  // A function called as it stands is the model's affair.
  const functions = Object.keys(calls).map((_, i) => `#define F${i}(...) return bail()`);
  const same = (text: string) => text.replaceAll("===", "==");
  return [
    `static const double C[] = {${values.map(number).join(",")}};`,
    ...tables,
    `static double V[${handed + 1}], W[${scratchSize}];`,
    "static bool isReady;",
    ...functions,
    `static bool prepareInterval(const double* S, const double* U) {\n${same(prepare)}\n}`,
    "#define PREPARE(x, u) isReady = prepareInterval(x, u)",
    "#define bail() modelDerivatives(K, S, U)",
    "static void emittedDerivatives(double* K, const double* S, const double* U) {",
    "if (!isReady) return bail();",
    same(body),
    "}",
    "",
  ].join("\n");
}
