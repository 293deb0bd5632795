/**
 * `escapement campaign`: flies many flights and judges them together. This file declares the flags; the code that flies
 * is loaded when the command runs.
 */
import type { Command } from "commander";
import { collect, WITH_FLAG } from "./options.ts";

export interface CampaignFlags {
  readonly output?: string;
  readonly jobs?: string;
  readonly shard?: string;
  readonly store?: string;
  readonly fleet?: string;
  readonly lock?: string;
  readonly limit?: string;
  readonly fresh?: true;
  readonly retry?: true;
  readonly flights?: string;
  readonly cacheFrom?: string;
  readonly sample?: string;
  readonly junit?: string;
  readonly report?: string;
  readonly exit?: string;
  readonly cache: boolean;
  readonly with: readonly string[];
  readonly json?: true;
}

export function addCampaign(program: Command): void {
  // Without positional options, `campaign merge … -o gusts` would set the output of `campaign`, not of `merge`.
  program.enablePositionalOptions();
  const campaign = program
    .command("campaign")
    .enablePositionalOptions()
    .description("fly many flights, evaluate them together, and continue after an interruption")
    .argument("<campaign>", "a campaign file (.toml or .json)")
    .option("-o, --output <folder>", "folder of the journal and the results; by default named after the file")
    .option("--jobs <n>", "number of concurrent flights; by default one per core")
    .option("--shard <i/n>", "fly only part i of n; `campaign merge` merges the parts")
    .option("--store <url>", "also write the rows to an object store, s3://bucket/folder, for `campaign merge`")
    .option("--fleet <url>", "fly on the workers that joined this Redis or Valkey server (`escapement join`)")
    .option(
      "--lock <seconds>",
      "with --fleet: time after which other workers fly the flights of a worker that does not respond (default 30)",
    )
    .option(
      "--limit <seconds>",
      "processor time that every flight may take; after that its thread may be replaced (default 30)",
    )
    .option("--flights <a..b>", "fly only the flights a to b − 1")
    .option("--fresh", "set the journal of an earlier run aside and start again")
    .option("--retry", "fly flights again whose outcome is failed or poisoned")
    .option("--no-cache", "fly every flight, even if the same flight was flown before")
    .option(
      "--cache-from <folder>",
      "reuse the rows of this earlier run by another build, after a sample of them was flown again",
    )
    .option("--sample <share>", "with --cache-from: fraction of the rows that are flown again (default 5%)")
    .option("--junit <file>", "also write the results as JUnit XML to this file")
    .option("--report <file>", "also write the page to this file")
    .option("--exit <rule>", "flown: exit with 0 if every flight has a row, regardless of the verdicts")
    .option(...WITH_FLAG, collect, [])
    .option("--json", "print the summary as JSON")
    .addHelpText(
      "after",
      "\nExit codes: 0 all criteria met (without criteria: every requirement holds in every flight), 1 an error,\n" +
        "2 wrong usage, 5 a criterion is not met, 6 a criterion is open, 7 flights have no result, 130 interrupted\n" +
        "\nExamples:\n  escapement campaign gusts.campaign.toml\n  escapement campaign gusts.campaign.toml --shard 3/100 -o part-3 --exit flown\n  escapement campaign gusts.campaign.toml --fleet redis://10.0.0.5:6379",
    )
    .action(async (file: string, flags: CampaignFlags) => {
      const { runCampaignCommand } = await import("../campaign/run.ts");
      process.exitCode = await runCampaignCommand(file, flags);
    });
  addMerge(campaign);
  addDiff(campaign);
  addPage(campaign);
  addJudge(campaign);
}

function addMerge(campaign: Command): void {
  campaign
    .command("merge")
    .description("merge the parts of a campaign that were flown with --shard, and evaluate them together")
    .argument("<folders...>", "the folders of the parts, or an object store, s3://bucket/folder")
    .requiredOption("-o, --output <folder>", "folder for the merged journal and the results")
    .option("--json", "print the summary as JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  escapement campaign merge part-* -o gusts\n  escapement campaign merge part-1 part-2 -o gusts --json\n  escapement campaign merge s3://bucket/gusts -o gusts",
    )
    .action(async (folders: string[], flags: { readonly output: string; readonly json?: true }) => {
      const { runMerge } = await import("../campaign/merge.ts");
      process.exitCode = await runMerge(folders, flags);
    });
}

function addDiff(campaign: Command): void {
  campaign
    .command("diff")
    .description("compare two runs of a campaign flight by flight")
    .argument("<before>", "folder of a run")
    .argument("<after>", "folder of another run of the same campaign")
    .option("--json", "print the comparison as JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  escapement campaign diff before after\n  escapement campaign diff main my-branch --json",
    )
    .action(async (before: string, after: string, flags: { readonly json?: true }) => {
      const { runCampaignDiff } = await import("../campaign/diff.ts");
      process.exitCode = runCampaignDiff(before, after, flags.json === true);
    });
}

function addPage(campaign: Command): void {
  campaign
    .command("report")
    .description("write the page of a campaign again from its rows")
    .argument("<folder>", "folder of a run")
    .option("-o, --output <file.html>", "name of the page; by default report.html in the folder")
    .option("--json", "print what was written as JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  escapement campaign report gusts\n  escapement campaign report gusts -o gusts.html",
    )
    .action(async (folder: string, flags: { readonly output?: string; readonly json?: true }) => {
      const { runCampaignReport } = await import("../campaign/report.ts");
      await runCampaignReport(folder, flags);
    });
}

export interface JudgeFlags {
  readonly require: readonly string[];
  readonly criterion: readonly string[];
  readonly output?: string;
  readonly jobs?: string;
  readonly limit?: string;
  readonly with: readonly string[];
  readonly json?: true;
}

function addJudge(campaign: Command): void {
  campaign
    .command("judge")
    .description("evaluate the flights of a campaign with more requirements")
    .argument("<folder>", "folder of a run")
    .option("--require <text>", "a requirement, e.g. 'never tilt > 45 deg' (repeatable)", collect, [])
    .option(
      "--criterion <text>",
      "a criterion; the given criteria replace those of the campaign (repeatable)",
      collect,
      [],
    )
    .option("-o, --output <folder>", "folder of the results; by default the folder's name with -judged")
    .option("--jobs <n>", "number of concurrent flights; by default one per core")
    .option(
      "--limit <seconds>",
      "processor time that every flight may take; after that its thread may be replaced (default 30)",
    )
    .option(...WITH_FLAG, collect, [])
    .option("--json", "print the summary as JSON")
    .addHelpText(
      "after",
      "\nThe same flights are flown again, because a campaign stores rows but no trajectories.\n" +
        "The exit codes are the same as for campaign.\n" +
        "\nExamples:\n  escapement campaign judge gusts --require 'never tilt > 45 deg'\n" +
        "  escapement campaign judge gusts --require 'never tilt > 30 deg' -o stricter",
    )
    .action(async (folder: string, flags: JudgeFlags) => {
      const { runJudge } = await import("../campaign/judge.ts");
      process.exitCode = await runJudge(folder, flags);
    });
}
