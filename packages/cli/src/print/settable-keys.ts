/** Every dotted key that `--set` can set, from the tables, except keys inside lists. */
import {
  environmentTable,
  generalTable,
  missionTiming,
  outputsTable,
  type ParamTable,
  type Registry,
  stopTable,
  timelineTable,
  vehicleTable,
} from "@escapement/core";

export function settableKeys(registry: Registry): string[] {
  const kinds = {
    wind: registry.winds,
    integrator: registry.integrators,
    estimator: registry.estimators,
    autopilot: registry.autopilots,
  };
  return [
    ...keysOf(generalTable, ""),
    "vehicle",
    ...keysOf(vehicleTable, "vehicle"),
    ...keysOf(timelineTable, "timeline"),
    ...keysOf(environmentTable, "environment"),
    ...Object.entries(kinds).flatMap(([section, all]) => [
      `${section}.kind`,
      ...new Set(all.flatMap(({ params }) => keysOf(params as ParamTable, section))),
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
