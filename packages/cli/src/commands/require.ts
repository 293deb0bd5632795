/**
 * `escapement require`: judges a recording or a log. A recording is replayed, so its verdicts are those of the flight.
 * A log, even of a real vehicle, is judged by its samples.
 */
import type { Command } from "commander";
import { judgeLog, judgeRecording, requirement, type Requirement, type Verdict } from "@escapement/core";
import { loggedFlight, type RecordingStream } from "@escapement/formats";
import { cliErrors } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { withCustomParts } from "../load/custom-parts.ts";
import { useFile } from "../load/read-files.ts";
import { recordedRequirements } from "../load/recorded-requirements.ts";
import { columnsOf, styleFor } from "../print/style.ts";
import { verdictFacts, verdictLines } from "../print/verdicts.ts";
import { registry } from "../registry.ts";
import { verdictExit } from "../verdict-exit.ts";
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
    .description("evaluate requirements on a recorded or logged flight")
    .argument(
      "<file>",
      "a recording (.mcap), or a log (.ulg, .csv, .parquet, .h5, .mcap), which may come from a real vehicle",
    )
    .argument(
      "[requirements...]",
      'sentences such as "never tilt > 60 deg"; by default the requirements in the recording',
    )
    .option(...WITH_FLAG, collect, [])
    .option(...READ_LIMIT_FLAG)
    .option("--json", "print as JSON")
    .addHelpText(
      "after",
      "\nIf requirements are given, only these are evaluated, and not those in the recording. A log contains none.\n" +
        "\nExit codes: 0 all hold, 5 at least one is violated, 6 none is violated but at least one is undecided\n" +
        "\nExamples:\n  escapement require flight.mcap\n  escapement require flight.mcap 'never tilt > 60 deg'\n" +
        "  escapement require px4.ulg 'while armed: tilt < 45 deg' --json",
    )
    .action(async (path: string, texts: readonly string[], flags: RequireFlags) => {
      process.exitCode = await runRequire(path, texts, flags);
    });
}

async function runRequire(path: string, texts: readonly string[], flags: RequireFlags): Promise<number> {
  const parts = await withCustomParts(registry, flags.with);
  const { verdicts, isLog } = await useFile(path, readLimits(flags), {
    recording: async (stream) => {
      const requirements = requirementsOf(path, texts, stream);
      return { verdicts: judgeRecording(stream.fed(), requirements, parts), isLog: false };
    },
    log: async (table) => {
      if (texts.length === 0) throw nothingToJudge(path, "a log does not contain requirements");
      return { verdicts: judgeLog(loggedFlight(table), texts), isLog: true };
    },
  });
  const style = styleFor(process.stdout, process.env);
  const text =
    flags.json === true
      ? JSON.stringify(verdicts.map(verdictFacts), null, 2)
      : [
          ...verdictLines(verdicts, style, columnsOf(process.stdout)),
          ...(isLog ? [style.quiet(samplingText(verdicts))] : []),
        ].join("\n");
  process.stdout.write(`${text}\n`);
  return verdictExit(verdicts) ?? EXIT.done;
}

/** Returns the given requirements, or the recorded ones if none is given. */
function requirementsOf(path: string, texts: readonly string[], stream: RecordingStream): Requirement[] {
  if (texts.length > 0) return texts.map((text) => requirement(text));
  const recorded = recordedRequirements(stream);
  if (recorded.length === 0) throw nothingToJudge(path, "the recording does not contain requirements");
  return recorded;
}

function nothingToJudge(path: string, what: string): Error {
  return cliErrors.wrongUsage({
    what,
    where: { file: path },
    fix: `give one or more, e.g. escapement require ${path} 'never tilt > 60 deg'`,
  });
}

/** Returns a line about the sampling of a log. */
function samplingText(verdicts: readonly Verdict[]): string {
  const gapMs = Math.max(...verdicts.map(({ longestSampleGapUs }) => longestSampleGapUs)) / 1000;
  return `  evaluated on the samples of the log, which are up to ${Number(gapMs.toPrecision(3))} ms apart`;
}
