/** `escapement schema`: the JSON Schema of flight files, for editors that complete and check while one types. */
import type { Command } from "commander";
import { flightSchema } from "@escapement/core";
import { registry } from "../registry.ts";

export function addSchema(program: Command): void {
  program
    .command("schema")
    .description("print the JSON Schema of flight files, for editors")
    .option("--json", "print as JSON (it always is)")
    .addHelpText(
      "after",
      "\nA TOML file names its schema in its first line: #:schema ./flight.schema.json\n" +
        "\nExamples:\n  escapement schema > flight.schema.json\n  escapement schema | head -c 400",
    )
    .action(() => {
      process.stdout.write(`${JSON.stringify(flightSchema(registry), null, 2)}\n`);
    });
}
