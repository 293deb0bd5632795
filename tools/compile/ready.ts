/**
 * Ready-made code: what the specialiser makes of the built-in vehicles, as the text of a module.
 *
 * The build puts it in the place of `run/ready-kernels.ts`. So flights of these vehicles, and of any others of the same
 * structure, need no code generation where they are flown: they start sooner, and fly fast under policies that forbid it.
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
  KERNEL_FUNCTIONS,
  makerText,
  methodKey,
  printKernel,
  printMethod,
} from "../../packages/core/src/compile/index.ts";

const MODULE = fileURLToPath(new URL("../../packages/core/src/run/ready-kernels.ts", import.meta.url));
/** What most flights are integrated by. */
const TABLEAUX = [rk4Tableau, rk45Tableau];
/** Every built-in vehicle where flights are by default, and one where its numbers were published for. */
const FLIGHTS = [
  ...Object.keys(builtInVehicles).map((vehicle) => ({ vehicle })),
  { vehicle: "iris-reference", environment: { atmosphere: "isa-reference", gravity: "uniform" } },
];

/** A plugin of the bundler. */
export const readyKernels = {
  name: "ready-kernels",
  load: (id: string): string | undefined => (resolve(id) === MODULE ? readyModule() : undefined),
};

function readyModule(): string {
  const kernels = FLIGHTS.map((flight) => kernelSource(plantOf(flight)));
  return [
    'import { multirotorProgram } from "../multirotor/program.ts";',
    `export const readyKernels = [${[...new Set(kernels)].join(",\n")}];`,
  ].join("\n");
}

function plantOf(flight: object): Multirotor {
  const spec = { extends: "hover", ...flight };
  return buildPlant(mustResolve(resolveFlight({ file: "ready", spec }, coreRegistry)).definition, coreRegistry);
}

function kernelSource({ layout, equations }: Multirotor): string {
  const { functions, ...facts } = printKernel(layout.size, equations!);
  const { program: _imported, ...known } = facts;
  const methods = TABLEAUX.map((tableau) => {
    const texts = Object.entries(printMethod(facts, tableau, layout));
    return `${literal(methodKey(tableau, layout))}: { ${texts.map(([name, text]) => `${name}: ${makerText(text)}`).join(",\n")} }`;
  });
  const makers = KERNEL_FUNCTIONS.map((name) => `${name}: ${makerText(functions[name])}`);
  return [
    "{ program: multirotorProgram,",
    ...Object.entries(known).map(([name, value]) => `${name}: ${literal(value)},`),
    `functions: { ${makers.join(",\n")} },`,
    `methods: { ${methods.join(",\n")} } }`,
  ].join("\n");
}

/** A value as source: like JSON, with the numbers that JSON has not. */
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
