/**
 * `escapement fly`: flies a flight. This file declares the flags; the code that flies is loaded when the command runs.
 */
import { type Command, Option } from "commander";
import { collect, WITH_FLAG } from "./options.ts";

export interface FlyFlags {
  readonly set: readonly string[];
  readonly seed?: string;
  readonly until?: string;
  readonly log?: readonly string[];
  readonly record?: string;
  readonly picture?: string;
  readonly pace?: string;
  readonly overwrite?: true;
  readonly require?: readonly string[];
  readonly exit?: string;
  readonly bisect?: true;
  readonly with: readonly string[];
  readonly autopilot?: string;
  readonly json?: true;
  readonly codegen: boolean;
  readonly px4Log?: string;
  readonly px4Instance?: string;
  readonly px4ReplyMs?: string;
  readonly px4Attach?: true;
}

export function addFly(program: Command): void {
  program
    .command("fly")
    .description("fly a flight and print what happened")
    .argument(
      "[flight]",
      "a built-in flight or vehicle, a .toml or .json file, a recording (.mcap), a flight of a campaign (gusts.campaign.toml#7, folder#7 or its identity c1:…/7), or - for standard input",
      "mission",
    )
    .optionsGroup("Flight:")
    .option("--set <key=value>", "override a value of the description (repeatable)", collect, [])
    .option("--seed <n>", "seed of every random stream")
    .option("--until <seconds>", "end the flight at this time at the latest")
    .option(...WITH_FLAG, collect, [])
    .option("--autopilot <kind>", "replace the autopilot: embedded, px4-lockstep, px4-sitl …")
    .option("--pace <factor>", "fly at this multiple of real time")
    .option("--no-codegen", "do not compile code for the vehicle: slower, but the same bits")
    .optionsGroup("Output:")
    .option(
      "--log <file...>",
      "write logs; the file extension selects the format: .csv .ulg .mcap .h5 .parquet; - writes CSV to standard output",
    )
    .option("--record <file>", "write a recording (.mcap) that can be replayed")
    .option("--picture <file>", "draw track and altitude as .svg or .png")
    .option("--json", "print the result as JSON")
    .option("--overwrite", "replace files that already exist")
    .optionsGroup("Requirements and exit code:")
    .option("--require <text>", "evaluate a requirement, e.g. 'never tilt > 60 deg' (repeatable)", collect, [])
    .addOption(
      new Option("--exit <by>", "what decides the exit code of a flight with requirements").choices([
        "verdicts",
        "outcome",
      ]),
    )
    .option(
      "--bisect",
      "for git bisect run: exit with 125 if the flight cannot be flown, so that the commit is skipped",
    )
    .optionsGroup("Stock PX4:")
    .option("--px4-log <file>", "keep the .ulg that stock PX4 writes itself")
    .option("--px4-instance <n>", "number of the stock PX4 instance, 0 to 9")
    .option("--px4-reply-ms <ms>", "time limit for a reply from stock PX4, at most 1000")
    .option("--px4-attach", "wait for a stock PX4 that you start, e.g. in a debugger, without time limits")
    .addHelpText(
      "after",
      "\nExit codes: 0 completed, 1 an error or a failed flight, 2 wrong usage, 3 time ran out,\n" +
        "4 crashed, 5 a requirement is violated, 6 a requirement is undecided, 125 with\n" +
        "--bisect: an error, 130 interrupted. If there are requirements, their verdicts\n" +
        "decide the exit code; --exit outcome restores 3 and 4.\n" +
        "\nExamples:\n  escapement fly mission --seed 7 --log flight.csv flight.ulg\n  escapement fly gusty.toml --set wind.kind=dryden --json\n  escapement fly flight.mcap --seed 8",
    )
    .action(async (name: string, flags: FlyFlags) => {
      const { runFly } = await import("../run.ts");
      process.exitCode = flags.bisect === true ? await withSkipCode(runFly(name, flags)) : await runFly(name, flags);
    });
}

/** Returns 125 if the flight cannot be flown: such an error says nothing about the commit, so `git bisect` skips it. */
async function withSkipCode(code: Promise<number>): Promise<number> {
  try {
    return await code;
  } catch (error) {
    const [{ SimError }, { printError }, { EXIT }] = await Promise.all([
      import("@escapement/core"),
      import("../print/error.ts"),
      import("../exit-codes.ts"),
    ]);
    if (!(error instanceof SimError)) throw error;
    printError(error);
    return EXIT.skipped;
  }
}
