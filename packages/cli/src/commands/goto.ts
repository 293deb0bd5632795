/** `escapement goto`: prints state, signals and memory at one instant of a flight. */
import type { Command } from "commander";
import { goTo, openSession } from "../load/open-session.ts";
import { situationText } from "../print/situation.ts";
import { columnsOf, styleFor } from "../print/style.ts";
import { collect, WITH_FLAG } from "./options.ts";

interface GotoFlags {
  readonly at: string;
  readonly with: readonly string[];
  readonly json?: true;
}

export function addGoto(program: Command): void {
  program
    .command("goto")
    .description("show the whole situation at an instant of a flight")
    .argument("<flight>", "a recording (.mcap), a built-in flight or vehicle, or a .toml or .json file")
    .requiredOption("--at <instant>", 'a time in seconds, a boundary such as "#27800", or an event')
    .option(...WITH_FLAG, collect, [])
    .option("--json", "print as JSON, with every digit and the memory of every part")
    .addHelpText(
      "after",
      "\nState and signals are printed as they are at the end of the boundary, as in a log; memory as it is before it.\n" +
        "\nExamples:\n  escapement goto flight.mcap --at 27.8\n  escapement goto mission --at lift-off --json",
    )
    .action(async (name: string, flags: GotoFlags) => {
      const { session, resolved } = await openSession(name, flags);
      goTo(session, flags.at);
      const situation = session.situation();
      const text =
        flags.json === true
          ? JSON.stringify({ flight: resolved.definition.name, flightHash: resolved.hash, ...situation }, null, 2)
          : situationText(
              situation,
              resolved.definition.name,
              styleFor(process.stdout, process.env),
              columnsOf(process.stdout),
            );
      process.stdout.write(`${text}\n`);
    });
}
