/** `escapement diff a b`: the first boundary, stage and signal at which two recordings differ. */
import type { Command } from "commander";
import { firstDifference } from "@escapement/core";
import { loadRecording } from "../load/recording-files.ts";
import { styleFor } from "../print/style.ts";

export function addDiff(program: Command): void {
  program
    .command("diff")
    .description("find where two recordings first differ")
    .argument("<a>", "an .mcap file")
    .argument("<b>", "another")
    .option("--json", "print as JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  escapement diff yesterday.mcap today.mcap\n  escapement diff a.mcap b.mcap --json",
    )
    .action(async (a: string, b: string, flags: { json?: true }) => {
      const [left, right] = await Promise.all([loadRecording(a), loadRecording(b)]);
      const found = firstDifference(left.recording, right.recording);
      const style = styleFor(process.stdout, process.env);
      if (flags.json === true) process.stdout.write(`${JSON.stringify(found ?? null, null, 2)}\n`);
      else if (found === undefined) process.stdout.write(`${style.accent("no difference")}\n`);
      else {
        const { tUs, stage, signal, component, ulps } = found;
        process.stdout.write(
          `${style.trouble("first difference")} at ${(tUs / 1e6).toFixed(6)} s, ${stage}, ${signal}[${component}]\n  ${found.a}\n  ${found.b}\n  ${ulps} ulps apart\n`,
        );
      }
      process.exitCode = found === undefined ? 0 : 1;
    });
}
