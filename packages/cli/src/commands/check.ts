/** `escapement check file`: every complaint, or the resolved flight. Nothing is flown. */
import type { Command } from "commander";
import { mustResolve } from "@escapement/core";
import { FlightFiles } from "../load/flight-files.ts";
import { registry } from "../registry.ts";
import { styleFor } from "../print/style.ts";

export function addCheck(program: Command): void {
  program
    .command("check")
    .description("check a flight description, and print it with every default filled in")
    .argument("<flight>", "a built-in flight or vehicle, or a .toml or .json file")
    .option("--json", "print the resolved flight as JSON")
    .addHelpText("after", "\nExamples:\n  escapement check gusty.toml\n  escapement check mission --json > mission.resolved.json")
    .action(async (name: string, flags: { json?: true }) => {
      const files = new FlightFiles(registry);
      const resolved = mustResolve(await files.resolve({ name }));
      const style = styleFor(process.stdout, process.env);
      process.stdout.write(
        flags.json === true
          ? `${JSON.stringify(resolved, null, 2)}\n`
          : `${style.accent("ok")}  ${resolved.flown.name}  ${style.quiet(`sha256 ${resolved.hash}`)}\n`,
      );
    });
}
