/**
 * Compiles the built-in vehicles ahead of time into the text of a module.
 *
 * The build replaces `run/ready-kernels.ts` with this module. Flights of these vehicles, and of any other vehicle with
 * the same structure, then need no code generation at run time: they start sooner, and they run compiled code even
 * under policies that forbid generating it.
 */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { coreRegistry } from "../../packages/core/src/describe/registry.ts";
import { buildPlant } from "../../packages/core/src/describe/build-parts.ts";
import { mustResolve, resolveFlight } from "../../packages/core/src/describe/resolve.ts";
import { builtInVehicles } from "../../packages/core/src/describe/vehicles/index.ts";
import { rk4Tableau } from "../../packages/core/src/integrate/methods/rk4.ts";
import { rk45Tableau } from "../../packages/core/src/integrate/methods/rk45.ts";
import type { Multirotor } from "../../packages/core/src/multirotor/plant.ts";
import {
  type FunctionText,
  makerText,
  methodKey,
  printKernel,
  printMethod,
} from "../../packages/core/src/compile/index.ts";

const MODULE = fileURLToPath(new URL("../../packages/core/src/run/ready-kernels.ts", import.meta.url));
type Tableau = Parameters<typeof methodKey>[0];
/**
 * Every built-in vehicle in the default environment, and one in the environment for which its numbers were published.
 */
const FLIGHTS = [
  ...Object.keys(builtInVehicles).map((vehicle) => ({ vehicle })),
  { vehicle: "iris-reference", environment: { atmosphere: "isa-reference", gravity: "uniform" } },
];

/** A plugin for the bundler, with the methods that most flights use. */
export const readyKernels = pluginFor([rk4Tableau, rk45Tableau]);
/** The same with the default method only, for pages: their size matters more than the speed of rare flights. */
export const smallReadyKernels = pluginFor([rk4Tableau]);

function pluginFor(tableaux: readonly Tableau[]) {
  return {
    name: "ready-kernels",
    load: (id: string): string | undefined => (resolve(id) === MODULE ? readyModule(tableaux) : undefined),
  };
}

function readyModule(tableaux: readonly Tableau[]): string {
  const kernels = FLIGHTS.map((flight) => kernelSource(plantOf(flight), tableaux));
  return [
    'import { multirotorProgram } from "../multirotor/program.ts";',
    `export const readyKernels = [${[...new Set(kernels)].join(",\n")}];`,
  ].join("\n");
}

function plantOf(flight: object): Multirotor {
  const spec = { extends: "hover", ...flight };
  return buildPlant(mustResolve(resolveFlight({ file: "ready", spec }, coreRegistry)).definition, coreRegistry);
}

function kernelSource({ layout, equations }: Multirotor, tableaux: readonly Tableau[]): string {
  const { functions, ...facts } = printKernel(layout.size, equations!);
  const { program: _imported, ...known } = facts;
  const methods = tableaux.map((tableau) => {
    return `${literal(methodKey(tableau, layout))}: ${makers(printMethod(facts, tableau, layout))}`;
  });
  return [
    "{ program: multirotorProgram,",
    ...Object.entries(known).map(([name, value]) => `${name}: ${literal(value)},`),
    `functions: ${makers(functions)},`,
    `methods: { ${methods.join(",\n")} } }`,
  ].join("\n");
}

/** A record of makers as source text. */
function makers(functions: Readonly<Record<string, FunctionText>>): string {
  const texts = Object.entries(functions).map(([name, text]) => `${name}: ${makerText(text)}`);
  return `{ ${texts.join(",\n")} }`;
}

/** A value as source text: JSON, plus −0, NaN and infinities. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    return `{ ${Object.entries(value)
      .map(([name, each]) => `${name}: ${literal(each)}`)
      .join(", ")} }`;
  }
  if (Object.is(value, -0)) return "-0";
  if (typeof value === "number" && !Number.isFinite(value))
    return Number.isNaN(value) ? "NaN" : `${value > 0 ? "" : "-"}1e999`;
  return JSON.stringify(value);
}
