/** Makes the tables of docs/campaigns.md: the keys of a campaign file, and the settings of each plan. */
import { campaignTable, keepTable, PLAN_TABLES } from "../packages/campaign/src/spec/tables.ts";
import { paramRows, params } from "./flight-tables.ts";
import { table } from "./markdown.ts";

/** Returns name and text of every generated part. */
export function campaignTables(): (readonly [name: string, text: string])[] {
  const settings = Object.entries(PLAN_TABLES).flatMap(([plan, own]) =>
    paramRows(own).map((row) => [`\`${plan}\``, ...row]),
  );
  return [
    ["campaign keys", params([...paramRows(campaignTable), ...paramRows(keepTable, "keep.")])],
    ["plan settings", table(["plan", "key", "default", "takes", "meaning"], settings)],
  ];
}
