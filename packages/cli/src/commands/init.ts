/** `escapement init`: writes a flight file in which a comment explains every key, and its schema for editors. */
import { existsSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import type { Command } from "commander";
import {
  describe,
  environmentTable,
  flightSchema,
  generalTable,
  missionTiming,
  outputsTable,
  type Param,
  type ParamTable,
  stopTable,
  timelineTable,
} from "@escapement/core";
import { tomlValue } from "@escapement/formats";
import { STANDARD_STREAM } from "../load/read-files.ts";
import { writeWhole } from "../outputs/files.ts";
import type { WrittenFile } from "../outputs/flight-outputs.ts";
import { wrap } from "../print/style.ts";
import { printWritten } from "../print/written.ts";
import { registry } from "../registry.ts";

/** Name of the schema in the template's first line. */
const SCHEMA_FILE = "flight.schema.json";
const COLUMNS = 80;

export function addInit(program: Command): void {
  program
    .command("init")
    .description("write a commented flight file to start from")
    .argument("[file]", "name of the new file; - writes to standard output", "flight.toml")
    .option("--overwrite", "replace a file that already exists")
    .option("--json", "print what was written as JSON")
    .addHelpText(
      "after",
      `\nBeside the file, ${SCHEMA_FILE} is written if it does not exist: editors use it to complete and check the file.\n` +
        "\nExamples:\n  escapement init\n  escapement init gusty.toml && escapement fly gusty.toml",
    )
    .action((file: string, flags: { overwrite?: true; json?: true }) => {
      const bytes = writeWhole(
        file,
        flightTemplate(file === STANDARD_STREAM ? "flight" : basename(file, extname(file))),
        flags.overwrite === true,
      );
      const flight: WrittenFile = { path: file, kind: "flight", bytes };
      const files = file === STANDARD_STREAM ? [flight] : [flight, ...writeSchema(dirname(file))];
      printWritten(files, flags.json === true, `fly it: escapement fly ${file}`);
    });
}

/** Writes the schema into the folder of the flight file, unless the folder already has one. */
function writeSchema(folder: string): WrittenFile[] {
  const path = join(folder, SCHEMA_FILE);
  if (existsSync(path)) return [];
  const bytes = writeWhole(path, `${JSON.stringify(flightSchema(registry), null, 2)}\n`, false);
  return [{ path, kind: "schema", bytes }];
}

/**
 * Returns a complete flight file. Active lines describe the default mission; commented-out lines show the other
 * defaults.
 */
export function flightTemplate(name: string): string {
  const { name: _name, ...general } = generalTable;
  return [
    `#:schema ./${SCHEMA_FILE}`,
    ...comment("A flight. Lines that begin with # and a key show a default; remove the # to change it."),
    "",
    ...comment(`The flight that this one changes: a file, or one of ${Object.keys(registry.flights).join(", ")}`),
    'extends = "mission"',
    ...comment(generalTable.name.about),
    `name = ${tomlValue(name)}`,
    ...tableLines(general),
    ...comment(`A file, a table that extends a vehicle, or one of ${Object.keys(registry.vehicles).join(", ")}`),
    '# vehicle = "iris"',
    ...section("timeline", timelineTable),
    ...section("environment", environmentTable),
    ...kindSection("wind", "ou", registry.winds),
    ...kindSection("integrator", "rk43", registry.integrators),
    ...kindSection("estimator", "ekf-like", registry.estimators),
    "",
    "# [autopilot]",
    ...comment(`One of ${registry.autopilots.map((kind) => kind.name).join(", ")}`),
    '# kind = "embedded"',
    "",
    "# [autopilot.parameters]",
    ...comment("PX4's names: escapement list parameters"),
    "# MPC_XY_CRUISE = 5.0",
    "",
    "# [mission]",
    ...comment("A QGroundControl .plan or .waypoints file, relative to this file, or items in metres"),
    '# file = "square.plan"',
    "# items = [",
    "#   { takeoff = { altitudeM = 10 } },",
    "#   { waypoint = { northM = 20, altitudeM = 10 } },",
    "#   { land = true },",
    "# ]",
    ...tableLines(missionTiming),
    ...section("stop", stopTable),
    ...section("outputs", outputsTable),
    "",
    "# [[scenario]]",
    ...comment('A time, or a condition: when = "altitudeM > 10"; escapement list quantities'),
    '# at = "30 s"',
    ...comment("An action: escapement list actions"),
    "# motorOff = { motor = 2 }",
    "",
  ].join("\n");
}

/** Returns lines of comment that fit the terminal. They begin with `##`; commented-out keys begin with `#`. */
function comment(text: string): string[] {
  return `## ${wrap(text, COLUMNS, "## ")}`.split("\n");
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
  const names = comment(`One of ${kinds.map((kind) => kind.name).join(", ")}; escapement list ${name}s ${fallback}`);
  return ["", `# [${name}]`, ...names, `# kind = "${fallback}"`, ...tableLines(chosen.params)];
}

function tableLines(table: ParamTable): string[] {
  return Object.entries(table).flatMap(([key, param]) =>
    hasLine(param)
      ? [...comment(`${param.about} ${firstUpper(describe(param))}.`), `# ${key} = ${tomlValue(param.default)}`]
      : [],
  );
}

function hasLine(param: Param): boolean {
  return param.type !== "section" && param.type !== "sections" && param.default !== undefined;
}

function firstUpper(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
