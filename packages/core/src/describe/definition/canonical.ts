/**
 * Returns the canonical text of a description: keys sorted, numbers in their shortest round-trip form. This text is
 * hashed, embedded in recordings and compared. −0 is written as −0, because it is a different number from 0.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const table = value as Record<string, unknown>;
  const entries = Object.keys(table)
    .filter((key) => table[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(table[key])}`);
  return `{${entries.join(",")}}`;
}
