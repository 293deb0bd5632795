/**
 * `escapement shrink`: makes a flight that violates a requirement as simple as possible. This file declares the flags;
 * the code that flies is loaded when the command runs.
 */
import type { Command } from "commander";
import { collect, WITH_FLAG } from "./options.ts";

export interface ShrinkFlags {
  readonly output?: string;
  readonly require?: string;
  readonly set: readonly string[];
  readonly most?: string;
  readonly overwrite?: true;
  readonly with: readonly string[];
  readonly json?: true;
}

export function addShrink(program: Command): void {
  program
    .command("shrink")
    .description("make a flight that violates a requirement as simple as possible")
    .argument(
      "<flight>",
      "a flight of a campaign (gusts.campaign.toml#411), a .toml or .json file, or a recording (.mcap)",
    )
    .option("-o, --output <file.toml>", "name of the flight file; by default it is printed")
    .option("--require <text>", "the requirement; by default the most violated requirement of the flight")
    .option("--set <key=value>", "override a value of the description (repeatable)", collect, [])
    .option("--most <n>", "maximum number of flights", "300")
    .option("--overwrite", "replace a file that already exists")
    .option(...WITH_FLAG, collect, [])
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      "\nEvents and settings that are not needed are removed, numbers become milder and rounder, and the flight ends half\n" +
        "a second after the violation. Unless --most ends the search first, the result is minimal: if anything else were removed,\n" +
        "or a number made milder by one unit of its last digit, the requirement would hold. The file is flown before it is\n" +
        "written.\n" +
        "\nExit codes: 0 shrunk; 1 an error, or the flight violates no requirement; 2 wrong usage\n" +
        "\nExamples:\n  escapement shrink gusts.campaign.toml#411 -o small.toml\n" +
        "  escapement shrink bad.toml --require 'never tilt > 90 deg' -o small.toml",
    )
    .action(async (name: string, flags: ShrinkFlags) => {
      const { runShrink } = await import("../campaign/shrink.ts");
      await runShrink(name, flags);
    });
}
