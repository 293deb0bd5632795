/**
 * Returns the canonical text of a description: keys sorted, numbers in their shortest round-trip form. This text is
 * hashed, embedded in recordings and compared. −0 is written as −0, because it is a different number from 0.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === "number") return numberText(value);
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  return Array.isArray(value) ? listText(value) : tableText(value as Record<string, unknown>);
}

function numberText(value: number): string {
  if (Object.is(value, -0)) return "-0";
  return Number.isFinite(value) ? `${value}` : "null";
}

function listText(values: readonly unknown[]): string {
  let text = "";
  for (let i = 0; i < values.length; i += 1) text += `${i === 0 ? "" : ","}${canonicalJson(values[i])}`;
  return `[${text}]`;
}

function tableText(table: Record<string, unknown>): string {
  let text = "";
  for (const key of Object.keys(table).sort()) {
    if (table[key] === undefined) continue;
    text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(table[key])}`;
  }
  return `{${text}}`;
}

const sectionTexts = new WeakMap<object, string>();

/**
 * Returns the canonical text of a definition. The texts of its sections are cached, because a branch has the sections
 * of its parent. The text of the events is not cached: they differ in a branch, and a manual flight appends events to
 * the list.
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
