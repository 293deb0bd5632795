/** `escapement check file`: prints all errors, or the resolved flight; for a campaign, its first flights. */
import type { Command } from "commander";
import { mustResolve, type PlainObject } from "@escapement/core";
import { tomlText } from "@escapement/formats";
import { FlightFiles } from "../load/flight-files.ts";
import { parseOverrides } from "../load/overrides.ts";
import { withCustomParts } from "../load/custom-parts.ts";
import { printError } from "../print/error.ts";
import { scenarioText } from "../print/summary.ts";
import { styleFor } from "../print/style.ts";
import { registry } from "../registry.ts";
import { collect, WITH_FLAG } from "./options.ts";

const RESOLVED_FORM =
  "# A resolved flight: every default is filled in. `escapement fly` flies it with the same result.";

interface CheckFlags {
  readonly set: readonly string[];
  readonly with: readonly string[];
  readonly json?: true;
}

export function addCheck(program: Command): void {
  program
    .command("check")
    .description("check a flight or a campaign, and print it with every default filled in")
    .argument(
      "<flight>",
      "a built-in flight or vehicle, a .toml or .json file of a flight or a campaign, a recording (.mcap), or - for standard input",
    )
    .option("--set <key=value>", "override a value of the description (repeatable)", collect, [])
    .option(...WITH_FLAG, collect, [])
    .option("--json", "print the resolved flight as JSON")
    .addHelpText(
      "after",
      "\nThe output is the resolved flight: every default is filled in, and nothing refers to another file.\n" +
        "`escapement fly` flies it with the same result. For a campaign, the first three flights are printed, and the time\n" +
        "that all flights will take; one flight is flown to estimate it.\n" +
        "\nExamples:\n  escapement check gusty.toml\n  escapement check mission --json > mission.resolved.json",
    )
    .action((name: string, flags: CheckFlags) => runCheck(name, flags));
}

async function runCheck(name: string, flags: CheckFlags): Promise<void> {
  const { checkCampaign, isCampaignFile } = await import("../campaign/check.ts");
  if (flags.set.length === 0 && isCampaignFile(name)) return checkCampaign(name, flags);
  const files = new FlightFiles(await withCustomParts(registry, flags.with));
  const resolution = await files.resolve({ name, assignments: parseOverrides(flags.set) });
  const { definition, settings, hash } = mustResolve(resolution);
  if (flags.json === true) {
    const warnings = resolution.warnings.map(({ code, what, where, fix }) => ({ code, what, where, fix }));
    process.stdout.write(`${JSON.stringify({ flown: definition, run: settings, hash, warnings }, null, 2)}\n`);
    return;
  }
  const style = styleFor(process.stderr, process.env);
  for (const warning of resolution.warnings) printError(warning, "warning");
  process.stdout.write(`${RESOLVED_FORM}\n${tomlText(definition as unknown as PlainObject)}\n`);
  const scenario = scenarioText(settings);
  if (scenario !== undefined) process.stderr.write(`\n${scenario}\n`);
  process.stderr.write(`\n${style.accent("ok")}  ${definition.name}  ${style.quiet(`sha256 ${hash}`)}\n`);
}
