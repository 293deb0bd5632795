/**
 * `escapement fly`: the main job. Reads and resolves the flight, plugs in sinks, flies, prints the summary.
 *
 * On a terminal one line shows progress and is gone at the end; on a pipe there is nothing but the result. Ctrl-C ends
 * the flight at the next breath and leaves readable files.
 */
import type { Command } from "commander";
import {
  assemble,
  type AssembledFlight,
  EXIT_CODES,
  type FlightEnd,
  flyAsync,
  mustResolve,
  type PlainObject,
  type Registry,
  type Resolution,
  type ResolvedFlight,
  resultOf,
  SimError,
} from "@escapement/core";
import { Interrupt } from "../drive/interrupt.ts";
import { Pacer } from "../drive/pace.ts";
import { FlightFiles } from "../load/flight-files.ts";
import { parseOverrides } from "../load/overrides.ts";
import { withOwnParts } from "../load/own-parts.ts";
import { FlightOutputs } from "../outputs/flight-outputs.ts";
import { renderError } from "../print/error.ts";
import { Progress } from "../print/progress.ts";
import { columnsOf, styleFor } from "../print/style.ts";
import { renderSummary } from "../print/summary.ts";
import { summaryJson } from "../print/summary-json.ts";
import { flyPx4, isPx4Flight, SITL_KIND, SITL_SENSORS } from "../px4/fly-px4.ts";
import { registry } from "../registry.ts";
import { VERSION } from "../version.ts";

const INTERRUPTED = 130;

export interface FlyFlags {
  readonly set: readonly string[];
  readonly seed?: string;
  readonly until?: string;
  readonly log?: readonly string[];
  readonly record?: string;
  readonly picture?: string;
  readonly pace?: string;
  readonly overwrite?: true;
  readonly with: readonly string[];
  readonly autopilot?: string;
  readonly json?: true;
}

export function addFly(program: Command): void {
  program
    .command("fly")
    .description("fly a flight and print what happened")
    .argument("[flight]", "a built-in flight or vehicle, or a .toml or .json file", "mission")
    .option("--set <key=value>", "lay a value over the description (repeatable)", collect, [])
    .option("--seed <n>", "seed of every random stream")
    .option("--until <seconds>", "latest end of the flight")
    .option("--autopilot <kind>", "another autopilot: embedded, px4-lockstep, px4-sitl …")
    .option("--log <file...>", "write logs; the kind by the name's end: .csv .ulg .mcap .h5 .parquet")
    .option("--record <file>", "write a recording (.mcap) that can be replayed")
    .option("--picture <file>", "draw track and altitude as .svg or .png")
    .option("--pace <factor>", "keep to the wall clock; 1 is real time")
    .option("--overwrite", "replace files that are there already")
    .option("--with <module>", "add parts of your own from a JavaScript module (repeatable)", collect, [])
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      "\nExit codes: 0 completed, 3 time ran out, 4 crashed, 1 failed, 2 wrong usage, 130 interrupted\n" +
        "\nExamples:\n  escapement fly mission --seed 7 --log flight.csv flight.ulg\n  escapement fly gusty.toml --set wind.kind=dryden --json",
    )
    .action(async (name: string, flags: FlyFlags) => {
      process.exitCode = await runFly(name, flags);
    });
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

export async function runFly(name: string, flags: FlyFlags): Promise<number> {
  const parts = await withOwnParts(registry, flags.with);
  const files = new FlightFiles(parts);
  const resolution = await files.resolve({ name, overrides: overridesOf(flags) });
  const resolved = mustResolve(resolution);
  printWarnings(resolution.warnings);
  const placed = placedOutputs(resolved, resolution, files);
  if (isPx4Flight(resolved)) return runPx4(resolved, placed, parts, flags);
  const outputs = await FlightOutputs.open(resolved, placed);
  const assembled = assemble(resolved.flown, parts, outputs.parts());
  outputs.prepare(assembled);
  const run = await flown(assembled, resolved);
  const result = {
    ...resultOf(resolved, assembled, run.end),
    ...(run.failure === undefined ? {} : { outcome: "failed" as const, reason: run.failure.what }),
  };
  const wrote = outputs.finish(result);
  const context = {
    version: VERSION,
    wallS: run.wallS,
    terminalColumns: columnsOf(process.stdout),
    wrote,
    interrupted: run.interrupted,
  };
  const style = styleFor(process.stdout, process.env);
  process.stdout.write(
    `${flags.json === true ? summaryJson(result, context) : renderSummary(result, context, style)}\n`,
  );
  if (run.failure !== undefined) throw run.failure;
  return run.interrupted ? INTERRUPTED : EXIT_CODES[result.outcome];
}

/** PX4 flies in another process or through ports; what is told of it is the same. */
async function runPx4(
  resolved: ResolvedFlight,
  outputs: ResolvedFlight["run"]["outputs"],
  parts: Registry,
  flags: FlyFlags,
): Promise<number> {
  const interrupt = new Interrupt();
  interrupt.listen();
  const startedMs = performance.now();
  try {
    const { result, wrote, notes } = await flyPx4(resolved, { registry: parts, outputs, interrupt });
    const wallS = (performance.now() - startedMs) / 1e3;
    const terminalColumns = columnsOf(process.stdout);
    const context = { version: VERSION, wallS, terminalColumns, wrote, interrupted: interrupt.isAsked };
    const style = styleFor(process.stdout, process.env);
    const text = flags.json === true ? summaryJson(result, context) : renderSummary(result, context, style);
    process.stdout.write(`${[text, ...(flags.json === true ? [] : notes.map((note) => `  ${note}`))].join("\n")}\n`);
    return interrupt.isAsked ? INTERRUPTED : EXIT_CODES[result.outcome];
  } finally {
    interrupt.forget();
  }
}

interface Run {
  readonly end: FlightEnd;
  readonly wallS: number;
  readonly interrupted: boolean;
  /** What ended the flight, if that was a mistake. */
  readonly failure?: SimError;
}

async function flown(assembled: AssembledFlight, { flown: { timeline, ...rest }, run }: ResolvedFlight): Promise<Run> {
  const { flight } = assembled;
  const progress = new Progress(flight, { timeline, ...rest }, process.stderr, process.env);
  const interrupt = new Interrupt();
  const pacer = new Pacer(run.outputs.paceX, { nowMs: () => performance.now(), sleep: (ms) => interrupt.sleep(ms) });
  const breathEvery = pacer.breathEvery(timeline.physicsPeriodS);
  interrupt.listen();
  const startedMs = performance.now();
  let end: FlightEnd | undefined;
  let failure: SimError | undefined;
  try {
    end = await flyAsync(flight, {
      ...(breathEvery === undefined ? {} : { breathEvery }),
      onPause: async () => {
        progress.show();
        await pacer.keep(flight.schedule.nowUs);
        await new Promise((done) => setImmediate(done));
        if (interrupt.isAsked) flight.schedule.endHere();
      },
    });
  } catch (error) {
    if (!(error instanceof SimError)) throw error;
    failure = error;
  } finally {
    interrupt.forget();
    progress.clear();
  }
  const wallS = (performance.now() - startedMs) / 1e3;
  return {
    end: end ?? brokenOff(assembled),
    wallS,
    interrupted: interrupt.isAsked,
    ...(failure === undefined ? {} : { failure }),
  };
}

/** The end of a flight that an error cut short, as far as it came. */
function brokenOff({ flight }: AssembledFlight): FlightEnd {
  const { clock, boundary, interval, integrator } = flight;
  return {
    endUs: clock.us,
    stop: 0,
    boundaries: boundary.count,
    intervals: interval.count,
    correctedSlots: interval.correctedSlots,
    passedSeams: interval.passedSeams,
    clampedChannels: boundary.clampedChannels,
    stats: { ...integrator.stats },
  };
}

function overridesOf(flags: FlyFlags): PlainObject {
  const assignments = [...flags.set];
  if (flags.seed !== undefined) assignments.push(`seed=${flags.seed}`);
  if (flags.until !== undefined) assignments.push(`timeline.endS=${flags.until}`);
  if (flags.autopilot !== undefined) assignments.push(...autopilotAssignments(flags.autopilot));
  if (flags.pace !== undefined) assignments.push(`outputs.paceX=${flags.pace}`);
  const overrides = parseOverrides(assignments);
  const outputs = {
    ...(overrides["outputs"] as PlainObject | undefined),
    ...(flags.log === undefined ? {} : { logs: flags.log.map((file) => ({ file })) }),
    ...(flags.record === undefined ? {} : { recording: flags.record }),
    ...(flags.picture === undefined ? {} : { picture: flags.picture }),
    ...(flags.overwrite === undefined ? {} : { overwrite: true }),
  };
  return Object.keys(outputs).length === 0 ? overrides : { ...overrides, outputs };
}

/** Stock PX4 estimates for itself, so it needs sensors to estimate from; their defaults suit it. */
function autopilotAssignments(kind: string): string[] {
  const sensors = kind === SITL_KIND ? SITL_SENSORS.map((name) => `sensors.${name}={}`) : [];
  return [`autopilot.kind=${kind}`, ...sensors];
}

/** Paths as they are to be opened: relative to the file that gave them, to the working folder for flags. */
function placedOutputs(
  { run: { outputs } }: ResolvedFlight,
  { originOf }: Resolution,
  files: FlightFiles,
): ResolvedFlight["run"]["outputs"] {
  const place = (key: string, path: string) => (path === "" ? "" : files.pathFrom(path, originOf(key)));
  return {
    ...outputs,
    logs: outputs.logs.map((log) => ({ ...log, file: place("outputs.logs", log.file) })),
    recording: place("outputs.recording", outputs.recording),
    picture: place("outputs.picture", outputs.picture),
  };
}

function printWarnings(warnings: readonly SimError[]): void {
  const style = styleFor(process.stderr, process.env);
  for (const warning of warnings) {
    process.stderr.write(`${renderError(warning, style, { columns: columnsOf(process.stderr), word: "warning" })}\n`);
  }
}
