/**
 * Completes flight files: finds the keys and values that the schema allows at a position.
 *
 * The text need not be valid, because only the headings before the position and its line are read. They give the path
 * of the table that contains the position, and whether a key or a value is expected there.
 */

type JsonSchema = { readonly [key: string]: unknown };

/** One completion. */
interface TextOffer {
  readonly label: string;
  /** The text to insert, if it is not the label. */
  readonly insert?: string;
  readonly kind: "key" | "value";
  /** The default, in a few characters. */
  readonly detail?: string;
  readonly about?: string;
}

/** The completions at a position, and the range of the text that the chosen one replaces. */
interface TextOffers {
  readonly from: number;
  readonly to: number;
  readonly offers: readonly TextOffer[];
}

/** Returns the completions at an offset of a flight file in TOML. */
export function offersAt(text: string, offset: number, schema: unknown): TextOffers {
  const { path, key, word } = placeAt(text, offset);
  const tables = path.reduce(stepInto, [schema as JsonSchema]).flatMap(alternatives);
  const from = offset - word.length;
  const bare = word.replace(/^["']/, "").toLowerCase();
  const all = key === undefined ? keyOffers(tables) : valueOffers(stepInto(tables, key).flatMap(alternatives));
  const offers = all.filter(({ label }) => label.toLowerCase().includes(bare));
  return { from, to: offset, offers };
}

interface Place {
  /** Keys of the enclosing tables. */
  readonly path: readonly string[];
  /** The key whose value is being written; undefined if a key is being written. */
  readonly key: string | undefined;
  /** The part of the key or value that has been typed. */
  readonly word: string;
}

function placeAt(text: string, offset: number): Place {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const heading = [...text.slice(0, lineStart).matchAll(/^[ \t]*\[\[?([^\]\n]+)\]\]?/gm)].at(-1)?.[1] ?? "";
  const path = heading === "" ? [] : keysOf(heading);
  return inLine(text.slice(lineStart, offset), path);
}

/** Follows the inline tables of a line up to its end. */
function inLine(line: string, heading: readonly string[]): Place {
  const open: string[][] = [];
  let path = [...heading];
  let key: string | undefined;
  let word = "";
  let isQuoted = false;
  for (const letter of line) {
    if (letter === '"') isQuoted = !isQuoted;
    if (isQuoted || /[\w.\-"]/.test(letter)) word += letter;
    else if (letter === "=") {
      key = word;
      word = "";
    } else if (letter === "{") {
      open.push(path);
      path = [...path, ...(key === undefined ? [] : keysOf(key))];
      [key, word] = [undefined, ""];
    } else if (letter === "}") {
      path = open.pop() ?? path;
      [key, word] = [undefined, ""];
    } else if (letter === ",") {
      word = "";
      if (open.length > 0) key = undefined;
    } else if (letter === "[") word = "";
    else if (word !== "" && key !== undefined) word = "";
  }
  return { path, key, word };
}

function keysOf(dotted: string): string[] {
  return dotted.split(".").map((part) => part.trim().replaceAll(/^["']|["']$/g, ""));
}

/** Returns the schemas of a key in any of these tables. */
function stepInto(schemas: readonly JsonSchema[], key: string): JsonSchema[] {
  return keysOf(key).reduce<JsonSchema[]>(
    (found, part) =>
      found.flatMap(alternatives).flatMap(({ properties }) => {
        const next = (properties as Readonly<Record<string, JsonSchema>> | undefined)?.[part];
        return next === undefined ? [] : [next];
      }),
    [...schemas],
  );
}

/** Returns a schema, the schemas of its alternatives, and those of the items of a list. */
function alternatives(schema: JsonSchema): JsonSchema[] {
  const { anyOf, oneOf, allOf, items } = schema;
  const inner = [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? (list as JsonSchema[]) : []));
  const item = typeof items === "object" && items !== null ? [items as JsonSchema] : [];
  return [schema, ...[...inner, ...item].flatMap(alternatives)];
}

function keyOffers(tables: readonly JsonSchema[]): TextOffer[] {
  const offers = new Map<string, TextOffer>();
  for (const { properties } of tables) {
    for (const [label, schema] of Object.entries((properties ?? {}) as Readonly<Record<string, JsonSchema>>)) {
      const { description, default: fallback } = schema;
      if (offers.get(label)?.about !== undefined) continue;
      offers.set(label, {
        label,
        insert: `${label} = `,
        kind: "key",
        ...(fallback === undefined ? {} : { detail: JSON.stringify(fallback) }),
        ...(typeof description === "string" ? { about: description } : {}),
      });
    }
  }
  return [...offers.values()];
}

function valueOffers(schemas: readonly JsonSchema[]): TextOffer[] {
  const offers = new Map<string, TextOffer>();
  const add = (value: unknown, about?: unknown) => {
    const insert = JSON.stringify(value);
    const label = typeof value === "string" ? value : insert;
    if (offers.get(label)?.about !== undefined) return;
    offers.set(label, { label, insert, kind: "value", ...(typeof about === "string" ? { about } : {}) });
  };
  for (const { const: only, enum: choices, type, default: fallback, description, properties } of schemas) {
    if (only !== undefined) add(only, description);
    if (Array.isArray(choices)) for (const choice of choices) add(choice);
    if (type === "boolean") for (const choice of [true, false]) add(choice);
    if (type === "number" || type === "integer") if (fallback !== undefined) add(fallback, description);
    const { kind } = (properties ?? {}) as Readonly<Record<string, JsonSchema>>;
    if (kind?.["const"] !== undefined) add(kind["const"], kind["description"]);
  }
  return [...offers.values()];
}
