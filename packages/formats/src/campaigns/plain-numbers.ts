/**
 * JSON for rows. Infinities are written as `"inf"` and `"-inf"`, because JSON has none. −0 is written as `-0`, because
 * `JSON.stringify` drops its sign.
 */
import { canonicalJson } from "@escapement/core";

/** A number as it is written in JSON. */
export type JsonNumber = number | "inf" | "-inf";

export function numberToJson(value: number): JsonNumber {
  if (value === Infinity) return "inf";
  return value === -Infinity ? "-inf" : value;
}

export function numberFromJson(value: unknown): number | undefined {
  if (value === "inf") return Infinity;
  if (value === "-inf") return -Infinity;
  return typeof value === "number" ? value : undefined;
}

/** The canonical text of a value that may hold infinities. */
export function textOf(value: unknown): string {
  return canonicalJson(withWords(value));
}

function withWords(value: unknown): unknown {
  if (typeof value === "number") return numberToJson(value);
  if (Array.isArray(value)) return value.map(withWords);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withWords(entry)]));
}
