/**
 * Writes right-hand sides as data for the specialiser: `npm run compile`.
 *
 * With arguments it serves plants of one's own: `… <source file> <function> <module to write> [functions called as they
 * stand] [--outputs=<function that makes outputs>]`. The written modules are committed; a test demands that they are what
 * the sources give.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { multirotorViews } from "./multirotor-views.ts";
import { Translator, type Views } from "./translate.ts";

interface EquationsSource {
  readonly source: string;
  readonly entry: string;
  /** What makes outputs of an evaluation. */
  readonly outputs?: string;
  readonly module: string;
  /** Rare and long, or with loops whose end depends on the state. */
  readonly asTheyStand: readonly string[];
  /** Views that the parameters of the functions are, by the names of their types. */
  readonly views?: Views;
}

/** The plants of this repository. */
export const EQUATIONS: readonly EquationsSource[] = [
  {
    source: "packages/core/src/multirotor/plant.ts",
    entry: "multirotorInto",
    outputs: "outputsInto",
    module: "packages/core/src/multirotor/program.ts",
    asTheyStand: ["contactInto", "searchBusInto", "searchInflowInto"],
    views: multirotorViews,
  },
];

/** The text of a module that holds a program. */
export function moduleText({ source, entry, outputs, asTheyStand, views }: EquationsSource): string {
  const program = JSON.stringify(new Translator(asTheyStand, views).translate(source, entry, outputs));
  return [
    "/**",
    ` * The equations of ${basename(source)} as data for the specialiser, made from their source by \`npm run compile\`.`,
    " *",
    " * Not to be edited: a test compares it with what the source gives.",
    " */",
    "// oxfmt-ignore",
    `export const ${entry.replace(/Into$/, "")}Program = '${program}';`,
    "",
  ].join("\n");
}

if (import.meta.url === `file://${process.argv[1]}`) {
  const OUTPUTS = "--outputs=";
  const outputs = process.argv.find((arg) => arg.startsWith(OUTPUTS))?.slice(OUTPUTS.length);
  const [source, entry, module, ...asTheyStand] = process.argv.slice(2).filter((arg) => !arg.startsWith(OUTPUTS));
  const own = source !== undefined && entry !== undefined && module !== undefined;
  const given = { ...(outputs === undefined ? {} : { outputs }), asTheyStand };
  for (const equations of own ? [{ source, entry, module, ...given }] : EQUATIONS) {
    const text = moduleText(equations);
    if (existsSync(equations.module) && readFileSync(equations.module, "utf8") === text) continue;
    writeFileSync(equations.module, text);
    process.stdout.write(`${equations.module}: ${text.length} characters\n`);
  }
}
