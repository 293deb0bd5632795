/** `escapement report`: writes one self-contained page about a flight, or about two side by side. */
import type { Command } from "commander";
import { definitionOf, summarise } from "@escapement/core";
import type { ReadLimits } from "@escapement/formats";
import { type FlightReport, makeReport } from "@escapement/viewer";
import { loadRecording } from "../load/read-files.ts";
import { checkPage, pageName, writePage } from "../outputs/pages.ts";
import { printWritten } from "../print/written.ts";
import { VERSION } from "../version.ts";
import { READ_LIMIT_FLAG, readLimits } from "./options.ts";

interface ReportFlags {
  readonly output?: string;
  readonly overwrite?: true;
  readonly readLimit?: string;
  readonly json?: true;
}

export function addReport(program: Command): void {
  program
    .command("report")
    .description("write a page with plots of a flight; it opens offline")
    .argument("<recording>", "an .mcap file written by fly --record")
    .argument("[other]", "a second recording to compare with")
    .option("-o, --output <file.html>", "name of the page; default: the recording's name with .html")
    .option("--overwrite", "replace a file that is not an Escapement page")
    .option(...READ_LIMIT_FLAG)
    .option("--json", "print what was written as JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  escapement report flight.mcap -o flight.html\n  escapement report before.mcap after.mcap -o change.html",
    )
    .action(async (path: string, other: string | undefined, flags: ReportFlags) => {
      const output = flags.output ?? pageName(path);
      checkPage(output, flags.overwrite === true);
      const limits = readLimits(flags);
      const reports = [await reportOf(path, limits), ...(other === undefined ? [] : [await reportOf(other, limits)])];
      const bytes = writePage(output, reports, flags.overwrite === true);
      printWritten({ path: output, kind: "page", bytes }, flags.json === true);
    });
}

async function reportOf(path: string, limits: ReadLimits): Promise<FlightReport> {
  const { recording, missing, versions } = await loadRecording(path, limits);
  const { kind: outcome, reason, events, extremes } = summarise(recording);
  return makeReport({
    recording,
    definition: definitionOf(recording),
    outcome: missing === undefined ? outcome : "cut short",
    reason: missing === undefined ? reason : `recorded up to ${(recording.endUs / 1e6).toFixed(2)} s`,
    events,
    extremes,
    version: versions["escapement"] ?? VERSION,
    ...(missing === undefined ? {} : { missing }),
  });
}
