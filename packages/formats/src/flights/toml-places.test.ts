/** Positions of TOML keys and values, compared with those of an independent parser. */
import fc from "fast-check";
import { parse, stringify } from "smol-toml";
import { describe, expect, it } from "vitest";
import { volume } from "../../../../tests/support/volume.ts";
import { parseTOML, type AST } from "toml-eslint-parser";
import type { PlaceNode, Span } from "./places.ts";
import { tomlPlaces } from "./toml-places.ts";

type Range = readonly [number, number];

/**
 * Returns the position of every key and value by its path, from `toml-eslint-parser`. Tables opened by a header are
 * left out.
 */
function expectedPlaces(text: string): Map<string, { key?: Range; value: Range }> {
  const found = new Map<string, { key?: Range; value: Range }>();
  const addContent = (path: string, content: AST.TOMLContentNode) => {
    if (content.type === "TOMLInlineTable") for (const entry of content.body) addEntry(path, entry);
    if (content.type !== "TOMLArray") return;
    content.elements.forEach((element, i) => {
      found.set(`${path}/${i}`, { value: element.range });
      addContent(`${path}/${i}`, element);
    });
  };
  const addEntry = (table: string, { key, value }: AST.TOMLKeyValue) => {
    let path = table;
    for (const part of key.keys) path += `/${JSON.stringify(part.type === "TOMLBare" ? part.name : part.value)}`;
    found.set(path, { key: key.keys.at(-1)!.range, value: value.range });
    addContent(path, value);
  };
  for (const entry of parseTOML(text, { tomlVersion: "1.1" }).body[0].body) {
    if (entry.type === "TOMLKeyValue") addEntry("", entry);
    else {
      const table = entry.resolvedKey.map((part) => `/${JSON.stringify(part)}`).join("");
      for (const each of entry.body) addEntry(table, each);
    }
  }
  return found;
}

function checkPlaces(text: string): number {
  const rangeOf = ({ start, end }: Span): Range => [start, end];
  const actual = new Map<string, { key?: Range; value: Range }>();
  const walk = ({ children }: PlaceNode, path: string) => {
    for (const [name, child] of children) {
      const key = child.key === undefined ? {} : { key: rangeOf(child.key) };
      actual.set(`${path}/${JSON.stringify(name)}`, { ...key, value: rangeOf(child.value) });
      walk(child, `${path}/${JSON.stringify(name)}`);
    }
  };
  walk(tomlPlaces(text), "");
  const expected = expectedPlaces(text);
  for (const [path, place] of expected) expect([text, path, actual.get(path)]).toEqual([text, path, place]);
  return expected.size;
}

function isToml(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("source locations in TOML", () => {
  it("are found in every form of key and value", () => {
    const forms = `
a = 1 # = "not a key"
"quoted # key".'literal'.b = "a \\" b # no comment"
dates = [1979-05-27 07:32:00Z, 1979-05-27T07:32:00, 07:32:00, 1979-05-27]
long = """
two "" quotes, an escaped \\""" and a last pair"""""
raw = '''\\ is a letter ' and '' too''''
empty = ["", '', """""", '''''']
"" = -inf
"\\u00e9\\t" = { x.y = [ { z = 1 }, # a comment ] }
  { z = 0xff, }, ], "w" = true, }
[ t . "u" ]
v = +1_000.5e-3
[[list]]
a = 1
[list.inner]
b = 2
[[list]]
[[list.deep]]
c = 3
[[list.deep]]
c = 4
[list.inner]
b = 5`;
    expect(() => parse(forms)).not.toThrow();
    expect(checkPlaces(forms)).toBe(28);
    expect(checkPlaces(forms.replaceAll("\n", "\r\n"))).toBe(28);
  });

  it("are found in any document", () => {
    const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    const value = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 3 }, leaf, fc.array(tie("any"), { maxLength: 3 }), tie("table")),
      table: fc.dictionary(fc.string(), tie("any"), { maxKeys: 4 }),
    })).table;
    let found = 0;
    fc.assert(
      fc.property(value as fc.Arbitrary<Record<string, unknown>>, (object) => {
        found += checkPlaces(stringify(object));
      }),
      { numRuns: 300 },
    );
    expect(found).toBeGreaterThan(300);
  });

  it("are found in any text that the parser accepts", () => {
    const piece = fc.constantFrom("[a]\n", "[[a]]\n", "[a.b]\n", "a", "b", ".", " = ", "1", '"', "'", '"""', "'''", "[", "]", "{", "}", ", ", "\n", "#", "\\", " ", "1979-05-27", "true"); // prettier-ignore
    const texts = volume(4000, 20_000);
    let read = 0;
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join("")),
        (text) => {
          if (!isToml(text)) return;
          tomlPlaces(text);
          read += 1;
        },
      ),
      { numRuns: texts },
    );
    expect(read).toBeGreaterThan(texts / 40);
  });
});
