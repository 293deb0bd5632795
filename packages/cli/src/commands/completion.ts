/**
 * `escapement completion`: prints a shell script that completes commands, flags, flights and keys. The script is
 * generated from the commands and the registry.
 */
import { Command } from "commander";
import { cliErrors } from "../errors.ts";
import { bashScript, fishScript, type Offer, zshScript } from "../print/completion-scripts.ts";
import { registry } from "../registry.ts";
import { listNames } from "./list.ts";
import { settableKeys } from "../print/settable-keys.ts";

const SCRIPTS: Readonly<Record<string, (offers: readonly Offer[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

export function addCompletion(program: Command): void {
  program
    .command("completion")
    .description("print a completion script for a shell")
    .argument("<shell>", Object.keys(SCRIPTS).join(", "))
    .option("--json", "print the completions as JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  source <(escapement completion bash)\n  escapement completion fish > ~/.config/fish/completions/escapement.fish",
    )
    .action(async (shell: string, flags: { json?: true }) => {
      if (!Object.hasOwn(SCRIPTS, shell)) {
        throw cliErrors.unknownShell({
          what: `there is no completion for "${shell}"`,
          fix: `one of: ${Object.keys(SCRIPTS).join(", ")}`,
        });
      }
      const offers = await offersOf();
      process.stdout.write(flags.json === true ? `${JSON.stringify(offers, null, 2)}\n` : SCRIPTS[shell]!(offers));
    });
}

/** Everything that a user can type after each command. */
export async function offersOf(): Promise<Offer[]> {
  const { COMMANDS } = await import("./index.ts");
  const all = new Command("escapement");
  for (const { load } of Object.values(COMMANDS)) (await load())(all);
  return all.commands.map((command) => ({
    name: command.name(),
    about: command.description(),
    words: wordsFor(command.name()),
    takesFiles: !["list", "explain", "verify", "schema", "completion", "doctor"].includes(command.name()),
    flags: command.options.map(({ long, flags, description }) => ({
      name: long ?? flags,
      about: description,
      takesValue: flags.includes("<"),
      values: long === "--set" ? settableKeys(registry) : [],
    })),
  }));
}

function wordsFor(command: string): readonly string[] {
  switch (command) {
    case "fly":
    case "check":
      return [...Object.keys(registry.flights), ...Object.keys(registry.vehicles)];
    case "list":
      return listNames();
    case "completion":
      return Object.keys(SCRIPTS);
    default:
      return [];
  }
}
