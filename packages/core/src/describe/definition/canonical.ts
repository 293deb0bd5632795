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

function tableText(table: PlainTable): string {
  let text = "";
  for (const key of Object.keys(table).sort()) {
    if (table[key] === undefined) continue;
    text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(table[key])}`;
  }
  return `{${text}}`;
}
