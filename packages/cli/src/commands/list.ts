/**
 * `escapement list [what] [name]`: lists names with one sentence each, from the tables.
 *
 * If the name is in the list, only that entry is shown, with the unit, default and range of its parameters. A vehicle
 * is shown with its main figures or, with `--toml`, with all its values. Any other text selects the names that contain
 * it. `list columns octa` lists the columns of that vehicle's logs.
 */
import type { Command } from "commander";
import {
  ACTION_NAMES,
  ACTIONS,
  buildPlant,
  dimsOf,
  BusLayout,
  describe,
  ITEM_WORDS,
  type Kind,
  mustResolve,
  nearestName,
  type ParamTable,
  PARAMETER_TABLE,
  type PlainObject,
  QUANTITY_NAMES,
  quantityInfo,
  type Registry,
  resolveFlight,
  type Column,
  rowColumns,
  SIGNAL_NAMES,
  SIGNALS,
  vehicleAbouts,
} from "@escapement/core";
import { LOG_KINDS, tomlText } from "@escapement/formats";
import { cliErrors } from "../errors.ts";
import { FAMILIES, withCustomParts } from "../load/custom-parts.ts";
import { columnsOf, padEnd, type Style, styleFor, width, wrap } from "../print/style.ts";
import { vehicleText } from "../print/vehicle.ts";
import { registry } from "../registry.ts";
import { collect, WITH_FLAG } from "./options.ts";

interface Entry {
  readonly name: string;
  readonly about: string;
  readonly params: ParamTable;
  /** The signal of a log column. */
  readonly source?: Pick<Column, "signal" | "component" | "writer">;
  /** The sentence for the screen, if it differs from `about`. */
  readonly sentence?: string;
  /** All values of the entry, shown if it is requested by name. */
  readonly values?: () => PlainObject;
}

const LOGS: Readonly<Record<(typeof LOG_KINDS)[number], string>> = {
  csv: "Text with units in the head and shortest exact digits (.csv).",
  ulog: "PX4's log format with PX4's topics (.ulg): PlotJuggler, Flight Review, pyulog.",
  mcap: "Indexed container (.mcap): Foxglove, PlotJuggler.",
  hdf5: "Columns of float64 (.h5): MATLAB, h5py, Julia.",
  parquet: "Columns of float64 (.parquet): data frames and databases.",
};

/** Everything that can be listed. */
const LISTS: Readonly<Record<string, (parts: Registry) => readonly Entry[]>> = {
  flights: (parts) =>
    tableEntries(parts.flights).map((entry) => ({ ...entry, values: () => parts.flights[entry.name]! })),
  vehicles: (parts) =>
    tableEntries(parts.vehicles, vehicleAbouts).map((entry) => ({
      ...entry,
      values: () => vehicleOf(entry.name, parts),
    })),
  ...Object.fromEntries(
    FAMILIES.map((family) => [
      family,
      (parts: Registry) =>
        (parts[family] as readonly Kind<unknown, never>[]).map(({ name, about, params }) => ({
          name,
          about,
          params,
        })),
    ]),
  ),
  sinks: () => LOG_KINDS.map((name) => ({ name, about: LOGS[name], params: {} })),
  actions: () =>
    ACTION_NAMES.map((name) => ({ name, about: ACTIONS[name].about, params: ACTIONS[name].params as ParamTable })),
  quantities: () =>
    QUANTITY_NAMES.map((name) => {
      const { about, unit } = quantityInfo(name);
      return { name, about: `${about} (${unit})`, params: {} };
    }),
  signals: () =>
    SIGNAL_NAMES.map((name) => {
      const { about, unit, writer, size } = SIGNALS[name];
      return { name, about: `${about} (${unit}; ${sizeText(size)}, written by ${writer})`, params: {} };
    }),
  columns: (parts) => columnEntries(parts, {}),
  items: () =>
    Object.entries(ITEM_WORDS).map(([name, { about, table }]) => ({ name, about, params: table as ParamTable })),
  parameters: () =>
    Object.entries(PARAMETER_TABLE).map(([name, { about, unit, default: fallback, min, max }]) => ({
      name,
      about: `${about} ${fallback} ${unit}, ${min} to ${max}.`,
      sentence: `${about} Default ${fallback}, range ${min} to ${max}${unit === "1" ? "" : ` ${unit}`}.`,
      params: {},
    })),
};

/** Returns the names of each list. */
export function listedNames(parts: Registry): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(LISTS).map(([list, entries]) => [list, entries(parts).map(({ name }) => name)]),
  );
}

export function listNames(): string[] {
  return Object.keys(LISTS);
}

function tableEntries(table: Readonly<Record<string, object>>, abouts: Readonly<Record<string, string>> = {}): Entry[] {
  return Object.entries(table).map(([name, spec]) => ({
    name,
    about: String((spec as Record<string, unknown>)["about"] ?? abouts[name] ?? ""),
    params: {},
  }));
}

/** Returns a vehicle with every default filled in. */
function vehicleOf(name: string, parts: Registry): PlainObject {
  const { definition } = mustResolve(resolveFlight({ file: "list", spec: { vehicle: name } }, parts));
  return definition.vehicle as unknown as PlainObject;
}

/** Returns the columns of a log. A vehicle with more rotors or batteries than the default vehicle has more columns. */
function columnEntries(parts: Registry, spec: PlainObject): Entry[] {
  const { definition } = mustResolve(resolveFlight({ file: "list", spec }, parts));
  const plant = buildPlant(definition, parts);
  const columns = rowColumns(plant.layout, new BusLayout(dimsOf(plant, definition)));
  return columns.map(({ name, about, unit, ...source }) => ({
    name,
    about: `${about} (${unit})`,
    params: {},
    source,
  }));
}

function sizeText(size: number | string): string {
  if (typeof size === "string") return `one per ${size.replace(/(ie)?s$/, (end) => (end === "ies" ? "y" : ""))}`;
  return size === 1 ? "1 value" : `${size} values`;
}

interface ListFlags {
  readonly with: readonly string[];
  readonly toml?: true;
  readonly json?: true;
}

/** The request: everything, one list, or one entry of it. */
interface Request {
  readonly parts: Registry;
  readonly what: string | undefined;
  readonly name: string | undefined;
  /** True if a vehicle is printed with all its values. */
  readonly isToml: boolean;
}

export function addList(program: Command): void {
  program
    .command("list")
    .description("list the names that a flight can use")
    .argument("[what]", `one of: ${listNames().join(", ")}`)
    .argument("[name]", "an entry of that list, or part of a name; for columns, a vehicle too")
    .option(...WITH_FLAG, collect, [])
    .option("--toml", "print all values of a vehicle, as in a flight file")
    .option("--json", "print as JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  escapement list winds\n  escapement list winds dryden\n  escapement list vehicles x500\n  escapement list parameters MPC_XY\n  escapement list actions gust --json",
    )
    .action(async (what: string | undefined, name: string | undefined, flags: ListFlags) => {
      const request: Request = {
        parts: await withCustomParts(registry, flags.with),
        what,
        name,
        isToml: flags.toml === true,
      };
      const text = flags.json === true ? listJson(request) : listText(request, styleFor(process.stdout, process.env));
      process.stdout.write(`${text}\n`);
    });
}

function entriesOf(parts: Registry, what: string, name?: string): readonly Entry[] {
  const list = Object.hasOwn(LISTS, what) ? LISTS[what] : undefined;
  if (list === undefined) {
    const near = nearestName(what, listNames());
    throw cliErrors.unknownList({
      what: `there is no list "${what}"`,
      fix: `${near === undefined ? "" : `did you mean "${near}"? `}use one of: ${listNames().join(", ")}`,
    });
  }
  if (what === "columns" && name !== undefined && Object.hasOwn(parts.vehicles, name)) {
    return columnEntries(parts, { vehicle: name });
  }
  const entries = list(parts);
  if (name === undefined) return entries;
  const exact = entries.filter((entry) => entry.name === name);
  if (exact.length > 0) return exact;
  const found = entries.filter((entry) => entry.name.toLowerCase().includes(name.toLowerCase()));
  if (found.length > 0) return found;
  const names = entries.map((entry) => entry.name);
  const near = nearestName(name, names);
  throw cliErrors.unknownList({
    what: `there is no "${name}" among the ${what}`,
    fix: near === undefined ? `run escapement list ${what}` : `did you mean "${near}"?`,
  });
}

function listJson({ parts, what, name }: Request): string {
  const names = what === undefined ? listNames() : [what];
  const lists = names.map((list) => {
    const entries = entriesOf(parts, list, name).map(withoutSentence);
    return [list, entries.map((entry) => (entries.length === 1 ? withValues(entry) : entry))];
  });
  return JSON.stringify(Object.fromEntries(lists), null, 2);
}

/** Adds the values of an entry. Only an entry that is shown alone has them. */
function withValues(entry: Entry): object {
  return entry.values === undefined ? entry : { ...entry, values: entry.values() };
}

function withoutSentence({ sentence: _sentence, ...entry }: Entry): Entry {
  return entry;
}

function listText({ parts, what, name, isToml }: Request, style: Style): string {
  const columns = columnsOf(process.stdout);
  if (what === undefined) return overviewText(parts, style, columns);
  const entries = entriesOf(parts, what, name);
  const [only] = entries;
  if (entries.length === 1 && only !== undefined) return detailText(only, { parts, what, isToml }, style, columns);
  const widest = Math.min(24, Math.max(...entries.map((entry) => entry.name.length)));
  const lines = entries.map((entry) => headText(entry, widest, style, columns));
  const example = entries.find(({ params, values }) => values !== undefined || Object.keys(params).length > 0);
  if (example !== undefined) lines.push("", style.quiet(`details: escapement list ${what} ${example.name}`));
  return lines.join("\n");
}

/** Returns one line per list: its name, the number of entries, and as many of their names as fit. */
function overviewText(parts: Registry, style: Style, columns: number): string {
  const widest = Math.max(...listNames().map((list) => list.length));
  const lines = listNames().map((list) => {
    const names = entriesOf(parts, list).map((entry) => entry.name);
    const maxWidth = columns - widest - 9;
    return `${style.strong(padEnd(list, widest))}  ${String(names.length).padStart(4)}  ${namesThatFit(names, maxWidth)}`;
  });
  return [...lines, "", style.quiet("one list: escapement list winds; one entry: escapement list winds dryden")].join(
    "\n",
  );
}

function namesThatFit(names: readonly string[], maxWidth: number): string {
  const whole = names.join(", ");
  if (whole.length <= maxWidth) return whole;
  let count = names.length - 1;
  while (count > 1 && names.slice(0, count).join(", ").length + 3 > maxWidth) count -= 1;
  return `${names.slice(0, count).join(", ")}, …`;
}

/** Returns one entry with its parameters or values. */
function detailText(
  entry: Entry,
  { parts, what, isToml }: Pick<Request, "parts" | "isToml"> & { readonly what: string },
  style: Style,
  columns: number,
): string {
  const head = headText(entry, entry.name.length, style, columns);
  if (entry.values === undefined) return [head, ...paramLines(entry.params, "    ", style, columns)].join("\n");
  if (what !== "vehicles" || isToml) return `${head}\n\n${tomlText(entry.values())}`;
  const { definition } = mustResolve(resolveFlight({ file: "list", spec: { vehicle: entry.name } }, parts));
  return `${head}\n\n${vehicleText(entry.name, definition.vehicle, buildPlant(definition, parts).trim({}), style)}`;
}

function headText({ name, about, sentence = about }: Entry, widest: number, style: Style, columns: number): string {
  return `${style.strong(padEnd(name, widest))}  ${wrap(sentence, columns, " ".repeat(widest + 2))}`;
}

/** Returns one line per parameter: name, default, allowed values and description, and lines for nested tables. */
function paramLines(params: ParamTable, indent: string, style: Style, columns: number): string[] {
  const names = Object.keys(params);
  const widest = Math.max(0, ...names.map((key) => key.length));
  return names.flatMap((key) => {
    const param = params[key]!;
    const isTable = param.type === "section" || param.type === "sections";
    const fallback = isTable
      ? ""
      : param.default === undefined
        ? style.strong("required")
        : `= ${JSON.stringify(param.default)}`;
    const left = `${indent}${style.accent(padEnd(key, widest))}`;
    const text = [fallback, style.quiet(`${describe(param)}. ${param.about}`)].filter((part) => part !== "").join("  ");
    const line = `${left}  ${wrap(text, columns, " ".repeat(width(left) + 2))}`;
    return isTable ? [line, ...paramLines(param.table, `${indent}  `, style, columns)] : [line];
  });
}
