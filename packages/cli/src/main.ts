/**
 * The `escapement` command: runs the requested command and prints any error that it throws.
 *
 * Each command is one file, loaded only when used, so that startup is fast. A command prints its own result and sets
 * its exit code (`exit-codes.ts`). For an error that the user made, it prints what is wrong, where, and how to fix it.
 */
import { Command, CommanderError } from "commander";
import { addCommands, isCommand } from "./commands/index.ts";
import { EXIT } from "./exit-codes.ts";
import { homeScreen } from "./print/home.ts";
import { styleFor } from "./print/style.ts";
import { VERSION } from "./version.ts";

async function programFor(name: string | undefined): Promise<Command> {
  const program = new Command("escapement")
    .description("A deterministic flight simulator for multirotors with real autopilots in the loop.")
    .version(VERSION)
    .showSuggestionAfterError()
    // `report` prints usage errors like all other errors.
    .configureOutput({ outputError: () => {} })
    .exitOverride();
  await addCommands(program, name);
  for (const command of program.commands) command.exitOverride();
  return program.addHelpText("after", "\nExamples:\n  escapement fly\n  escapement fly --help");
}

async function main(args: readonly string[]): Promise<void> {
  if (args.length === 0) {
    process.stdout.write(`${homeScreen(styleFor(process.stdout, process.env))}\n`);
    return;
  }
  // `help fly` means `fly --help`.
  const [first, second] = args;
  const words = first === "help" && isCommand(second) ? [second, "--help"] : args;
  const program = await programFor(words[0]);
  await program.parseAsync(words, { from: "user" });
}

async function report(error: unknown, isJson: boolean): Promise<void> {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (error.exitCode !== 0 && !error.code.startsWith("commander.help")) await reportUsage(error.message);
    return;
  }
  const { errorJson, isUsageError, printError } = await import("./print/error.ts");
  process.exitCode = isUsageError(error) ? EXIT.usage : EXIT.failed;
  if (isJson) process.stdout.write(`${errorJson(error)}\n`);
  else printError(error);
}

/** Prints an error that commander found: a message, and for a typing error the nearest name on a separate line. */
async function reportUsage(message: string): Promise<void> {
  const [{ cliErrors }, { printError }] = await Promise.all([import("./errors.ts"), import("./print/error.ts")]);
  const [, near] = /\(Did you mean (?:one of )?(.*)\?\)/.exec(message) ?? [];
  const command = isCommand(args[0]) ? `${args[0]} ` : "";
  const names = near?.split(", ").map((name) => `"${name}"`);
  const fix = names === undefined ? `run escapement ${command}--help` : `did you mean ${names.join(" or ")}?`;
  const what = message
    .split("\n")[0]!
    .replace(/^error: /, "")
    .replace(/'/g, '"');
  printError(cliErrors.wrongUsage({ what, fix }));
}

// A reader that closes the pipe early (`escapement list | head`) is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

const args = process.argv.slice(2);
try {
  await main(args);
} catch (error) {
  await report(error, args.includes("--json"));
}
