/**
 * `escapement bisect good bad`: finds the cause of a different result, and the last instant at which removing the cause
 * changes the result.
 */
import type { Command } from "commander";
import { bisect, mustResolve } from "@escapement/core";
import { FlightFiles } from "../load/flight-files.ts";
import { parseOverrides } from "../load/overrides.ts";
import { withCustomParts } from "../load/custom-parts.ts";
import { bisectionJson, bisectionText, costText } from "../print/bisection.ts";
import { printError } from "../print/error.ts";
import { StatusLine } from "../print/progress.ts";
import { columnsOf, styleFor } from "../print/style.ts";
import { registry } from "../registry.ts";
import { collect, WITH_FLAG } from "./options.ts";

interface BisectFlags {
  readonly on: string;
  readonly set: readonly string[];
  readonly with: readonly string[];
  readonly codegen: boolean;
  readonly json?: true;
}

export function addBisect(program: Command): void {
  program
    .command("bisect")
    .description("find the cause of a difference between two flights, and the point of no return")
    .argument("<good>", "a built-in flight or vehicle, a .toml or .json file, or a recording (.mcap)")
    .argument("<bad>", "a flight with a different result")
    .option("--on <result>", "the result: outcome, fingerprint, a comparison or a requirement", "outcome")
    .option("--set <key=value>", "override a value in both descriptions (repeatable)", collect, [])
    .option(...WITH_FLAG, collect, [])
    .option("--no-codegen", "do not compile code for the vehicle: slower, but the same bits")
    .option("--json", "print as JSON")
    .addHelpText(
      "after",
      "\nThe cause is a minimal set of settings and events of the bad flight: together they give the good flight the\n" +
        "bad result, and each of them is necessary. The point of no return is the last tick of the autopilot at which\n" +
        "switching the cause off in flight still changes the result.\n" +
        "\nA comparison tests a signal at an instant (--on 'posNed.n@20 s > 5') or a value in the summary\n" +
        "(--on 'positionErrorMaxM > 3'). A requirement is a sentence as in `escapement require`\n" +
        "(--on 'never tilt > 60 deg').\n" +
        "\nExit codes: 0 the cause is found; 1 an error, or both flights have the same result; 2 wrong usage\n" +
        "\nExamples:\n  escapement bisect good.toml bad.toml\n  escapement bisect mission motor-out --on 'altitudeMaxM > 9' --json",
    )
    .action((good: string, bad: string, flags: BisectFlags) => runBisect(good, bad, flags));
}

async function runBisect(good: string, bad: string, flags: BisectFlags): Promise<void> {
  const parts = await withCustomParts(registry, flags.with);
  const files = new FlightFiles(parts);
  const assignments = parseOverrides(flags.set);
  const resolutions = [
    await files.resolve({ name: good, assignments }),
    await files.resolve({ name: bad, assignments }),
  ];
  const [goodFlight, badFlight] = resolutions.map(mustResolve);
  for (const warning of resolutions.flatMap(({ warnings }) => warnings)) printError(warning, "warning");
  const status = new StatusLine(process.stderr, process.env, false);
  const found = bisect(goodFlight!, badFlight!, {
    registry: parts,
    on: flags.on,
    codegen: flags.codegen,
    onProgress: (cost, phase) => status.show(() => `  searching for the ${phase}: ${costText(cost)}`),
  });
  status.clear();
  const text =
    flags.json === true
      ? bisectionJson(good, bad, found)
      : bisectionText(good, bad, found, styleFor(process.stdout, process.env), columnsOf(process.stdout));
  process.stdout.write(`${text}\n`);
}
