/** Describes every command for docs/commands.md, from the declarations that the command line itself uses. */
import type { EventEmitter } from "node:events";
import { Command, type Help } from "commander";
import { COMMANDS } from "../packages/cli/src/commands/index.ts";
import { HELP } from "../packages/cli/src/commands/options.ts";
import { EXIT, EXIT_MEANINGS } from "../packages/cli/src/exit-codes.ts";
import { table } from "./markdown.ts";

export function exitCodes(): string {
  const codes = Object.keys(EXIT) as (keyof typeof EXIT)[];
  return table(
    ["code", "meaning"],
    [
      ...codes.map((name) => [String(EXIT[name]), EXIT_MEANINGS[name]]),
      ["128 + n", "A signal ended the command; 130 is Ctrl-C. Files contain everything up to that time."],
    ],
  );
}

export async function commandSections(): Promise<string> {
  const program = new Command("escapement");
  for (const { load } of Object.values(COMMANDS)) (await load())(program);
  const sections = program.commands.flatMap((command) => {
    const group = COMMANDS[command.name()]?.group;
    return [...(group === undefined ? [] : [`## ${group.replace(/:$/, "")}`]), ...sectionsOf(command)];
  });
  return sections.join("\n\n");
}

function sectionsOf(command: Command, parents = ""): string[] {
  const help: Help = Object.assign(command.createHelp(), HELP);
  const name = `${parents}${command.name()}`;
  const { paragraphs, examples } = epilogueOf(command);
  const inputs = help.visibleArguments(command).map((each) => [`\`${each.name()}\``, help.argumentDescription(each)]);
  const options = help
    .visibleOptions(command)
    .filter(({ long }) => long !== "--help")
    .map((each) => [`\`${each.flags}\``, help.optionDescription(each)]);
  const parts = [
    `### ${name}`,
    `\`${help.commandUsage(command)}\``,
    sentence(help.commandDescription(command)),
    ...(inputs.length === 0 ? [] : [table(["argument", "meaning"], inputs)]),
    ...(options.length === 0 ? [] : [table(["option", "meaning"], options)]),
    ...paragraphs,
    ...(examples === "" ? [] : [`\`\`\`sh\n${examples}\n\`\`\``]),
  ];
  return [...parts, ...command.commands.flatMap((child) => sectionsOf(child, `${name} `))];
}

/** Returns the text that help prints after the options: paragraphs, and the lines of the examples. */
function epilogueOf(command: Command): { readonly paragraphs: readonly string[]; readonly examples: string } {
  let text = "";
  // A command is an event emitter, which its type does not say.
  const emitter = command as unknown as EventEmitter;
  emitter.emit("afterHelp", { error: false, command, write: (part: string) => (text += part) });
  const [before = "", after = ""] = text.split(/^Examples:\n/m);
  const paragraphs = before
    .trim()
    .split(/\n\n+/)
    .map((paragraph) => paragraph.replaceAll(/\s*\n\s*/g, " ").trim())
    .filter((paragraph) => paragraph !== "");
  return { paragraphs, examples: after.trimEnd().replaceAll(/^ {2}/gm, "") };
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
