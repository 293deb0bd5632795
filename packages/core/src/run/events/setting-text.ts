/** The text of a setting change, e.g. "mass 1.2 kg", "wind dryden, w20 8 m/s", "seed 8". */
import { isPlainObject, type PlainObject } from "../../params/index.ts";
import { pathsOf } from "../../describe/build/overlay.ts";
import type { Change } from "../../describe/build/setting-changes.ts";

/** Units by the ending of a key; longer endings come first. */
const UNITS: Readonly<Record<string, string>> = {
  NmSPerRad: "N m s/rad",
  RpmPerV: "rpm/V",
  NSPerM: "N s/m",
  PerRtS: "1/√s",
  PerRad: "1/rad",
  Radps: "rad/s",
  SPerM: "s/m",
  KgM2: "kg m²",
  Mps2: "m/s²",
  PerS: "1/s",
  RadS: "rad/s",
  Ohm: "Ω",
  Mps: "m/s",
  Deg: "°",
  Rad: "rad",
  Kg: "kg",
  M2: "m²",
  Ah: "Ah",
  Pa: "Pa",
  Us: "µs",
  Ut: "µT",
  A: "A",
  F: "F",
  K: "K",
  M: "m",
  N: "N",
  S: "s",
  V: "V",
  W: "W",
};
const ENDING = new RegExp(`^(.*[a-z0-9])(${Object.keys(UNITS).join("|")})$`);
const MAX_VALUES = 3;

export function settingText({ action, params }: Change): string {
  if (action === "reseed") return `seed ${String(params["seed"])}`;
  if (action === "vehicle") return valuesText(params).join(", ");
  const name = action === "sensor" ? String(params["kind"]) : `${action} ${String(params["kind"])}`;
  return [name, ...valuesText(params["params"] as PlainObject)].join(", ");
}

function valuesText(table: PlainObject): string[] {
  const paths = pathsOf(table);
  const texts = paths.slice(0, MAX_VALUES).map((path) => {
    const [, name = path, unit = ""] = ENDING.exec(path) ?? [];
    return `${name} ${valueText(valueAt(table, path))}${unit === "" ? "" : ` ${UNITS[unit]}`}`;
  });
  return paths.length > MAX_VALUES ? [...texts, `and ${paths.length - MAX_VALUES} more`] : texts;
}

function valueAt(table: PlainObject, path: string): unknown {
  return path
    .split(/[.[\]]+/)
    .filter((part) => part !== "")
    .reduce<unknown>((value, part) => (value as PlainObject)[part], table);
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.some(isPlainObject) ? `(${value.length})` : value.join(", ");
  return String(value);
}
