/** `escapement require`: judges a recording by requirements, by replaying it: the same verdicts as in flight. */
import type { Command } from "commander";
import { judgeRecording } from "@escapement/core";
import { EXIT, verdictExit } from "../exit-codes.ts";
import { withOwnParts } from "../load/own-parts.ts";
import { loadRecording } from "../load/read-files.ts";
import { styleFor } from "../print/style.ts";
import { verdictFacts, verdictLines } from "../print/verdicts.ts";
import { registry } from "../registry.ts";
import { readLimits } from "./flag-values.ts";
import { collect, READ_LIMIT_FLAG, WITH_FLAG } from "./options.ts";

interface RequireFlags {
  readonly with: readonly string[];
  readonly readLimit?: string;
  readonly json?: true;
}

export function addRequire(program: Command): void {
  program
    .command("require")
    .description("judge a recorded flight by requirements")
    .argument("<recording>", "an .mcap file written by fly --record")
    .argument("<requirements...>", 'sentences such as "never tilt > 60 deg"')
    .option(...WITH_FLAG, collect, [])
    .option(...READ_LIMIT_FLAG)
    .option("--json", "print as JSON")
    .addHelpText(
      "after",
      "\nExit codes: 0 all hold, 5 one is violated, 6 one is undecided and none violated\n" +
        "\nExamples:\n  escapement require flight.mcap 'never tilt > 60 deg'\n" +
        "  escapement require flight.mcap 'always altitude > 2 m during 10 s..50 s' --json",
    )
    .action(async (path: string, texts: readonly string[], flags: RequireFlags) => {
      process.exitCode = await runRequire(path, texts, flags);
    });
}

async function runRequire(path: string, texts: readonly string[], flags: RequireFlags): Promise<number> {
  const { recording } = await loadRecording(path, readLimits(flags));
  const verdicts = judgeRecording(recording, texts, await withOwnParts(registry, flags.with));
  const text =
    flags.json === true
      ? JSON.stringify(verdicts.map(verdictFacts), null, 2)
      : verdictLines(verdicts, styleFor(process.stdout, process.env)).join("\n");
  process.stdout.write(`${text}\n`);
  return verdictExit(verdicts) ?? EXIT.done;
}
