/**
 * `escapement completion`: prints a shell script that completes commands, flags, flights and keys. The script is
 * generated from the commands and the registry.
 */
import { Command } from "commander";
import {
  allErrors,
  environmentTable,
  generalTable,
  missionTiming,
  outputsTable,
  PARAMETER_TABLE,
  type ParamTable,
  type Registry,
  stopTable,
  timelineTable,
  vehicleTable,
} from "@escapement/core";
import { cliErrors } from "../errors.ts";
import { bashScript, fishScript, type CommandCompletions, zshScript } from "../print/completion-scripts.ts";
import { registry } from "../registry.ts";
import { catalogues } from "./explain.ts";
import { listedNames, listNames } from "./list.ts";
import { STAGES } from "./replay.ts";

const SCRIPTS: Readonly<Record<string, (completions: readonly CommandCompletions[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

export function addCompletion(program: Command): void {
  program
    .command("completion")
    .description("print a completion script for a shell")
    .argument("<shell>", Object.keys(SCRIPTS).join(", "))
    .option("--json", "print the completions as JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  source <(escapement completion bash)\n  escapement completion fish > ~/.config/fish/completions/escapement.fish",
    )
    .action(async (shell: string, flags: { json?: true }) => {
      if (!Object.hasOwn(SCRIPTS, shell)) {
        throw cliErrors.unknownShell({
          what: `there is no completion for "${shell}"`,
          fix: `use one of: ${Object.keys(SCRIPTS).join(", ")}`,
        });
      }
      const completions = await completionsOf();
      process.stdout.write(
        flags.json === true ? `${JSON.stringify(completions, null, 2)}\n` : SCRIPTS[shell]!(completions),
      );
    });
}

/** Returns everything that a user can type after each command. */
export async function completionsOf(): Promise<CommandCompletions[]> {
  const { COMMANDS } = await import("./index.ts");
  const all = new Command("escapement");
  for (const { load } of Object.values(COMMANDS)) (await load())(all);
  return all.commands.map((command) => ({
    name: command.name(),
    about: command.description(),
    words: wordsFor(command.name()),
    nextWords: command.name() === "list" ? listedNames(registry) : {},
    takesFiles: !["list", "explain", "verify", "schema", "completion", "doctor"].includes(command.name()),
    flags: command.options.map(({ long, flags, description }) => ({
      name: long ?? flags,
      about: description,
      takesValue: flags.includes("<"),
      values: long === "--set" ? settings(registry) : valuesFor(long ?? ""),
    })),
  }));
}

/** Returns keys as `key=`, and whole settings, `key=value`, for keys that have only a few values. */
function settings(parts: Registry): string[] {
  return [
    ...settableKeys(parts).map((key) => `${key}=`),
    ...Object.keys(PARAMETER_TABLE).map((name) => `autopilot.parameters.${name}=`),
    ...Object.keys(parts.vehicles).map((name) => `vehicle=${name}`),
    ...Object.entries(sectionKinds(parts)).flatMap(([section, kinds]) =>
      kinds.map(({ name }) => `${section}.kind=${name}`),
    ),
  ];
}

function valuesFor(flag: string): readonly string[] {
  switch (flag) {
    case "--autopilot":
      return registry.autopilots.map(({ name }) => name);
    case "--integrator":
    case "--reference":
      return registry.integrators.map(({ name }) => name);
    case "--live":
      return STAGES;
    default:
      return [];
  }
}

function wordsFor(command: string): readonly string[] {
  switch (command) {
    case "fly":
    case "check":
      return [...Object.keys(registry.flights), ...Object.keys(registry.vehicles)];
    case "list":
      return listNames();
    case "explain":
      return allErrors(catalogues).map(({ code }) => code);
    case "completion":
      return Object.keys(SCRIPTS);
    case "fit":
      return ["propeller"];
    default:
      return [];
  }
}

/** Returns the kinds of each section that has kinds. */
function sectionKinds({ winds, integrators, estimators, autopilots }: Registry) {
  return { wind: winds, integrator: integrators, estimator: estimators, autopilot: autopilots };
}

/** Returns every dotted key that `--set` can set, from the tables, except keys inside lists. */
function settableKeys(parts: Registry): string[] {
  return [
    ...keysOf(generalTable, ""),
    "vehicle",
    ...keysOf(vehicleTable, "vehicle"),
    ...keysOf(timelineTable, "timeline"),
    ...keysOf(environmentTable, "environment"),
    ...Object.entries(sectionKinds(parts)).flatMap(([section, kinds]) => [
      `${section}.kind`,
      ...new Set(kinds.flatMap(({ params }) => keysOf(params as ParamTable, section))),
    ]),
    ...keysOf(missionTiming, "mission"),
    "mission.file",
    ...keysOf(stopTable, "stop"),
    ...keysOf(outputsTable, "outputs"),
  ];
}

function keysOf(table: ParamTable, path: string): string[] {
  return Object.keys(table).flatMap((key) => {
    const param = table[key]!;
    const full = path === "" ? key : `${path}.${key}`;
    if (param.type === "sections") return [];
    return param.type === "section" ? keysOf(param.table, full) : [full];
  });
}
