/** `escapement init`: writes a flight file in which every line is commented with unit and range. */
import { existsSync, writeFileSync } from "node:fs";
import type { Command } from "commander";
import { describe, environmentTable, generalTable, missionTiming, type ParamTable, stopTable, timelineTable } from "@escapement/core";
import { cliErrors } from "../errors.ts";
import { registry } from "../registry.ts";

export function addInit(program: Command): void {
  program
    .command("init")
    .description("write a commented flight file to start from")
    .argument("[file]", "name of the new file", "flight.toml")
    .addHelpText("after", "\nExamples:\n  escapement init\n  escapement init gusty.toml && escapement fly gusty.toml")
    .action((file: string) => {
      if (existsSync(file)) throw cliErrors.fileExists({ what: `${file} is there already`, where: { file }, fix: "choose another name" });
      writeFileSync(file, flightTemplate());
      process.stdout.write(`wrote ${file}    fly it: escapement fly ${file}\n`);
    });
}

/** A whole flight file: what is not commented out is the default mission, everything else shows its default. */
export function flightTemplate(): string {
  const wind = registry.winds.find(({ name }) => name === "ou")!;
  const integrator = registry.integrators.find(({ name }) => name === "rk4")!;
  const estimator = registry.estimators.find(({ name }) => name === "noisy")!;
  return [
    "# A flight. Lines that are commented out show the default; remove the # to change one.",
    `extends = "mission"  # a built-in (${Object.keys(registry.flights).join(", ")}) or a file`,
    ...tableLines(generalTable),
    `# vehicle = "iris"  # one of: ${Object.keys(registry.vehicles).join(", ")}; or a table that extends one`,
    ...section("timeline", timelineTable),
    ...section("environment", environmentTable),
    ...kindSection("wind", wind, registry.winds),
    ...kindSection("integrator", integrator, registry.integrators),
    ...kindSection("estimator", estimator, registry.estimators),
    "",
    "# [autopilot]",
    `# kind = "embedded"  # one of: ${registry.autopilots.map(({ name }) => name).join(", ")}`,
    "# [autopilot.parameters]  # PX4's names",
    "# MPC_XY_CRUISE = 5.0",
    "",
    "# [mission]",
    '# file = "square.plan"  # QGroundControl .plan or .waypoints, relative to this file',
    ...tableLines(missionTiming),
    ...section("stop", stopTable),
    "",
    "# [[scenario]]  # escapement list actions",
    '# at = "30 s"  # or: when = "altitudeM > 10", step = 100',
    "# motorOff = { motor = 2 }",
    "",
  ].join("\n");
}

function section(name: string, table: ParamTable): string[] {
  return ["", `# [${name}]`, ...tableLines(table)];
}

function kindSection(name: string, kind: { name: string; params: ParamTable }, all: readonly { name: string }[]): string[] {
  return ["", `# [${name}]`, `# kind = "${kind.name}"  # one of: ${all.map((other) => other.name).join(", ")}`, ...tableLines(kind.params)];
}

function tableLines(table: ParamTable): string[] {
  return Object.keys(table).flatMap((key) => {
    const param = table[key]!;
    if (param.type === "section" || param.type === "sections" || param.default === undefined) return [];
    return [`# ${key} = ${JSON.stringify(param.default)}  # ${describe(param)}. ${param.about}`];
  });
}
