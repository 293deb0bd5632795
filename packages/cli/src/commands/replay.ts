/** `escapement replay`: flies a recording again, open loop or with a live stage, and reports whether the bits agree. */
import type { Command } from "commander";
import {
  definitionOf,
  type Recording,
  type Registry,
  replayFlight,
  type ReplayedStage,
  type ReplayResult,
} from "@escapement/core";
import { LOCKSTEP_KIND } from "@escapement/px4";
import { cliErrors } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { parseIntegrator } from "../load/overrides.ts";
import { withCustomParts } from "../load/custom-parts.ts";
import { useRecording } from "../load/read-files.ts";
import { columnsOf, styleFor, wrap } from "../print/style.ts";
import { registry } from "../registry.ts";
import { VERSION } from "../version.ts";
import { readLimits } from "./flag-values.ts";
import { collect, READ_LIMIT_FLAG, WITH_FLAG } from "./options.ts";

export const STAGES: readonly ReplayedStage[] = ["scenario", "wind", "sensors", "estimator", "autopilot"];

interface ReplayFlags {
  readonly live: readonly string[];
  readonly integrator?: string;
  readonly with: readonly string[];
  readonly readLimit?: string;
  readonly json?: true;
}

export function addReplay(program: Command): void {
  program
    .command("replay")
    .description("fly a recording again and check that the result is identical, bit for bit")
    .argument("<recording>", "an .mcap file written by fly --record")
    .option(
      "--live <stage>",
      `run a stage live instead of replaying it (${STAGES.join(", ")}; repeatable)`,
      collect,
      [],
    )
    .option("--integrator <kind[:key=value,…]>", "replace the integrator")
    .option(...WITH_FLAG, collect, [])
    .option(...READ_LIMIT_FLAG)
    .option("--json", "print as JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  escapement replay flight.mcap\n  escapement replay flight.mcap --live autopilot\n  escapement replay flight.mcap --integrator rk45:toleranceScale=0.01",
    )
    .action(async (path: string, flags: ReplayFlags) => {
      process.exitCode = await runReplay(path, flags);
    });
}

async function runReplay(path: string, flags: ReplayFlags): Promise<number> {
  const parts = await withCustomParts(registry, flags.with);
  const { result, stream } = await useRecording(path, readLimits(flags), async (opened, readWhole) => {
    const options = {
      live: flags.live.map(stageOf),
      marks: opened.perSecond,
      ...(flags.integrator === undefined ? {} : { integrator: parseIntegrator(flags.integrator, parts) }),
    };
    if (!runsLibrary(opened, parts, options.live)) {
      return { stream: opened, result: replayFlight(opened.fed(), { ...options, registry: parts }) };
    }
    // The library flies in its own process, which receives the whole recording.
    const { replayWithLibrary } = await import("../px4.ts");
    const { recording } = await readWhole();
    return { stream: opened, result: await replayWithLibrary(recording, parts, options) };
  });
  const { reproduces, changed, plantDigest, differsUs, end } = result;
  const { missing, versions } = stream;
  const recorded = stream.digests.plant;
  if (flags.json === true) {
    const facts = { reproduces, changed, live: flags.live, plantDigest, recorded, differsUs, missing, versions, end };
    process.stdout.write(`${JSON.stringify(facts, null, 2)}\n`);
  } else process.stdout.write(`${verdictText(result, path, { ...stream, parts }, flags)}\n`);
  return reproduces || changed.length > 0 || flags.live.length > 0 ? EXIT.done : EXIT.differentBits;
}

/** Returns true if the PX4 library runs live in a replay of this recording. Such a replay needs its own process. */
export function runsLibrary(
  recording: Pick<Recording, "resolved">,
  parts: Registry,
  live: readonly ReplayedStage[],
): boolean {
  return live.includes("autopilot") && definitionOf(recording, parts).autopilot.kind === LOCKSTEP_KIND;
}

/** Returns a line that says whether the bits are the same. If they differ, further lines say since when and why. */
function verdictText(result: ReplayResult, path: string, stream: ReplayedFile, flags: ReplayFlags): string {
  const { reproduces, plantDigest, differsUs, end } = result;
  const recorded = stream.digests.plant;
  const style = styleFor(process.stdout, process.env);
  if (reproduces) {
    const proof = recorded === "" ? "in every recorded second" : `fp1:${plantDigest}`;
    return `${style.accent("the same bits")}  ${proof}  ${(end.endUs / 1e6).toFixed(2)} s, ${end.boundaries} boundaries`;
  }
  const since = differsUs === undefined ? "" : `since ${(differsUs / 1e6).toFixed(2)} s at the latest; `;
  const lines = [
    ...reasonsOf(stream, flags),
    `${since}recorded fp1:${recorded}, now fp1:${plantDigest}`,
    ...(flags.integrator === undefined
      ? []
      : [`to measure the difference: escapement compare ${path} --integrator ${flags.integrator}`]),
  ];
  const columns = columnsOf(process.stdout);
  const head = flags.integrator === undefined ? "different bits" : "different bits, as expected";
  return [style.trouble(head), ...lines.map((line) => `  ${wrap(line, columns, "    ", 2)}`)].join("\n");
}

interface ReplayedFile extends Pick<Recording, "digests" | "resolved"> {
  readonly versions: Readonly<Record<string, string>>;
  readonly parts: Registry;
}

/** Returns the reasons for different bits, each as a line. */
function reasonsOf(stream: ReplayedFile, flags: ReplayFlags): string[] {
  const version = stream.versions["escapement"];
  const isOtherVersion = version !== undefined && version !== VERSION;
  const reasons = [
    ...(flags.integrator === undefined
      ? []
      : [`integrator ${flags.integrator} instead of ${definitionOf(stream, stream.parts).integrator.kind}`]),
    ...(flags.live.length > 0 ? [`${flags.live.join(" and ")} ran live`] : []),
    ...(isOtherVersion ? [`recorded by Escapement ${version}, replayed by ${VERSION}`] : []),
  ];
  return reasons.length > 0 ? reasons : ["this build computes different bits from the same inputs"];
}

function stageOf(name: string): ReplayedStage {
  const stage = STAGES.find((candidate) => candidate === name);
  if (stage !== undefined) return stage;
  throw cliErrors.unknownStage({
    what: `there is no stage "${name}" to run live`,
    fix: `use one of: ${STAGES.join(", ")}`,
  });
}
