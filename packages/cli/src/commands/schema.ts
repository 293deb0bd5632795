/** `escapement schema`: prints the JSON Schema of flight files, for completion and checks in editors. */
import type { Command } from "commander";
import { flightSchema } from "@escapement/core";
import { withCustomParts } from "../load/custom-parts.ts";
import { registry } from "../registry.ts";
import { collect, WITH_FLAG } from "./options.ts";

export function addSchema(program: Command): void {
  program
    .command("schema")
    .description("print the JSON Schema of flight files, for editors")
    .option(...WITH_FLAG, collect, [])
    .option("--json", "no effect: the schema is always JSON")
    .addHelpText(
      "after",
      "\nA TOML file names its schema in a comment above its first key: #:schema ./flight.schema.json\n" +
        "\nExamples:\n  escapement schema > flight.schema.json\n  escapement schema | head -c 400",
    )
    .action(async (flags: { with: readonly string[] }) => {
      const parts = await withCustomParts(registry, flags.with);
      process.stdout.write(`${JSON.stringify(flightSchema(parts), null, 2)}\n`);
    });
}
