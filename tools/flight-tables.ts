/**
 * Makes the tables of docs/flights.md: every section, kind, action and quantity that a flight description can contain.
 */
import { isStateQuantity, QUANTITY_NAMES, quantityInfo } from "../packages/core/src/quantities/index.ts";
import { ACTION_NAMES, ACTIONS } from "../packages/core/src/sources/scenario/index.ts";
import {
  coreRegistry,
  environmentTable,
  EVENT_KEYS,
  generalTable,
  ITEM_WORDS,
  missionTiming,
  outputsTable,
  stopTable,
  timelineTable,
  vehicleAbouts,
  vehicleTable,
} from "../packages/core/src/describe/index.ts";
import { describe, type ParamTable } from "../packages/core/src/params/index.ts";
import { type Row, table } from "./markdown.ts";

/** Returns the rows of a parameter table; nested tables have dotted keys. */
export function paramRows(params: ParamTable, path = ""): Row[] {
  return Object.entries(params).flatMap(([key, param]) => {
    const full = `${path}${key}`;
    const own = [
      `\`${full}\``,
      param.default === undefined ? "required" : shortText(param.default),
      describe(param),
      param.about,
    ];
    if (param.type === "section") return paramRows(param.table, `${full}.`);
    if (param.type === "sections") return [own, ...paramRows(param.table, `${full}[].`)];
    return [own];
  });
}

function shortText(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 40 ? "…" : `\`${text}\``;
}

/** Formats the rows of a parameter table. */
export const params = (rows: readonly Row[]) => table(["key", "default", "takes", "meaning"], rows);

interface Listed {
  readonly name: string;
  readonly about: string;
  readonly params: ParamTable;
}

function kindTables(kinds: readonly Listed[]): string {
  return kinds
    .map(({ name, about, params: own }) => {
      const rows = paramRows(own);
      return rows.length === 0 ? `**\`${name}\`** ${about}` : `**\`${name}\`** ${about}\n\n${params(rows)}`;
    })
    .join("\n\n");
}

function quantities(): string {
  const rows = QUANTITY_NAMES.map((name) => {
    const { unit, about } = quantityInfo(name);
    return [`\`${name}\``, unit, isStateQuantity(name) ? "yes" : "", about];
  });
  return table(["quantity", "unit", "located", "meaning"], rows);
}

/** Returns name and text of every generated part. */
export function flightTables(): (readonly [name: string, text: string])[] {
  const { flights, vehicles } = coreRegistry;
  const about = (specs: Readonly<Record<string, object>>) =>
    Object.entries(specs).map(([name, spec]) => [`\`${name}\``, String((spec as { about?: string }).about ?? "")]);
  return [
    ["built-in flights", table(["flight", "shows"], about(flights))],
    [
      "built-in vehicles",
      table(
        ["vehicle", ""],
        Object.keys(vehicles).map((name) => [`\`${name}\``, vehicleAbouts[name] ?? ""]),
      ),
    ],
    ["general", params(paramRows(generalTable))],
    ["timeline", params(paramRows(timelineTable))],
    ["environment", params(paramRows(environmentTable))],
    ["atmospheres", kindTables(coreRegistry.atmospheres)],
    ["gravities", kindTables(coreRegistry.gravities)],
    ["winds", kindTables(coreRegistry.winds)],
    ["integrators", kindTables(coreRegistry.integrators)],
    ["estimators", kindTables(coreRegistry.estimators)],
    ["sensors", kindTables(coreRegistry.sensors)],
    ["autopilots", kindTables(coreRegistry.autopilots)],
    ["mission", params(paramRows(missionTiming))],
    [
      "items",
      kindTables(Object.entries(ITEM_WORDS).map(([name, word]) => ({ name, about: word.about, params: word.table }))),
    ],
    [
      "events",
      table(
        ["key", "meaning"],
        Object.entries(EVENT_KEYS).map(([key, meaning]) => [`\`${key}\``, meaning]),
      ),
    ],
    [
      "actions",
      kindTables(ACTION_NAMES.map((name) => ({ name, about: ACTIONS[name].about, params: ACTIONS[name].params }))),
    ],
    ["quantities", quantities()],
    ["stop", params(paramRows(stopTable))],
    ["outputs", params(paramRows(outputsTable))],
    ["vehicle", params(paramRows(vehicleTable))],
  ];
}
