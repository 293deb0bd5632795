/** Runs any command. Each command is one file, loaded only when used, so that startup is fast. */
import { addCommands, isCommand } from "./commands/index.ts";
import { homeScreen } from "./print/home.ts";
import { styleFor } from "./print/style.ts";
import { runProgram } from "./program.ts";

export async function runCommand(args: readonly string[]): Promise<void> {
  if (args.length === 0) {
    process.stdout.write(`${homeScreen(styleFor(process.stdout, process.env))}\n`);
    return;
  }
  // `help fly` means `fly --help`.
  const [first, second] = args;
  const words = first === "help" && isCommand(second) ? [second, "--help"] : args;
  const [word] = words;
  const name = isCommand(word) ? word : undefined;
  await runProgram(words, { name, add: (program) => addCommands(program, word) });
}
