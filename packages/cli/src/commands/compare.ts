/** `escapement compare`: replays a recording with several integrators and compares them with a reference. */
import type { Command } from "commander";
import {
  compareReplays,
  definitionOf,
  pathFollowedUntilUs,
  type Recording,
  type ReplayComparison,
  type ReplayedStage,
  type Variant,
} from "@escapement/core";
import type { RecordingStream } from "@escapement/formats";
import { makeComparisonReport } from "@escapement/viewer";
import { cliErrors } from "../errors.ts";
import { parseIntegrator } from "../load/overrides.ts";
import { withCustomParts } from "../load/custom-parts.ts";
import { useRecording } from "../load/read-files.ts";
import { checkEnding, checkNames, writeWhole } from "../outputs/files.ts";
import { checkPage, writePage } from "../outputs/pages.ts";
import { comparisonPicture } from "../picture/comparison-picture.ts";
import { pictureKind, render } from "../picture/render.ts";
import {
  comparisonCsv,
  comparisonJson,
  type ComparisonScope,
  comparisonText,
  timeRatios,
} from "../print/comparison.ts";
import { columnsOf, styleFor } from "../print/style.ts";
import { registry } from "../registry.ts";
import { VERSION } from "../version.ts";
import { readLimits, secondsFlag } from "./flag-values.ts";
import { collect, READ_LIMIT_FLAG, WITH_FLAG } from "./options.ts";
import { runsLibrary } from "./replay.ts";

interface CompareFlags {
  readonly integrator: readonly string[];
  readonly with: readonly string[];
  readonly reference: string;
  readonly until?: string;
  readonly closedLoop?: true;
  readonly csv?: string;
  readonly picture?: string;
  readonly report?: string;
  readonly overwrite?: true;
  readonly readLimit?: string;
  readonly json?: true;
}

/** The stages of the control loop. */
const LOOP: readonly ReplayedStage[] = ["sensors", "estimator", "autopilot"];
/** An open-loop comparison ends when the reference is this far from the recorded path. */
const MAX_PATH_ERROR_M = 0.01;
const DEFAULT_INTEGRATORS = registry.integrators.map(({ name }) => name).sort();
/** A tight tolerance. At a contact, the integrator accepts its shortest step instead of failing. */
const REFERENCE = "rk45:toleranceScale=0.0001,atMinimum=accept";

export function addCompare(program: Command): void {
  program
    .command("compare")
    .description("replay a recording with several integrators and compare them with a reference")
    .argument("<recording>", "an .mcap file written by fly --record")
    .option(
      "--integrator <kind[:key=value,…]>",
      `an integrator to compare (repeatable); default: ${DEFAULT_INTEGRATORS.join(", ")}`,
      collect,
      [],
    )
    .option("--reference <kind[:key=value,…]>", "the integrator to compare them with", REFERENCE)
    .option(...WITH_FLAG, collect, [])
    .option(
      "--until <seconds>",
      "compare the flight up to this time; default: the whole flight in closed loop, and in open loop the part in which the reference follows the recorded path",
    )
    .option("--closed-loop", "run sensors, estimator and autopilot live instead of replaying the recorded commands")
    .option("--csv <file>", "write the table as CSV")
    .option("--picture <file>", "draw the position errors over time as .svg or .png")
    .option("--report <file.html>", "write a page with the errors over time, side by side")
    .option("--overwrite", "replace files that already exist")
    .option(...READ_LIMIT_FLAG)
    .option("--json", "print as JSON")
    .addHelpText(
      "after",
      "\nA comparison is open loop unless --closed-loop is given: the recorded commands are replayed, nothing corrects\n" +
        "an error, and every error grows with time.\n" +
        "\nExamples:\n  escapement compare flight.mcap\n  escapement compare flight.mcap --closed-loop\n  escapement compare flight.mcap --integrator rk4 --report errors.html",
    )
    .action(async (path: string, flags: CompareFlags) => runCompare(path, flags));
}

async function runCompare(path: string, flags: CompareFlags): Promise<void> {
  checkFiles(flags);
  const parts = await withCustomParts(registry, flags.with);
  const variantOf = (label: string): Variant => ({
    label,
    options: { registry: parts, integrator: parseIntegrator(label, parts) },
  });
  const reference = variantOf(flags.reference);
  const { recording, fingerprint, ...scope } = await useRecording(path, readLimits(flags), async (stream) => ({
    ...(await partToCompare(path, stream, reference, flags)),
    fingerprint: stream.digests.plant === "" ? "" : `fp1:${stream.digests.plant}`,
  }));
  const live = flags.closedLoop === true ? LOOP : [];
  if (runsLibrary(recording, parts, live)) {
    throw cliErrors.notWithLibrary({
      what: "--closed-loop flies several times in one process, but the PX4 library can fly only once per process",
      fix: "compare open loop, or replay with --live autopilot --integrator … once for each integrator",
    });
  }
  const comparison = compareReplays(recording, {
    variants: (flags.integrator.length > 0 ? flags.integrator : DEFAULT_INTEGRATORS).map(variantOf),
    reference,
    live,
    now: () => performance.now() / 1e3,
  });
  const text =
    flags.json === true
      ? comparisonJson(scope, comparison, recording.digests.plant !== "")
      : comparisonText(scope, comparison, styleFor(process.stdout, process.env), columnsOf(process.stdout));
  process.stdout.write(`${text}\n`);
  writeFiles({ recording, fingerprint, comparison }, flags);
}

/** Selects the part of the recording to replay, and reads only this part into memory. */
async function partToCompare(
  path: string,
  stream: RecordingStream,
  reference: Variant,
  { until, closedLoop }: CompareFlags,
): Promise<ComparisonScope & { readonly recording: Recording }> {
  const scope = { path, recordedUs: stream.endUs };
  if (closedLoop === true || until !== undefined) {
    const recording = await stream.until(until === undefined ? stream.endUs : secondsFlag("--until", until));
    return { ...scope, recording, loop: closedLoop === true ? "closed" : "open", endUs: recording.endUs };
  }
  const recording = await stream.until(pathFollowedUntilUs(stream.fed(), reference, MAX_PATH_ERROR_M));
  const isCut = recording.endUs < stream.endUs;
  return {
    ...scope,
    recording,
    loop: "open",
    endUs: recording.endUs,
    ...(isCut ? { leftPathM: MAX_PATH_ERROR_M } : {}),
  };
}

/** Checks the file names before the replays, which take a long time. */
function checkFiles({ csv, picture, report, overwrite }: CompareFlags): void {
  if (csv !== undefined) checkEnding(csv, ".csv", "the table");
  if (picture !== undefined) pictureKind(picture);
  checkNames(
    [csv, picture].filter((name) => name !== undefined),
    overwrite === true,
  );
  if (report !== undefined) checkPage(report, overwrite === true);
}

interface Compared {
  readonly recording: Recording;
  /** Fingerprint of the whole recording; empty if it has none. */
  readonly fingerprint: string;
  readonly comparison: ReplayComparison;
}

function writeFiles({ recording, fingerprint, comparison }: Compared, flags: CompareFlags): void {
  const overwrite = flags.overwrite === true;
  if (flags.csv !== undefined) writeWhole(flags.csv, comparisonCsv(comparison), overwrite);
  if (flags.picture !== undefined) {
    writeWhole(flags.picture, render(comparisonPicture(comparison), flags.picture), overwrite);
  }
  if (flags.report === undefined) return;
  const page = makeComparisonReport({
    comparison,
    definition: definitionOf(recording),
    loop: flags.closedLoop === true ? "closed" : "open",
    fingerprint,
    version: VERSION,
    timeRatios: timeRatios(comparison),
  });
  writePage(flags.report, [page], overwrite);
}
