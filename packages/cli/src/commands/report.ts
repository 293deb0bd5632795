/** `escapement report`: writes one self-contained page about a flight, or about several on the same axes. */
import { basename } from "node:path";
import type { Command } from "commander";
import {
  definitionOf,
  type FedRecording,
  judgeRecording,
  type Registry,
  requirement,
  type Requirement,
  summarise,
} from "@escapement/core";
import type { ReadLimits, RecordingStream } from "@escapement/formats";
import { type FlightReport, makeReport, type PackedViewer, recordedText } from "@escapement/viewer";
import { cliErrors } from "../errors.ts";
import { withCustomParts } from "../load/custom-parts.ts";
import { useRecordings } from "../load/read-files.ts";
import { recordedRequirements } from "../load/recorded-requirements.ts";
import { checkPage, pageName, writePage } from "../outputs/pages.ts";
import { pack, viewerParts } from "../outputs/viewer-parts.ts";
import { printWritten } from "../print/written.ts";
import { registry } from "../registry.ts";
import { VERSION } from "../version.ts";
import { readLimits } from "./flag-values.ts";
import { collect, READ_LIMIT_FLAG, WITH_FLAG } from "./options.ts";

interface ReportFlags {
  readonly output?: string;
  readonly overwrite?: true;
  readonly flies?: true;
  readonly require: readonly string[];
  readonly with: readonly string[];
  readonly readLimit?: string;
  readonly json?: true;
}

export function addReport(program: Command): void {
  program
    .command("report")
    .description("write a page with plots of a flight; it opens offline")
    .argument("<recording>", "an .mcap file written by fly --record")
    .argument("[others...]", "recordings to compare with it, e.g. its branches")
    .option("-o, --output <file.html>", "name of the page; default: the recording's name with .html")
    .option("--overwrite", "replace a file that is not an Escapement page")
    .option("--flies", "include the viewer, which flies the flights again and opens from the report (about 1 MB)")
    .option("--require <text>", "evaluate one more requirement and mark it on the plots (repeatable)", collect, [])
    .option(...WITH_FLAG, collect, [])
    .option(...READ_LIMIT_FLAG)
    .option("--json", "print what was written as JSON")
    .addHelpText(
      "after",
      "\nThe page has the verdicts of the requirements of each flight, if the recording contains them, and those of --require.\n" +
        "\nExamples:\n  escapement report flight.mcap --require 'never tilt > 20 deg'\n  escapement report parent.mcap branch1.mcap branch2.mcap -o change.html",
    )
    .action(async (path: string, others: readonly string[], flags: ReportFlags) => {
      const output = flags.output ?? pageName(path);
      checkPage(output, flags.overwrite === true);
      const paths = [path, ...others];
      if (paths.length > MAX_FLIGHTS) throw tooMany(paths.length);
      const request: ReportRequest = { texts: flags.require, registry: await withCustomParts(registry, flags.with) };
      const reports = await readReports(paths, readLimits(flags), request);
      const viewer = flags.flies === true ? packViewer(reports) : undefined;
      const bytes = writePage(output, reports, flags.overwrite === true, viewer);
      printWritten({ path: output, kind: "page", bytes }, flags.json === true);
    });
}

/** Packs the viewer with those flights of a report that it can fly. */
function packViewer(reports: readonly FlightReport[]): PackedViewer {
  const flights = reports.flatMap(({ head }) => {
    const { definition, hash, fingerprint, missing, title, file = `${title}.mcap` } = head;
    const text = missing === undefined ? recordedText({ resolved: definition, resolvedHash: hash }) : undefined;
    if (text === undefined) return [];
    return [{ name: file.replace(/\.mcap$/i, ""), text, files: {}, expected: { fingerprint, hash } }];
  });
  if (flights.length === 0) {
    throw cliErrors.notFlyable({
      what: "--flies: a browser cannot fly any of these flights",
      fix: "leave out --flies",
    });
  }
  const { script, style, engine } = viewerParts();
  return { script: pack(script), style: pack(style), engine, version: VERSION, data: { flights, files: [] } };
}

/** A page has eight colours, one per flight. */
const MAX_FLIGHTS = 8;

function tooMany(count: number): Error {
  return cliErrors.badCount({
    what: `a page shows at most ${MAX_FLIGHTS} recordings, but ${count} are given`,
    fix: "write several pages, each of which starts with the recording to compare with",
  });
}

/** The requirements to judge in addition to the recorded ones, and the parts that a replay of the flights needs. */
interface ReportRequest {
  readonly texts: readonly string[];
  readonly registry: Registry;
}

/** Reads recordings and makes their reports. All reports have the time resolution of the longest recording. */
export async function readReports(
  paths: readonly string[],
  limits: ReadLimits,
  request: ReportRequest,
): Promise<FlightReport[]> {
  return useRecordings(paths, limits, async (streams) => {
    const longestRows = Math.max(...streams.map(({ counts }) => counts.get("state") ?? 0));
    return streams.map((stream, i) =>
      reportOf(paths[i]!, stream, request, longestRows, i === 0 ? undefined : streams[0]!.fed()),
    );
  });
}

function reportOf(
  path: string,
  stream: RecordingStream,
  { texts, registry: parts }: ReportRequest,
  longestRows: number,
  first: FedRecording | undefined,
): FlightReport {
  const { missing, versions } = stream;
  const recording = stream.fed();
  const requirements = requirementsOf(stream, texts);
  const { kind: outcome, reason, events, extremes } = summarise(recording);
  return makeReport({
    recording,
    definition: definitionOf(recording),
    outcome: missing === undefined ? outcome : "cut short",
    reason: missing === undefined ? reason : `recorded up to ${(recording.endUs / 1e6).toFixed(2)} s`,
    events,
    extremes,
    verdicts: requirements.length === 0 ? [] : judgeRecording(recording, requirements, parts),
    version: versions["escapement"] ?? VERSION,
    file: basename(path),
    longestRows,
    ...(first === undefined ? {} : { first }),
    ...(missing === undefined ? {} : { missing }),
  });
}

/** Returns the recorded requirements, then those of the command. A requirement in both is judged once. */
function requirementsOf(stream: RecordingStream, texts: readonly string[]): Requirement[] {
  const recorded = recordedRequirements(stream);
  const isRecorded = ({ text }: Requirement) => recorded.some((each) => each.text === text);
  return [...recorded, ...texts.map((text) => requirement(text)).filter((each) => !isRecorded(each))];
}
