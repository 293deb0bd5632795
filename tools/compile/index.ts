/**
 * Translates right-hand sides into programs, the input of the compiler: `npm run compile`.
 *
 * Without arguments it translates the plants of this repository. With arguments it translates your own plant: `…
 * <source file> <function> <module to write> [functions to call instead of translating] [--outputs=<function that
 * computes outputs>]`. The generated modules are committed; a test checks that they match their sources.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { multirotorViews } from "./multirotor-views.ts";
import { Translator, type Views } from "./translate.ts";

interface EquationsSource {
  readonly source: string;
  readonly entry: string;
  /** Name of the function that computes outputs after an evaluation. */
  readonly outputs?: string;
  readonly module: string;
  /** Functions to call instead of translating: rarely used and long, or with loops whose end depends on the state. */
  readonly opaqueFunctions: readonly string[];
  /** The views that parameters have as types, by type name. */
  readonly views?: Views;
}

/** The plants of this repository. */
export const EQUATIONS: readonly EquationsSource[] = [
  {
    source: "packages/core/src/multirotor/plant.ts",
    entry: "multirotorInto",
    outputs: "outputsInto",
    module: "packages/core/src/multirotor/program.ts",
    opaqueFunctions: ["contactInto", "searchBusInto", "finishInflowsInto", "wholeInflowInto", "groundsInto"],
    views: multirotorViews,
  },
];

/** Returns the text of a module that contains a program. */
export function moduleText({ source, entry, outputs, opaqueFunctions, views }: EquationsSource): string {
  const program = JSON.stringify(new Translator(opaqueFunctions, views).translate(source, entry, outputs));
  return [
    "/**",
    ` * The equations of ${basename(source)} as data for the compiler, made from their source by \`npm run compile\`.`,
    " *",
    " * Do not edit it: a test compares it with the source.",
    " */",
    "// oxfmt-ignore",
    `export const ${entry.replace(/Into$/, "")}Program = '${program}';`,
    "",
  ].join("\n");
}

if (import.meta.url === `file://${process.argv[1]}`) {
  const OUTPUTS = "--outputs=";
  const outputs = process.argv.find((arg) => arg.startsWith(OUTPUTS))?.slice(OUTPUTS.length);
  const [source, entry, module, ...opaqueFunctions] = process.argv.slice(2).filter((arg) => !arg.startsWith(OUTPUTS));
  const isGiven = source !== undefined && entry !== undefined && module !== undefined;
  const given = { ...(outputs === undefined ? {} : { outputs }), opaqueFunctions };
  for (const equations of isGiven ? [{ source, entry, module, ...given }] : EQUATIONS) {
    const text = moduleText(equations);
    if (existsSync(equations.module) && readFileSync(equations.module, "utf8") === text) continue;
    writeFileSync(equations.module, text);
    process.stdout.write(`${equations.module}: ${text.length} characters\n`);
  }
}
