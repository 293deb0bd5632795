/**
 * Runs one command of the `escapement` program, and prints any error that it throws.
 *
 * A command prints its own result and sets its exit code (`exit-codes.ts`). For an error that the user made, this file
 * prints what is wrong, where, and how to fix it.
 */
import { Command, CommanderError } from "commander";
import { EXIT } from "./exit-codes.ts";
import { VERSION } from "./version.ts";

interface Program {
  /** Adds the requested command, or the overview of all commands. */
  readonly add: (program: Command) => void | Promise<void>;
  /** The requested command, if it exists. */
  readonly name: string | undefined;
}

/** Runs the command that `args` names. Sets the exit code. */
export async function runProgram(args: readonly string[], program: Program): Promise<void> {
  try {
    const made = await commanderProgram(program);
    await made.parseAsync(args, { from: "user" });
  } catch (error) {
    await report(error, args.includes("--json"), program.name);
  }
}

async function commanderProgram({ add }: Program): Promise<Command> {
  const program = new Command("escapement")
    .description("A deterministic flight simulator for multirotors with real autopilots in the loop.")
    .version(VERSION)
    .showSuggestionAfterError()
    // `report` prints usage errors like all other errors.
    .configureOutput({ outputError: () => {} })
    .exitOverride();
  await add(program);
  for (const command of program.commands) command.exitOverride();
  return program.addHelpText("after", "\nExamples:\n  escapement fly\n  escapement fly --help");
}

async function report(error: unknown, isJson: boolean, name: string | undefined): Promise<void> {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (error.exitCode !== 0 && !error.code.startsWith("commander.help")) await reportUsage(error.message, name);
    return;
  }
  const { errorJson, isUsageError, printError } = await import("./print/error.ts");
  process.exitCode = isUsageError(error) ? EXIT.usage : EXIT.failed;
  if (isJson) process.stdout.write(`${errorJson(error)}\n`);
  else printError(error);
}

/** Prints an error that commander found: a message, and for a typing error the nearest name on a separate line. */
async function reportUsage(message: string, name: string | undefined): Promise<void> {
  const [{ cliErrors }, { printError }] = await Promise.all([import("./errors.ts"), import("./print/error.ts")]);
  const [, near] = /\(Did you mean (?:one of )?(.*)\?\)/.exec(message) ?? [];
  const command = name === undefined ? "" : `${name} `;
  const names = near?.split(", ").map((each) => `"${each}"`);
  const fix = names === undefined ? `run escapement ${command}--help` : `did you mean ${names.join(" or ")}?`;
  const what = message
    .split("\n")[0]!
    .replace(/^error: /, "")
    .replace(/'/g, '"');
  printError(cliErrors.wrongUsage({ what, fix }));
}
