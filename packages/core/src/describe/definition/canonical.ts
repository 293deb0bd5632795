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

const sectionTexts = new WeakMap<object, string>();

/**
 * Returns the canonical text of a definition. The texts of its sections are kept, because a branch has the sections of
 * its parent. That of the events is not: they differ in a branch, and a flight by hand extends them while it flies.
 */
export function definitionJson(definition: object): string {
  const entries = Object.entries(definition)
    .filter(([, section]) => section !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([key, section]) =>
        `${JSON.stringify(key)}:${key === "scenario" ? canonicalJson(section) : sectionJson(section)}`,
    );
  return `{${entries.join(",")}}`;
}

function sectionJson(section: unknown): string {
  if (typeof section !== "object" || section === null) return canonicalJson(section);
  const known = sectionTexts.get(section);
  if (known !== undefined) return known;
  const text = canonicalJson(section);
  sectionTexts.set(section, text);
  return text;
}
