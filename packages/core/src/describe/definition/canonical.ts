/**
 * Returns the canonical text of a description: keys sorted, numbers in their shortest round-trip form. This text is
 * hashed, embedded in recordings and compared. −0 is written as −0, because it is a different number from 0.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === "number") return numberText(value);
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  return Array.isArray(value) ? listText(value) : tableText(value as PlainTable);
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

type PlainTable = Readonly<Record<string, unknown>>;

function tableText(
  table: PlainTable,
  textOf: (key: string, value: unknown) => string = (_key, value) => canonicalJson(value),
): string {
  let text = "";
  for (const key of Object.keys(table).sort()) {
    if (table[key] === undefined) continue;
    text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${textOf(key, table[key])}`;
  }
  return `{${text}}`;
}

const sectionTexts = new WeakMap<object, string>();
/**
 * The last section of each name that was written, with its text. The values of the section's keys are cached too,
 * under `section.key`.
 */
const lastWritten = new Map<string, { readonly value: object; readonly text: string }>();

/**
 * Returns the canonical text of a definition. The texts of its sections are cached, because a branch has the sections
 * of its parent, and the flights of a campaign differ in few values. The text of the events is not cached: they differ
 * in a branch, and a manual flight appends events to the list.
 */
export function definitionJson(definition: object): string {
  const entries = Object.entries(definition)
    .filter(([, section]) => section !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([key, section]) =>
        `${JSON.stringify(key)}:${key === "scenario" ? canonicalJson(section) : sectionJson(key, section)}`,
    );
  return `{${entries.join(",")}}`;
}

function sectionJson(name: string, section: unknown): string {
  if (typeof section !== "object" || section === null) return canonicalJson(section);
  const known = sectionTexts.get(section);
  if (known !== undefined) return known;
  const text = textLikeLast(name, section, (table) =>
    tableText(table, (key, value) => textLikeLast(`${name}.${key}`, value)),
  );
  sectionTexts.set(section, text);
  return text;
}

/** Returns the text of a value; the cached text if the last value of this name was equal. */
function textLikeLast(name: string, value: unknown, writeTable: (table: PlainTable) => string = canonicalJson): string {
  if (typeof value !== "object" || value === null) return canonicalJson(value);
  const last = lastWritten.get(name);
  if (last !== undefined && isEqual(last.value, value)) return last.text;
  const text = Array.isArray(value) ? canonicalJson(value) : writeTable(value as PlainTable);
  lastWritten.set(name, { value, text });
  return text;
}

/** Whether two values have the same text. May be false for equal values with other keys that are undefined. */
function isEqual(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return Object.is(a, b);
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((each, i) => isEqual(each, b[i]));
  }
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(b, key) || !isEqual((a as PlainTable)[key], (b as PlainTable)[key])) return false;
  }
  return true;
}
