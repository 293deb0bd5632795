/**
 * Converts rows to JSON. Infinities are written as `"inf"` and `"-inf"`, because JSON has none. −0 is written as `-0`,
 * because `JSON.stringify` drops its sign.
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

/** Returns the canonical text of a value that may contain infinities. */
export function textOf(value: unknown): string {
  return canonicalJson(encodeInfinities(value));
}

function encodeInfinities(value: unknown): unknown {
  if (typeof value === "number") return numberToJson(value);
  if (Array.isArray(value)) return value.map(encodeInfinities);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, encodeInfinities(entry)]));
}
