/** `escapement init`: writes a flight file in which every line is commented with unit and range. */
import { basename, extname } from "node:path";
import type { Command } from "commander";
import {
  describe,
  environmentTable,
  generalTable,
  missionTiming,
  outputsTable,
  type Param,
  type ParamTable,
  stopTable,
  timelineTable,
} from "@escapement/core";
import { tomlValue } from "@escapement/formats";
import { writeWhole } from "../outputs/files.ts";
import { printWritten } from "../print/written.ts";
import { registry } from "../registry.ts";

export function addInit(program: Command): void {
  program
    .command("init")
    .description("write a commented flight file to start from")
    .argument("[file]", "name of the new file; - writes to standard output", "flight.toml")
    .option("--overwrite", "replace a file that already exists")
    .option("--json", "print what was written as JSON")
    .addHelpText("after", "\nExamples:\n  escapement init\n  escapement init gusty.toml && escapement fly gusty.toml")
    .action((file: string, flags: { overwrite?: true; json?: true }) => {
      const bytes = writeWhole(file, flightTemplate(basename(file, extname(file))), flags.overwrite === true);
      printWritten({ path: file, kind: "flight", bytes }, flags.json === true, `    fly it: escapement fly ${file}`);
    });
}

/**
 * Returns a complete flight file: active lines give the default mission; commented-out lines show the other defaults.
 */
export function flightTemplate(name: string): string {
  const { name: _name, ...general } = generalTable;
  return [
    "# A flight. Commented-out lines show the defaults; remove the # to change one.",
    "# Editors complete and check it with the schema that `escapement schema > flight.schema.json` writes:",
    "#:schema ./flight.schema.json",
    `extends = "mission"  # a built-in (${Object.keys(registry.flights).join(", ")}) or a file`,
    `name = ${tomlValue(name)}  # ${generalTable.name.about}`,
    ...tableLines(general),
    `# vehicle = "iris"  # ${Object.keys(registry.vehicles).join(", ")}, a file, or a table that extends one`,
    ...section("timeline", timelineTable),
    ...section("environment", environmentTable),
    ...kindSection("wind", "ou", registry.winds),
    ...kindSection("integrator", "rk43", registry.integrators),
    ...kindSection("estimator", "ekf-like", registry.estimators),
    "",
    "# [autopilot]",
    `# kind = "embedded"  # one of: ${registry.autopilots.map((kind) => kind.name).join(", ")}`,
    "# [autopilot.parameters]  # PX4's names: escapement list parameters",
    "# MPC_XY_CRUISE = 5.0",
    "",
    "# [mission]",
    '# file = "square.plan"  # QGroundControl .plan or .waypoints, relative to this file; or items in metres:',
    "# items = [{ takeoff = { altitudeM = 10 } }, { waypoint = { northM = 20, altitudeM = 10 } }, { land = true }]",
    ...tableLines(missionTiming),
    ...section("stop", stopTable),
    ...section("outputs", outputsTable),
    "",
    "# [[scenario]]  # escapement list actions",
    '# at = "30 s"  # or: when = "altitudeM > 10", step = 100; escapement list quantities',
    "# motorOff = { motor = 2 }",
    "",
  ].join("\n");
}

function section(name: string, table: ParamTable): string[] {
  const nested = Object.entries(table).flatMap(([key, param]) =>
    param.type === "section" ? section(`${name}.${key}`, param.table) : [],
  );
  return ["", `# [${name}]`, ...tableLines(table), ...nested];
}

interface NamedKind {
  readonly name: string;
  readonly params: ParamTable;
}

function kindSection(name: string, fallback: string, kinds: readonly NamedKind[]): string[] {
  const chosen = kinds.find((kind) => kind.name === fallback)!;
  const others = kinds.map((kind) => kind.name).join(", ");
  return ["", `# [${name}]`, `# kind = "${fallback}"  # one of: ${others}`, ...tableLines(chosen.params)];
}

function tableLines(table: ParamTable): string[] {
  return Object.entries(table).flatMap(([key, param]) =>
    isLine(param) ? [`# ${key} = ${tomlValue(param.default)}  # ${describeParam(param)}`] : [],
  );
}

function isLine(param: Param): boolean {
  return param.type !== "section" && param.type !== "sections" && param.default !== undefined;
}

function describeParam(param: Param): string {
  return `${describe(param)}. ${param.about}`;
}
