/** Makes events that set settings of a description to different values in flight. */
import { isPlainObject, type PlainObject } from "../params/index.ts";
import type { SettingDifference, SettingValue } from "./differences.ts";

/** Sections whose changes are written like the section itself, under the action of the same name. */
const SECTIONS: readonly unknown[] = ["wind", "estimator", "integrator", "vehicle"];

/**
 * Returns events, without triggers, that set the settings to the values of the good flight. A setting that no event
 * can change gets no event.
 */
export function settingEvents(differences: readonly SettingDifference[], good: PlainObject): PlainObject[] {
  const values = differences.flatMap((difference) => difference.values);
  const valuesUnder = (...path: readonly unknown[]) =>
    values.filter((value) => path.every((step, i) => value.path[i] === step));
  const sensors = [...new Set(valuesUnder("sensors").map(({ path }) => path[1] as string))];
  return [
    ...SECTIONS.flatMap((section) => {
      const changed = partialOf(valuesUnder(section), good);
      return Object.keys(changed).length === 0 ? [] : [{ [section as string]: changed[section as string] }];
    }),
    ...sensors.flatMap((kind) => {
      const table = (partialOf(valuesUnder("sensors", kind), good)["sensors"] as PlainObject | undefined)?.[kind];
      return isPlainObject(table) ? [{ sensor: { kind, ...table } }] : [];
    }),
    ...valuesUnder("autopilot", "parameters").flatMap(({ path, good: value }) =>
      value === undefined ? [] : [{ parameter: { name: path[2], value } }],
    ),
    ...valuesUnder("seed").map(({ good: seed }) => ({ reseed: { seed } })),
  ];
}

/** Returns a description with only these values, as the good flight has them. */
function partialOf(values: readonly SettingValue[], good: PlainObject): PlainObject {
  return values.reduce<PlainObject>(
    (partial, { path, good: value }) =>
      value === undefined ? partial : (withPartialValue(partial, good, path, value) as PlainObject),
    {},
  );
}

/** Sets one value of a partial description. Lists get as many entries as the complete description has. */
function withPartialValue(
  partial: unknown,
  complete: unknown,
  [step, ...rest]: SettingValue["path"],
  value: unknown,
): unknown {
  if (step === undefined) return value;
  if (typeof step === "number") {
    const list = (partial ?? (complete as readonly unknown[]).map(() => ({}))) as readonly unknown[];
    return list.map((entry, i) =>
      i === step ? withPartialValue(entry, (complete as readonly unknown[])[i], rest, value) : entry,
    );
  }
  const table = (partial ?? {}) as PlainObject;
  return { ...table, [step]: withPartialValue(table[step], (complete as PlainObject)[step], rest, value) };
}
