/**
 * `escapement fly`: the main job. Reads and resolves the flight, plugs in sinks, flies, prints the summary.
 *
 * On a terminal one line shows progress and is gone at the end; on a pipe there is nothing but the result. Ctrl-C ends
 * the flight at the next breath and leaves readable files.
 */
import type { Command } from "commander";
import { assemble, EXIT_CODES, finish, flyAsync, type PlainObject, type SimError } from "@escapement/core";
import { FlightFiles } from "../load/flight-files.ts";
import { parseOverrides } from "../load/overrides.ts";
import { Progress } from "../print/progress.ts";
import { renderSummary } from "../print/summary.ts";
import { renderError } from "../print/error.ts";
import { styleFor } from "../print/style.ts";
import { summaryJson } from "../print/summary-json.ts";
import { registry } from "../registry.ts";
import { VERSION } from "../version.ts";

interface FlyFlags {
  readonly set: readonly string[];
  readonly seed?: string;
  readonly until?: string;
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
    .option("--json", "print the result as JSON")
    .addHelpText("after", "\nExamples:\n  escapement fly mission --seed 7\n  escapement fly gusty.toml --set wind.kind=dryden --json")
    .action(async (name: string, flags: FlyFlags) => {
      process.exitCode = await runFly(name, flags);
    });
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

export async function runFly(name: string, flags: FlyFlags): Promise<number> {
  const files = new FlightFiles(registry);
  const resolved = await files.mustResolve({ name, overrides: overridesOf(flags) });
  printWarnings(files.warnings);
  const assembled = assemble(resolved.flown, registry, { record: true });
  const progress = new Progress(assembled.flight, resolved.flown, process.stderr, process.env);
  let interrupted = false;
  const onInterrupt = (): void => {
    interrupted = true;
  };
  process.once("SIGINT", onInterrupt);
  const startedAt = process.hrtime.bigint();
  const end = await flyAsync(assembled.flight, {
    onPause: async () => {
      progress.show();
      await new Promise((done) => setImmediate(done));
      if (interrupted) assembled.flight.schedule.endHere();
    },
  });
  const wallS = Number(process.hrtime.bigint() - startedAt) / 1e9;
  process.removeListener("SIGINT", onInterrupt);
  progress.clear();
  const flight = finish(resolved, assembled, end);
  const style = styleFor(process.stdout, process.env);
  const context = { version: VERSION, wallS, terminalColumns: process.stdout.columns ?? 80, wrote: [] };
  process.stdout.write(`${flags.json === true ? summaryJson(flight, wallS) : renderSummary(flight, context, style)}\n`);
  return interrupted ? 130 : EXIT_CODES[flight.outcome];
}

function overridesOf(flags: FlyFlags): PlainObject {
  const assignments = [...flags.set];
  if (flags.seed !== undefined) assignments.push(`seed=${flags.seed}`);
  if (flags.until !== undefined) assignments.push(`timeline.endS=${flags.until}`);
  return parseOverrides(assignments);
}

function printWarnings(warnings: readonly SimError[]): void {
  const style = styleFor(process.stderr, process.env);
  for (const warning of warnings) process.stderr.write(`${renderError(warning, style)}\n`);
}
