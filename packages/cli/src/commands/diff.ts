/** `escapement diff a b`: the first boundary, stage and signal at which two recordings differ. */
import type { Command } from "commander";
import { type Difference, firstDifference } from "@escapement/core";
import { loadRecording } from "../load/read-files.ts";
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
      else process.stdout.write(`${style.trouble("first difference")} ${differenceText(found)}\n`);
      process.exitCode = found === undefined ? 0 : 1;
    });
}

/** Above this distance the number of doubles in between says nothing useful, so it is not printed. */
const MOST_ULPS = 1e6;

export function differenceText({ tUs, stage, signal, component, a, b, ulps }: Difference): string {
  const isOne = stage === "boundaries" || stage === "vehicle";
  const place = `at ${(tUs / 1e6).toFixed(6)} s, ${stage}, ${isOne ? signal : `${signal}[${component}]`}`;
  const apart = isOne || ulps > MOST_ULPS ? [] : [`${ulps} ulps apart`];
  return [place, String(a), String(b), ...apart].join("\n  ");
}
