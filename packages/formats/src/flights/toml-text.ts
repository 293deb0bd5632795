/** Formats plain values as TOML for people: `init` writes it and `check` prints it. */
import { isPlainObject, type PlainObject } from "@escapement/core";

export function tomlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(", ")}]`;
  if (isPlainObject(value)) {
    const entries = Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
    return entries.length === 0
      ? "{}"
      : `{ ${entries.map(([key, item]) => `${tomlKey(key)} = ${tomlValue(item)}`).join(", ")} }`;
  }
  if (typeof value === "number" && !Number.isFinite(value))
    return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  return JSON.stringify(value);
}

/** Formats a table: first its values (a list of tables has one table per line), then its tables. Omits nulls. */
export function tomlText(table: PlainObject, path = ""): string {
  const entries = Object.entries(table).filter(([, value]) => value !== null && value !== undefined);
  const valueLines = entries
    .filter(([, value]) => !isPlainObject(value))
    .map(([key, value]) => `${tomlKey(key)} = ${listText(value)}`);
  const heading = path === "" || (valueLines.length === 0 && entries.length > 0) ? [] : [`[${path}]`];
  const tables = entries.flatMap(([key, value]) => {
    const full = path === "" ? tomlKey(key) : `${path}.${tomlKey(key)}`;
    return isPlainObject(value) ? [tomlText(value, full)] : [];
  });
  return [[...heading, ...valueLines].join("\n"), ...tables].filter((part) => part !== "").join("\n\n");
}

function listText(value: unknown): string {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isPlainObject)) return tomlValue(value);
  return `[\n${value.map((item) => `  ${tomlValue(item)},`).join("\n")}\n]`;
}

function tomlKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key);
}
