/**
 * Implements `escapement fly`: reads and resolves the flight, opens its outputs, flies it, and prints the summary.
 *
 * On a terminal one line shows progress and is cleared at the end; on a pipe only the result is printed. Ctrl-C ends
 * the flight at its next pause and leaves readable files. The PX4 code is loaded only for flights with PX4.
 */
import {
  type Assignment,
  EXIT_CODES,
  type FlightResult,
  mustResolve,
  type Registry,
  type ResolvedFlight,
  Run,
  type RunOptions,
} from "@escapement/core";
import { SITL_KIND } from "@escapement/px4/kinds";
import { cliErrors } from "./errors.ts";
import { EXIT } from "./exit-codes.ts";
import { Interrupt } from "./interrupt.ts";
import type { FlyFlags } from "./commands/fly.ts";
import { FlightFiles } from "./load/flight-files.ts";
import { isPx4 } from "./load/open-session.ts";
import { parseOverrides } from "./load/overrides.ts";
import { withCustomParts } from "./load/custom-parts.ts";
import {
  FlightOutputs,
  leftOverWarnings,
  resolveOutputPaths,
  usesStandardOutput,
  type WrittenFile,
  writtenFiles,
} from "./outputs/flight-outputs.ts";
import { printError } from "./print/error.ts";
import { progressOf, Progress } from "./print/progress.ts";
import { columnsOf, styleFor } from "./print/style.ts";
import { renderSummary, type SummaryContext } from "./print/summary.ts";
import { summaryJson } from "./print/summary-json.ts";
import { registry } from "./registry.ts";
import { verdictExit } from "./verdict-exit.ts";
import { VERSION } from "./version.ts";

export async function runFly(name: string, flags: FlyFlags): Promise<number> {
  const parts = await withCustomParts(registry, flags.with);
  const files = new FlightFiles(parts);
  const resolution = await files.resolve({ name, assignments: await assignmentsOf(flags) });
  const resolved = mustResolve(resolution);
  for (const warning of resolution.warnings) printError(warning, "warning");
  if (Object.hasOwn(parts.vehicles, name) && resolved.definition.mission === null) warnOfVehicleOnly(name);
  const paths = resolveOutputPaths(resolved, resolution, files);
  for (const warning of leftOverWarnings(paths)) printError(warning, "warning");
  if (isPx4(resolved.definition.autopilot.kind)) return runPx4(resolved, paths, parts, flags);
  return flyHere(resolved, paths, { registry: parts, plant: resolution.plant, codegen: flags.codegen }, flags);
}

function warnOfVehicleOnly(vehicle: string): void {
  const warning = cliErrors.vehicleOnly({
    what: `${vehicle} is a vehicle, and this flight has no mission`,
    fix: `escapement fly mission --set vehicle=${vehicle} flies a mission with it`,
  });
  printError(warning, "warning");
}

/** Flies in this process, writes the files, and prints the summary. Returns the exit code. */
export async function flyHere(
  resolved: ResolvedFlight,
  paths: ResolvedFlight["settings"]["outputs"],
  { parentHash, ...options }: Pick<RunOptions, "registry" | "plant" | "codegen"> & { readonly parentHash?: string },
  flags: { readonly json?: true; readonly exit?: string },
): Promise<number> {
  const outputs = await FlightOutputs.open(resolved, paths, { parentHash });
  const interrupt = new Interrupt();
  const run = await outputs.guard(
    () =>
      new Run(resolved, {
        ...options,
        ...outputs.parts(),
        pace: {
          factor: resolved.settings.outputs.paceX,
          clock: { nowMs: () => performance.now(), sleep: (ms) => interrupt.sleep(ms) },
        },
        signal: interrupt.signal,
        onPause: async () => {
          progress.show();
          // Let the event loop run, so that signals can arrive.
          await new Promise((done) => setImmediate(done));
        },
      }),
  );
  outputs.prepare(run.assembled);
  const progress = new Progress(progressOf(run.flight), resolved.definition.name, process.stderr, process.env);
  interrupt.listen();
  const startedMs = performance.now();
  const { result, failure } = await run.toEnd().finally(() => {
    interrupt.stopListening();
    progress.clear();
  });
  const wallS = (performance.now() - startedMs) / 1e3;
  const unfinished = await errorOf(() => outputs.finish(result));
  return reportResult(result, {
    wallS,
    wrote: outputs.written(),
    failures: [failure, unfinished].filter((error) => error !== undefined),
    interruptedBy: interrupt.isRequested ? interrupt.exitCode : undefined,
    isJson: flags.json === true,
    exitByOutcome: flags.exit === "outcome",
    stream: usesStandardOutput(paths) ? process.stderr : process.stdout,
  });
}

interface RunFacts {
  readonly wallS: number;
  readonly wrote: readonly WrittenFile[];
  /** Everything that went wrong, the cause first. */
  readonly failures: readonly unknown[];
  /** The exit code if a signal ended the flight. */
  readonly interruptedBy: number | undefined;
  readonly isJson: boolean;
  /** True if the outcome determines the exit code even if there are requirements. */
  readonly exitByOutcome: boolean;
  /** Receives the summary: standard error if a log or a picture goes to standard output. */
  readonly stream: NodeJS.WriteStream;
  /** Lines below the summary. */
  readonly notes?: readonly string[];
  /** The report of stock PX4, for the JSON output. */
  readonly px4?: SummaryContext["px4"];
}

/** Prints the summary, then the failures, so that neither replaces the other. Returns the exit code. */
function reportResult(
  result: FlightResult,
  { failures, interruptedBy, isJson, exitByOutcome, stream, notes = [], ...facts }: RunFacts,
): number {
  const terminalColumns = columnsOf(stream);
  const isShort = stream.isTTY === true;
  const context = { version: VERSION, terminalColumns, isShort, interrupted: interruptedBy !== undefined, ...facts };
  const text = isJson
    ? summaryJson(result, context, failures)
    : [renderSummary(result, context, styleFor(stream, process.env)), ...notes.map((note) => `  ${note}`)].join("\n");
  stream.write(`${text}\n`);
  if (failures.length === 0) {
    const required = exitByOutcome || result.outcome === "failed" ? undefined : verdictExit(result.verdicts);
    return interruptedBy ?? required ?? EXIT_CODES[result.outcome];
  }
  if (!isJson) for (const failure of failures) printError(failure);
  return EXIT.failed;
}

/** Prints one line instead of a summary, for a flight that was stopped before it began. */
function reportStoppedBefore(isJson: boolean): void {
  const reason = "ended by Ctrl-C before the flight began";
  const text = isJson
    ? JSON.stringify({ outcome: "interrupted", reason }, null, 2)
    : `${styleFor(process.stdout, process.env).trouble("interrupted")} — ${reason}`;
  process.stdout.write(`${text}\n`);
}

async function errorOf(act: () => Promise<void>): Promise<unknown> {
  try {
    await act();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Flies with PX4, and reports the result like that of any other flight. */
async function runPx4(
  resolved: ResolvedFlight,
  outputs: ResolvedFlight["settings"]["outputs"],
  parts: Registry,
  flags: FlyFlags,
): Promise<number> {
  const interrupt = new Interrupt();
  interrupt.listen();
  const { flyPx4, isStoppedBefore, sitlOptions } = await import("./px4.ts");
  const startedMs = performance.now();
  try {
    const { result, failure, finish, notes, px4, ...timed } = await flyPx4(resolved, {
      registry: parts,
      outputs,
      codegen: flags.codegen,
      interrupt,
      sitl: sitlOptions(flags, resolved.definition.autopilot.kind, outputs.overwrite),
    });
    const { wallS = (performance.now() - startedMs) / 1e3 } = timed;
    const unfinished = await errorOf(finish);
    return reportResult(result, {
      wallS,
      wrote: writtenFiles(outputs),
      failures: [failure, unfinished].filter((error) => error !== undefined),
      interruptedBy: interrupt.isRequested ? interrupt.exitCode : undefined,
      isJson: flags.json === true,
      exitByOutcome: flags.exit === "outcome",
      stream: usesStandardOutput(outputs) ? process.stderr : process.stdout,
      notes,
      px4,
    });
  } catch (error) {
    if (!isStoppedBefore(error)) throw error;
    reportStoppedBefore(flags.json === true);
    return interrupt.exitCode;
  } finally {
    interrupt.stopListening();
  }
}

export async function assignmentsOf(flags: FlyFlags): Promise<Assignment[]> {
  // The sensors that the autopilot needs come first, so that the user's settings override them.
  const texts = [...(await sensorAssignments(flags.autopilot)), ...flags.set];
  if (flags.seed !== undefined) texts.push(`seed=${flags.seed}`);
  if (flags.until !== undefined) texts.push(`timeline.endS=${flags.until}`);
  if (flags.autopilot !== undefined) texts.push(`autopilot.kind=${flags.autopilot}`);
  if (flags.pace !== undefined) texts.push(`outputs.paceX=${flags.pace}`);
  const output = (key: string, value: unknown): Assignment[] =>
    value === undefined ? [] : [{ path: ["outputs", key], value }];
  return [
    ...parseOverrides(texts),
    ...output(
      "logs",
      flags.log?.map((file) => ({ file })),
    ),
    ...output("recording", flags.record),
    ...output("picture", flags.picture),
    ...output("overwrite", flags.overwrite),
    ...((flags.require ?? []).length === 0 ? [] : [{ path: ["alsoRequire"], value: flags.require }]),
  ];
}

/** Returns assignments that add the sensors that stock PX4's estimator needs, with their default parameters. */
async function sensorAssignments(autopilot: string | undefined): Promise<string[]> {
  if (autopilot !== SITL_KIND) return [];
  const { SITL_SENSORS } = await import("@escapement/px4");
  return SITL_SENSORS.map((name) => `sensors.${name}={}`);
}
