/** `escapement replay`: flies a recording again, open loop or with one stage live, and says whether the bits agree. */
import type { Command } from "commander";
import { mustResolve, replayFlight, type ReplayedStage, type ReplayFlightOptions, resolveFlight } from "@escapement/core";
import { cliErrors } from "../errors.ts";
import { parseOverrides } from "../load/overrides.ts";
import { loadRecording } from "../load/recording-files.ts";
import { styleFor } from "../print/style.ts";
import { registry } from "../registry.ts";

const STAGES: readonly ReplayedStage[] = ["scenario", "wind", "sensors", "estimator", "autopilot"];

interface ReplayFlags {
  readonly live: readonly string[];
  readonly integrator?: string;
  readonly json?: true;
}

export function addReplay(program: Command): void {
  program
    .command("replay")
    .description("fly a recording again and say whether the plant comes out bit for bit")
    .argument("<recording>", "an .mcap file written by fly --record")
    .option("--live <stage>", `let a stage run live instead of replaying it (${STAGES.join(", ")}; repeatable)`, collect, [])
    .option("--integrator <kind[:key=value,…]>", "another integrator")
    .option("--json", "print as JSON")
    .addHelpText("after", "\nExamples:\n  escapement replay flight.mcap\n  escapement replay flight.mcap --live autopilot --integrator rk45:toleranceScale=0.01")
    .action(async (path: string, flags: ReplayFlags) => {
      process.exitCode = await runReplay(path, flags);
    });
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

async function runReplay(path: string, flags: ReplayFlags): Promise<number> {
  const { recording } = await loadRecording(path);
  const options: ReplayFlightOptions = {
    registry,
    live: flags.live.map(stageOf),
    ...(flags.integrator === undefined ? {} : { integrator: integratorOf(flags.integrator) }),
  };
  const { end, plantDigest, reproduces, changed } = replayFlight(recording, options);
  const style = styleFor(process.stdout, process.env);
  if (flags.json === true) {
    process.stdout.write(`${JSON.stringify({ reproduces, changed, plantDigest, recorded: recording.digests.plant, end }, null, 2)}\n`);
  } else if (reproduces) {
    process.stdout.write(`${style.accent("the same bits")}  fp1:${plantDigest}  ${(end.endUs / 1e6).toFixed(2)} s, ${end.boundaries} boundaries\n`);
  } else {
    const why = changed.length > 0 ? `flown with another ${changed.join(", ")}` : "this build or a live stage gives other bits";
    process.stdout.write(`${style.trouble("other bits")}  recorded fp1:${recording.digests.plant}, now fp1:${plantDigest}; ${why}\n`);
  }
  return reproduces || changed.length > 0 ? 0 : 4;
}

function stageOf(name: string): ReplayedStage {
  const stage = STAGES.find((candidate) => candidate === name);
  if (stage !== undefined) return stage;
  throw cliErrors.unknownStage({ what: `there is no stage "${name}" to run live`, fix: `one of: ${STAGES.join(", ")}` });
}

/** `rk45` or `rk45:toleranceScale=0.01,maxStepUs=2000`, resolved like a flight's integrator. */
export function integratorOf(text: string): NonNullable<ReplayFlightOptions["integrator"]> {
  const [kind = "", rest = ""] = text.split(/:(.*)/s);
  const params = parseOverrides(rest === "" ? [] : rest.split(","));
  return mustResolve(resolveFlight({ file: "--integrator", spec: { integrator: { kind, ...params } } }, registry)).flown.integrator;
}
