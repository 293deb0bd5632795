/**
 * `escapement goto`: prints the situation at one instant of a flight, or with `--all` every signal and memory value.
 */
import type { Command } from "commander";
import { goTo, openSession } from "../load/open-session.ts";
import { situationText, wholeSituationText } from "../print/situation.ts";
import { columnsOf, styleFor } from "../print/style.ts";
import { collect, WITH_FLAG } from "./options.ts";

interface GotoFlags {
  readonly at: string;
  readonly with: readonly string[];
  readonly all?: true;
  readonly json?: true;
}

export function addGoto(program: Command): void {
  program
    .command("goto")
    .description("show the situation at an instant of a flight")
    .argument("<flight>", "a recording (.mcap), a built-in flight or vehicle, or a .toml or .json file")
    .requiredOption("--at <instant>", 'a time in seconds, a boundary such as "#27800", or an event')
    .option(...WITH_FLAG, collect, [])
    .option("--all", "print every state, every signal and the memory of the autopilot")
    .option("--json", "print as JSON, with every digit and the memory of every part")
    .addHelpText(
      "after",
      "\nState and signals are printed as they are at the end of the boundary, as in a\n" +
        "log; the memory of parts is the memory before the boundary. Faults and gusts are printed while they are active.\n" +
        "\nExamples:\n  escapement goto flight.mcap --at 27.8\n  escapement goto mission --at lift-off --json",
    )
    .action(async (name: string, flags: GotoFlags) => {
      const { session, resolved } = await openSession(name, flags);
      goTo(session, flags.at);
      const situation = session.situation();
      const text =
        flags.json === true
          ? JSON.stringify({ flight: resolved.definition.name, flightHash: resolved.hash, ...situation }, null, 2)
          : (flags.all === true ? wholeSituationText : situationText)(
              situation,
              resolved.definition.name,
              styleFor(process.stdout, process.env),
              columnsOf(process.stdout),
            );
      process.stdout.write(`${text}\n`);
    });
}
