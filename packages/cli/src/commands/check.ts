/**
 * `escapement check file`: prints all errors, or the layers of a flight and the values that it changes. With `--full`
 * it prints the resolved flight. For a campaign, it prints the first flights.
 */
import type { Command } from "commander";
import { mustResolve, type PlainObject } from "@escapement/core";
import { tomlText, tomlValue } from "@escapement/formats";
import { FlightFiles } from "../load/flight-files.ts";
import { parseOverrides } from "../load/overrides.ts";
import { withCustomParts } from "../load/custom-parts.ts";
import { printError } from "../print/error.ts";
import { scenarioText } from "../print/summary.ts";
import { columnsOf, padEnd, styleFor, wrap } from "../print/style.ts";
import { registry } from "../registry.ts";
import { keyDifferences } from "./diff.ts";
import { collect, WITH_FLAG } from "./options.ts";

/** Maximum number of changed values on the screen. */
const MAX_CHANGES = 12;
const LABEL_WIDTH = 10;

const RESOLVED_FORM =
  "# A resolved flight: every default is filled in. `escapement fly` flies it with the same result.";

interface CheckFlags {
  readonly set: readonly string[];
  readonly with: readonly string[];
  readonly full?: true;
  readonly json?: true;
}

export function addCheck(program: Command): void {
  program
    .command("check")
    .description("check a flight or a campaign, and show what it changes")
    .argument(
      "<flight>",
      "a built-in flight or vehicle, a .toml or .json file of a flight or a campaign, a recording (.mcap), or - for standard input",
    )
    .option("--set <key=value>", "override a value of the description (repeatable)", collect, [])
    .option(...WITH_FLAG, collect, [])
    .option("--full", "print the resolved flight, with every default filled in, as TOML")
    .option("--json", "print the resolved flight as JSON")
    .addHelpText(
      "after",
      "\nA valid flight is reported in a few lines: the descriptions that it consists of\n" +
        "and the values that it changes. --full prints the resolved flight: every default\n" +
        "is filled in, and nothing refers to another file; `escapement fly` flies it with\n" +
        "the same result. For a campaign, the values of its first flights are printed, and\n" +
        "the time that all flights will take; one flight is flown to estimate it.\n" +
        "\nExamples:\n  escapement check gusty.toml\n  escapement check mission --full > mission.resolved.toml\n  escapement check mission --json > mission.resolved.json",
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
  for (const warning of resolution.warnings) printError(warning, "warning");
  if (flags.full === true)
    process.stdout.write(`${RESOLVED_FORM}\n${tomlText(definition as unknown as PlainObject)}\n`);
  const stream = flags.full === true ? process.stderr : process.stdout;
  const style = styleFor(stream, process.env);
  const scenario = scenarioText(settings);
  const ok = `${style.accent("ok")}  ${style.strong(definition.name)}`;
  if (flags.full === true) {
    if (scenario !== undefined) stream.write(`\n${scenario}\n`);
    stream.write(`\n${ok}  ${style.quiet(`sha256 ${hash}`)}\n`);
    return;
  }
  const { names, inherited, merged } = await files.layersOf({ name, assignments: parseOverrides(flags.set) });
  const columns = columnsOf(stream);
  const field = (label: string, text: string) =>
    `  ${style.quiet(padEnd(label, LABEL_WIDTH))}${wrap(text, columns, " ".repeat(LABEL_WIDTH + 2))}`;
  const lines = [
    field("layers", names.join(" → ")),
    ...changeLines(inherited, merged, columns).map((line, i) => field(i === 0 ? "changes" : "", line)),
    ...(scenario === undefined ? [] : [field("scenario", scenario.replace("scenario events: ", "events: "))]),
    field("sha256", hash),
  ];
  const count = resolution.warnings.length;
  const warned = count === 0 ? "" : `, ${count} ${count === 1 ? "warning" : "warnings"}`;
  stream.write(`${lines.join("\n")}\n\n${ok}${warned}  ${style.quiet("every value: --full")}\n`);
}

/** Adds an empty list for each list that only `merged` has, so that its entries are compared one by one. */
function withLists(inherited: PlainObject, merged: PlainObject): PlainObject {
  const added = Object.keys(merged).filter((key) => !(key in inherited) && Array.isArray(merged[key]));
  return { ...inherited, ...Object.fromEntries(added.map((key) => [key, []])) };
}

/** Returns the changed values, one per line: `key = value`. A value that is too long for a line is shortened. */
function changeLines(inherited: PlainObject, merged: PlainObject, columns: number): string[] {
  const width = columns - LABEL_WIDTH - 4;
  const changes = keyDifferences(withLists(inherited, merged), merged).filter(
    ({ key }) => !["extends", "name", "about"].includes(key),
  );
  const lines = changes.slice(0, MAX_CHANGES).map(({ key, b }) => {
    const line = b === undefined ? `${key} removed` : `${key} = ${tomlValue(b)}`;
    return line.length > width ? `${line.slice(0, width - 1)}…` : line;
  });
  const left = changes.length - lines.length;
  return left === 0 ? lines : [...lines, `… and ${left} more`];
}
