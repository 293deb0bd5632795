/** `escapement list [what]`: names, one sentence, parameters with unit, default and range, all from the tables. */
import type { Command } from "commander";
import {
  ACTION_NAMES,
  ACTIONS,
  describe,
  type Kind,
  type KindFamily,
  type ParamTable,
  QUANTITY_NAMES,
  SIGNAL_QUANTITIES,
  STATE_QUANTITIES,
} from "@escapement/core";
import { cliErrors } from "../errors.ts";
import { type Style, styleFor } from "../print/style.ts";
import { renderTable } from "../print/table.ts";
import { registry } from "../registry.ts";

interface Entry {
  readonly name: string;
  readonly about: string;
  readonly params: ParamTable;
}

const FAMILIES: readonly KindFamily[] = ["winds", "integrators", "estimators", "sensors", "autopilots", "atmospheres", "gravities"];

/** Everything that can be listed. */
const LISTS: Readonly<Record<string, () => readonly Entry[]>> = {
  flights: () => described(registry.flights, (spec) => String(spec["about"] ?? (spec["extends"] === undefined ? "" : `like ${String(spec["extends"])}`))),
  vehicles: () => described(registry.vehicles, (spec) => String(spec["about"] ?? "")),
  ...Object.fromEntries(FAMILIES.map((family) => [family, () => (registry[family] as readonly Kind<unknown, never>[]).map(({ name, about, params }) => ({ name, about, params }))])),
  actions: () => ACTION_NAMES.map((name) => ({ name, about: ACTIONS[name].about, params: ACTIONS[name].params as ParamTable })),
  quantities: () => QUANTITY_NAMES.map((name) => ({ name, about: quantityAbout(name), params: {} })),
};

function described(table: Readonly<Record<string, object>>, about: (spec: Record<string, unknown>) => string): Entry[] {
  return Object.keys(table).map((name) => ({ name, about: about(table[name] as Record<string, unknown>), params: {} }));
}

function quantityAbout(name: string): string {
  const { about, unit } = ({ ...STATE_QUANTITIES, ...SIGNAL_QUANTITIES } as Record<string, { about: string; unit: string }>)[name]!;
  return `${about} (${unit})`;
}

export function addList(program: Command): void {
  program
    .command("list")
    .description("list what a flight may name")
    .argument("[what]", `one of: ${Object.keys(LISTS).join(", ")}`)
    .option("--json", "print as JSON")
    .addHelpText("after", "\nExamples:\n  escapement list winds\n  escapement list flights --json")
    .action((what: string | undefined, flags: { json?: true }) => {
      process.stdout.write(`${flags.json === true ? listJson(what) : listText(what, styleFor(process.stdout, process.env))}\n`);
    });
}

function entriesOf(what: string): readonly Entry[] {
  const list = Object.hasOwn(LISTS, what) ? LISTS[what] : undefined;
  if (list !== undefined) return list();
  throw cliErrors.unknownList({ what: `there is no list "${what}"`, fix: `one of: ${Object.keys(LISTS).join(", ")}` });
}

function listJson(what: string | undefined): string {
  const names = what === undefined ? Object.keys(LISTS) : [what];
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, entriesOf(name)])), null, 2);
}

function listText(what: string | undefined, style: Style): string {
  if (what === undefined) {
    const rows = Object.keys(LISTS).map((name) => [style.strong(name), entriesOf(name).map((entry) => entry.name).join(", ")]);
    return renderTable([{ title: "list" }, { title: "holds" }], rows, style);
  }
  return entriesOf(what).map((entry) => entryText(entry, style)).join("\n");
}

function entryText({ name, about, params }: Entry, style: Style): string {
  const rows = Object.keys(params).map((key) => {
    const param = params[key]!;
    const fallback = param.default === undefined ? "required" : JSON.stringify(param.default);
    return [`    ${style.accent(key)}`, fallback, describe(param), style.quiet(param.about)];
  });
  const head = `${style.strong(name)}  ${about}`;
  if (rows.length === 0) return head;
  const table = renderTable([{ title: "    parameter" }, { title: "default" }, { title: "takes" }, { title: "" }], rows, style);
  return `${head}\n${table}\n`;
}
