/**
 * Compiles the built-in vehicles ahead of time into the text of a module.
 *
 * The build replaces `run/ready-kernels.ts` and `kernels/index.ts` with such modules. Flights of these vehicles, and of
 * any other vehicle with the same structure, then need no code generation at run time. They start sooner, and they run
 * compiled code even under policies that forbid code generation.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { PlainObject, ResolvedFlight } from "../../packages/core/src/index.ts";
import { coreRegistry } from "../../packages/core/src/describe/registry.ts";
import { buildPlant } from "../../packages/core/src/describe/build/build-parts.ts";
import { mustResolve, resolveFlight } from "../../packages/core/src/describe/resolve/resolve.ts";
import { builtInVehicles } from "../../packages/core/src/describe/vehicles/index.ts";
import { rk4Tableau } from "../../packages/core/src/integrate/methods/rk4.ts";
import { rk43Tableau } from "../../packages/core/src/integrate/methods/rk43.ts";
import { rk45Tableau } from "../../packages/core/src/integrate/methods/rk45.ts";
import type { Multirotor } from "../../packages/core/src/multirotor/plant.ts";
import {
  compile,
  type FunctionText,
  makerText,
  methodKey,
  printKernel,
  printMethod,
} from "../../packages/core/src/compile/index.ts";

const MODULE = fileURLToPath(new URL("../../packages/core/src/run/ready-kernels.ts", import.meta.url));
const OTHERS = fileURLToPath(new URL("../../packages/core/src/kernels/index.ts", import.meta.url));
const PROGRAM = fileURLToPath(new URL("../../packages/core/src/multirotor/program.ts", import.meta.url));
const PAGE_MODULE = fileURLToPath(new URL("../../packages/viewer/src/view/worker/kernels.ts", import.meta.url));
const FUNCTION_TEXT = fileURLToPath(new URL("../../packages/core/src/compile/function-text.ts", import.meta.url));
/**
 * Replacements for modules that only the code generator needs. The page uses them, because its policy forbids code
 * generation, and browsers report every attempt.
 */
const WITHOUT_GENERATOR: Readonly<Record<string, string>> = {
  [FUNCTION_TEXT]: `class Forbidden { constructor() { throw new EvalError(); } }
    ${readFileSync(FUNCTION_TEXT, "utf8").replaceAll("new Function(", "new Forbidden(")}`,
  [PROGRAM]: 'export const multirotorProgram = "{}";',
  [compilerPart("kernel-printer")]: `${notCompilable("makeKernelCode")}
    export const printKernel = makeKernelCode;`,
  [compilerPart("step-printer")]: notCompilable("printStep"),
};

/** Returns the text of a function of the compiler that cannot be used in a page. */
function notCompilable(name: string): string {
  return `import { NotCompilable } from "./program.ts";
    export function ${name}() { throw new NotCompilable("code is not generated in a page"); }`;
}

function compilerPart(name: string): string {
  return fileURLToPath(new URL(`../../packages/core/src/compile/${name}.ts`, import.meta.url));
}

/** Prefix of the modules that contain the kernels of vehicles with a given number of rotors. */
const LAZY = "ready-kernels:";
/** Kernels of vehicles with this number of rotors are not loaded lazily, because most vehicles have four rotors. */
const EAGER_ROTORS = 4;

interface Flight {
  readonly vehicle: string;
  readonly environment?: PlainObject;
}
type Tableau = Parameters<typeof methodKey>[0];
const DEFAULT_FLIGHT: Flight = { vehicle: resolvedSpec({}).settings.vehicle };
/**
 * Every built-in vehicle in the default environment, and `iris-reference` also in the environment of its published
 * numbers.
 */
const FLIGHTS: readonly Flight[] = [
  ...Object.keys(builtInVehicles).map((vehicle) => ({ vehicle })),
  { vehicle: "iris-reference", environment: { atmosphere: "isa-reference", gravity: "uniform" } },
];

/** The vehicles of the built-in flights. */
const PAGE_FLIGHTS: readonly Flight[] = [
  ...new Set(Object.keys(coreRegistry.flights).map((name) => resolvedSpec({ extends: name }).settings.vehicle)),
].map((vehicle) => ({ vehicle }));

/** The methods that most flights use. */
const TABLEAUX = [rk43Tableau, rk4Tableau, rk45Tableau];

/** A plugin for the bundler. */
export const readyKernels = {
  name: "ready-kernels",
  load(id: string): string | undefined {
    if (resolve(id) === MODULE) return readyModule([DEFAULT_FLIGHT], TABLEAUX);
    return resolve(id) === OTHERS ? addingModule(FLIGHTS, TABLEAUX, [DEFAULT_FLIGHT]) : undefined;
  },
};

/**
 * Like `readyKernels`, but for the viewer, whose size matters more than the speed of rare flights. It compiles the
 * vehicles of the built-in flights with only the default method. The code of vehicles that do not have `EAGER_ROTORS`
 * rotors is in chunks that load when a flight needs them. The generator is left out.
 */
export const pageKernels = {
  name: "page-kernels",
  resolveId: (id: string): string | undefined => (id.startsWith(LAZY) ? id : undefined),
  load(id: string): string | undefined {
    const rotors = id.startsWith(LAZY) ? Number(id.slice(LAZY.length)) : undefined;
    if (rotors !== undefined) return addingModule(pageFlights(rotors), [rk43Tableau]);
    if (resolve(id) === MODULE) return readyModule(pageFlights(EAGER_ROTORS), [rk43Tableau]);
    if (resolve(id) !== PAGE_MODULE) return WITHOUT_GENERATOR[resolve(id)];
    const counts = new Set(PAGE_FLIGHTS.map(rotorsOf).filter((each) => each !== EAGER_ROTORS));
    const loads = [...counts].map((each) => `${each}: () => import("${LAZY}${each}")`);
    return readFileSync(id, "utf8").replace(/(const loads: [^=]*= )\{\}/, `$1{ ${loads.join(", ")} }`);
  },
};

function pageFlights(rotors: number): Flight[] {
  return PAGE_FLIGHTS.filter((flight) => rotorsOf(flight) === rotors);
}

function rotorsOf(flight: Flight): number {
  return definitionOf(flight).vehicle.rotors.length;
}

function readyModule(flights: readonly Flight[], tableaux: readonly Tableau[]): string {
  return [
    `import { multirotorProgram } from ${JSON.stringify(PROGRAM)};`,
    `export const readyKernels = [${kernelSources(flights, tableaux).join(",\n")}];`,
  ].join("\n");
}

/**
 * Returns the text of a module that adds the kernels of flights to the loaded ones, without those that `loaded` has
 * already loaded.
 */
function addingModule(
  flights: readonly Flight[],
  tableaux: readonly Tableau[],
  loaded: readonly Flight[] = [],
): string {
  const present = kernelSources(loaded, tableaux);
  const added = kernelSources(flights, tableaux).filter((kernel) => !present.includes(kernel));
  return [
    `import { multirotorProgram } from ${JSON.stringify(PROGRAM)};`,
    `import { readyKernels } from ${JSON.stringify(MODULE)};`,
    `readyKernels.push(${added.join(",\n")});`,
  ].join("\n");
}

/** Returns the texts of the kernels of flights, each once. */
function kernelSources(flights: readonly Flight[], tableaux: readonly Tableau[]): string[] {
  return [...new Set(flights.map((flight) => kernelSource(plantOf(flight), tableaux)))];
}

function resolvedSpec(spec: PlainObject): ResolvedFlight {
  return mustResolve(resolveFlight({ file: "ready", spec }, coreRegistry));
}

function definitionOf(flight: Flight): ResolvedFlight["definition"] {
  return resolvedSpec({ extends: "hover", ...flight }).definition;
}

function plantOf(flight: Flight): Multirotor {
  return buildPlant(definitionOf(flight), coreRegistry);
}

function kernelSource(plant: Multirotor, tableaux: readonly Tableau[]): string {
  const { layout, equations } = plant;
  // `compile` also compares the code with the equations as written, so that flights need fewer comparisons.
  const compiled = compile(plant);
  if (compiled instanceof Error) throw compiled;
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

/** Returns a record of makers as source text. */
function makers(functions: Readonly<Record<string, FunctionText>>): string {
  const texts = Object.entries(functions).map(([name, text]) => `${name}: ${makerText(text)}`);
  return `{ ${texts.join(",\n")} }`;
}

/** Returns a value as source text: JSON, plus −0, NaN and infinities. */
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
