/**
 * `escapement convert`: writes a log from a recording or from another log. From a recording, it writes the same bytes
 * as `fly`.
 */
import type { Command } from "commander";
import { logRecordingStream, logTable, assertHasRows } from "@escapement/formats";
import { cliErrors } from "../errors.ts";
import { useFile } from "../load/read-files.ts";
import { logOptionsOf, openWholeLog } from "../outputs/logs.ts";
import { printWritten } from "../print/written.ts";
import { readLimits } from "./flag-values.ts";
import { READ_LIMIT_FLAG } from "./options.ts";

interface ConvertFlags {
  readonly every?: string;
  readonly columns?: string;
  readonly overwrite?: true;
  readonly readLimit?: string;
  readonly json?: true;
}

export function addConvert(program: Command): void {
  program
    .command("convert")
    .description("write a log in another format from a recording or a log")
    .argument("<from>", "a recording (.mcap), or a log (.csv, .mcap, .h5, .parquet)")
    .argument(
      "<to>",
      "the log to write; the file extension selects the format: .csv .ulg .mcap .h5 .parquet; - writes CSV to standard output",
    )
    .option("--every <n>", "keep every n-th row")
    .option("--columns <names>", "keep only these columns, separated by commas")
    .option("--overwrite", "replace a file that already exists")
    .option(...READ_LIMIT_FLAG)
    .option("--json", "print what was written as JSON")
    .addHelpText(
      "after",
      "\nA log made from a recording has the same bytes as the log that fly --log writes.\n" +
        "\nExamples:\n  escapement convert flight.mcap flight.h5\n  escapement convert flight.mcap path.csv --columns pos_ned_n_m,pos_ned_e_m",
    )
    .action(async (from: string, to: string, flags: ConvertFlags) => {
      const bytes = await convert(from, to, flags);
      printWritten({ path: to, kind: "log", bytes }, flags.json === true);
    });
}

async function convert(from: string, to: string, flags: ConvertFlags): Promise<number> {
  const narrowed = {
    every: everyOf(flags.every),
    ...(flags.columns === undefined ? {} : { columns: flags.columns.split(",") }),
    overwrite: flags.overwrite === true,
  };
  return useFile(from, readLimits(flags), {
    recording: async (recording) => {
      const file = await openWholeLog(to, { ...logOptionsOf(recording), ...narrowed });
      await logRecordingStream(recording, file.sink);
      return file.bytes();
    },
    log: async (table) => {
      assertHasRows(table);
      const { provenance, missing } = table;
      const described = { ...provenance, ...(missing === undefined ? {} : { incomplete: missing }) };
      const file = await openWholeLog(to, { provenance: described, ...narrowed });
      await logTable(table, file.sink);
      return file.bytes();
    },
  });
}

function everyOf(text: string | undefined): number {
  const every = Number(text ?? 1);
  if (Number.isSafeInteger(every) && every > 0) return every;
  throw cliErrors.badCount({ what: `--every ${text} is not a number of rows`, fix: "use a positive integer" });
}
