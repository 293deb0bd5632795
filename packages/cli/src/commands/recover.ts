/** `escapement recover`: makes a complete file from an incomplete one that a killed process left behind. */
import { statSync } from "node:fs";
import type { Command } from "commander";
import {
  encodeRecording,
  logTable,
  assertHasRows,
  recoverUlog,
  type RecordingFile,
  type Table,
} from "@escapement/formats";
import { FileBytes, completeNameOf } from "@escapement/formats/node";
import { cliErrors } from "../errors.ts";
import { readAny, readBytes } from "../load/read-files.ts";
import { writeWhole } from "../outputs/files.ts";
import { openWholeLog } from "../outputs/logs.ts";
import { printWritten } from "../print/written.ts";
import { readLimits } from "./flag-values.ts";
import { READ_LIMIT_FLAG } from "./options.ts";

interface RecoverFlags {
  readonly output?: string;
  readonly overwrite?: true;
  readonly readLimit?: string;
  readonly json?: true;
}

export function addRecover(program: Command): void {
  program
    .command("recover")
    .description("make a complete file from a recording or log that was cut short")
    .argument("<part>", "a file that a killed process left behind, e.g. flight.mcap.4711.part")
    .option("-o, --output <file>", "name of the complete file; by default the name of the part without its suffix")
    .option("--overwrite", "replace a file that already exists")
    .option(...READ_LIMIT_FLAG)
    .option("--json", "print what was written as JSON")
    .addHelpText(
      "after",
      "\nRecordings and .csv, .ulg and .mcap logs are recovered up to their last complete chunk, row or record.\n" +
        "An .h5 or .parquet log that was cut short cannot be read: record a flight as .mcap and convert it.\n" +
        "\nExamples:\n  escapement recover flight.mcap.4711.part\n  escapement recover killed.csv -o whole.csv",
    )
    .action(async (part: string, flags: RecoverFlags) => {
      const path = flags.output ?? completeNameOf(part);
      if (path === undefined) {
        throw cliErrors.notAPart({
          what: "the name of the file does not contain the name of the complete file",
          where: { file: part },
          fix: "give a name with -o",
        });
      }
      const kind = await recover(part, path, flags);
      const { size: bytes } = statSync(path);
      printWritten({ path, kind, bytes }, flags.json === true);
    });
}

async function recover(part: string, path: string, flags: RecoverFlags): Promise<"recording" | "log"> {
  const overwrite = flags.overwrite === true;
  assertHasBytes(part);
  if (isUlog(path)) {
    // The records of a ULog have their own times, so they are copied instead of being written again as rows.
    const bytes = await recoverUlog(readBytes(part, "check the path"), part);
    writeWhole(path, bytes, overwrite);
    return "log";
  }
  const loaded = await readAny(part, readLimits(flags));
  if (loaded.kind === "recording") await writeRecording(loaded.file, path, overwrite);
  else await writeLog(loaded.table, path, overwrite);
  return loaded.kind;
}

const isUlog = (path: string) => /\.ulg$/i.test(path);

function assertHasBytes(part: string): void {
  if (statSync(part, { throwIfNoEntry: false })?.size !== 0) return;
  throw cliErrors.emptyPart({
    what: "the file is empty: the process that should have written it ended before it wrote anything",
    where: { file: part },
    fix: "delete it",
  });
}

async function writeRecording({ recording, ...rest }: RecordingFile, path: string, overwrite: boolean) {
  await encodeRecording(new FileBytes(path, { overwrite, whenComplete: true }), recording, rest);
}

async function writeLog(table: Table, path: string, overwrite: boolean): Promise<void> {
  assertHasRows(table);
  const { provenance, missing } = table;
  const described = { ...provenance, ...(missing === undefined ? {} : { incomplete: missing }) };
  const { sink } = await openWholeLog(path, { provenance: described, overwrite });
  await logTable(table, sink);
}
