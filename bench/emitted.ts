/**
 * Emits C++ from the compiled form: the code that the compiler prints for the plant's equations, in C++ syntax, for
 * native/plant.cpp to include.
 *
 * It shows what a C++ compiler achieves with exactly the operations of our generated JavaScript. If a guard fails or an
 * opaque function is called, the general model of native/plant.cpp runs instead.
 */
import type { Multirotor } from "../packages/core/src/multirotor/plant.ts";
import { printKernel } from "../packages/core/src/compile/index.ts";
import { bindingOf } from "../packages/core/src/compile/kernel.ts";
import { makeKernelCode } from "../packages/core/src/compile/kernel-printer.ts";

function number(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "__builtin_inf()" : "-__builtin_inf()";
  const text = Object.is(value, -0) ? "-0" : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** Converts JavaScript statements to C++. Conditions that are assigned later become 0 and 1. */
function cpp(text: string): string {
  return text
    .replaceAll(/\bconst (?=t\d)/g, "const double ")
    .replaceAll(/\blet (?=t\d)/g, "double ")
    .replaceAll("!==", "!=")
    .replaceAll("===", "==")
    .replaceAll("1e999", "__builtin_inf()")
    .replaceAll(/-0(?![.\d])/g, "-0.0")
    .replaceAll("Math.abs(", "fabs_(")
    .replaceAll(/Math\.(\w+)\(/g, "$1_(");
}

export function emittedText(plant: Multirotor): string {
  const equations = plant.equations!;
  const { constants, calls, scratchSize } = equations;
  const { functions, heldCount, still } = printKernel(plant.layout.size, equations);
  // An index computed from the state is a double.
  const tables = Object.entries(constants).map(([, table], i) => {
    const type = table instanceof Int32Array ? "int32_t" : "double";
    const values = Array.from(table, table instanceof Int32Array ? String : number).join(",");
    return [
      `static const ${type} A${i}_values[] = {${values}};`,
      `static const struct { ${type} operator[](double i) const { return A${i}_values[(int)i]; } } A${i};`,
    ].join("\n");
  });
  const { numbers } = bindingOf(makeKernelCode(plant.layout.size, equations), plant)!;
  return [
    `static const double C[] = {${Array.from(numbers, number).join(",")}};`,
    ...tables,
    `static double V[${heldCount + 1}], W[${scratchSize}], P[1];`,
    "static bool isReady;",
    ...Object.keys(calls).map((_, i) => `#define F${i}(...) return false`),
    `static bool prepareInterval(const double* S, const double* U) {\n${cpp(functions.prepare.body)}\n}`,
    "#define PREPARE(x, u) isReady = prepareInterval(x, u)",
    `static bool emittedSlopes(double* K, const double* S, const double* U) {\n${cpp(functions.slopes.body)}\n}`,
    "static void emittedDerivatives(double* K, const double* S, const double* U) {",
    ...still.map((i) => `K[${i}] = 0;`),
    "if (!isReady || !emittedSlopes(K, S, U)) modelDerivatives(K, S, U);",
    "}",
    "",
  ].join("\n");
}
