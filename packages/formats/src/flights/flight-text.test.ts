/** Flight texts: values, positions of keys, errors with lines, and malformed input. */
import fc from "fast-check";
import { parse as parseTomlOracle } from "smol-toml";
import { describe, expect, it } from "vitest";
import { SimError } from "@escapement/core";
import { excerptOf } from "./excerpts.ts";
import { readFlightText } from "./flight-text.ts";

const TOML = `# a flight
extends = "iris"
seed = 7

[wind]
kind = "ouu"     # misspelled
meanNedMps = [1.0, -2.5,
  0.0]
"odd.key" = 1

[vehicle.body]
massKg = 1.5

[[scenario]]
at = 3.5
motorFault = { motor = 2, kind = "off" }

[[scenario]]
at = 9
`;

const JSON_TEXT = `{
  "extends": "iris",
  "wind": { "kind": "ouu",
    "meanNedMps": [1.0, -2.5, 0.0] },
  "scenario": [ { "at": 3.5 }, { "at": 9 } ]
}`;

function errorOf(read: () => unknown): SimError {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(SimError);
    return error as SimError;
  }
  throw new Error("nothing was thrown");
}

describe("flight texts", () => {
  it("marks the place of a syntax error", () => {
    const found = errorOf(() => readFlightText("seed = 1\n[wind\n", "f.toml"));
    expect([found.what, found.fix]).toEqual(["the table header is not closed", "write [wind]"]);
    expect(excerptOf(found)).toEqual({ line: 2, text: "[wind", mark: { column: 6, length: 1 } });
  });

  it("reads TOML into a plain object", () => {
    const { object } = readFlightText(new TextEncoder().encode(TOML), "gusty.toml");
    expect(object).toStrictEqual({
      extends: "iris",
      seed: 7,
      wind: { kind: "ouu", meanNedMps: [1, -2.5, 0], "odd.key": 1 },
      vehicle: { body: { massKg: 1.5 } },
      scenario: [{ at: 3.5, motorFault: { motor: 2, kind: "off" } }, { at: 9 }],
    });
  });

  it("reads JSON as JSON.parse does", () => {
    expect(readFlightText(JSON_TEXT, "gusty.json").object).toStrictEqual(JSON.parse(JSON_TEXT));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })), (value) => {
        const text = JSON.stringify(value, null, 1);
        expect(readFlightText(text, "f.json").object).toEqual(JSON.parse(text));
      }),
    );
  });

  it("locates keys and values of TOML", () => {
    const locator = readFlightText(TOML, "gusty.toml").locator();
    const at = (path: string) => {
      const { key, value, exact } = locator.locate(path);
      return [key?.line, key?.column, key?.length, value.line, value.column, value.length, exact];
    };
    expect(at("wind.kind")).toEqual([6, 1, 4, 6, 8, 5, true]);
    expect(locator.lineText(6)).toBe('kind = "ouu"     # misspelled');
    expect(at("wind.meanNedMps[1]")).toEqual([undefined, undefined, undefined, 7, 20, 4, true]);
    expect(at("wind.meanNedMps[2]").slice(3)).toEqual([8, 3, 3, true]);
    expect(at("wind.odd.key").slice(0, 3)).toEqual([9, 1, 9]);
    expect(at("vehicle.body.massKg").slice(0, 2)).toEqual([12, 1]);
    expect(at("scenario[0].motorFault.kind").slice(3)).toEqual([16, 34, 5, true]);
    expect(at("scenario[1].at").slice(0, 2)).toEqual([19, 1]);
    expect(at("wind.tauS")).toEqual([5, 2, 4, 5, 2, 4, false]);
    expect(at("missing").at(-1)).toBe(false);
  });

  it("locates keys and values of JSON", () => {
    const locator = readFlightText(JSON_TEXT, "gusty.json").locator();
    expect(locator.locate("wind.kind")).toEqual({
      key: { line: 3, column: 13, length: 6 },
      value: { line: 3, column: 21, length: 5 },
      exact: true,
    });
    expect(locator.locate("scenario[1].at").value).toEqual({ line: 5, column: 40, length: 1 });
    expect(locator.locate("wind").value).toEqual({ line: 3, column: 11, length: 16 });
    expect(locator.locate("wind.tauS")).toMatchObject({ exact: false, key: { line: 3, column: 3 } });
  });

  const deep = (open: string, close: string, n: number) => `${open.repeat(n)}1${close.repeat(n)}`;
  const broken: readonly (readonly [string, string, string, string, number | undefined])[] = [
    ["no value", "f.toml", "a = 1\nb =\n", "FILE-004", 2],
    ["text without quotes", "f.toml", "a = 1\nkind = ou\n", "FILE-004", 2],
    ["key given twice", "f.toml", "a = 1\na = 2\n", "FILE-004", 2],
    ["table given twice", "f.toml", "[a]\n[b]\n[a]\n", "FILE-004", 3],
    ["integer beyond 2^53", "f.toml", "a = 9007199254740993\n", "FILE-004", 1],
    ["cut in a table name", "f.toml", "[wind", "FILE-004", 1],
    ["deep lists", "f.toml", `a = ${deep("[", "]", 40)}`, "FILE-003", 1],
    ["very deep lists", "f.toml", `a = ${deep("[", "]", 100_000)}`, "FILE-003", 1],
    ["deep dotted key", "f.toml", `${"a.".repeat(40)}a = 1`, "FILE-003", undefined],
    ["very deep dotted key", "f.toml", `${"a.".repeat(100_000)}a = 1`, "FILE-003", undefined],
    ["too large", "f.toml", "#".repeat((1 << 20) + 1), "FILE-002", undefined],
    ["trailing comma", "f.json", '{\n "a": 1,\n}', "FILE-004", 3],
    ["missing comma", "f.json", '{\n "a": 1\n "b": 2}', "FILE-004", 3],
    ["single quotes", "f.json", "{'a': 1}", "FILE-004", 1],
    ["comment", "f.json", "{ // no\n}", "FILE-004", 1],
    ["NaN", "f.json", '{"a":\nNaN}', "FILE-004", 2],
    ["too large a number", "f.json", '{"a": 1e400}', "FILE-008", 1],
    ["leading zero", "f.json", '{"a": 01}', "FILE-004", 1],
    ["bad escape", "f.json", '{"a": "\\x"}', "FILE-004", 1],
    ["short unicode escape", "f.json", '{"a": "\\u12"}', "FILE-004", 1],
    ["line end in a text", "f.json", '{"a": "x\n"}', "FILE-004", 1],
    ["key given twice", "f.json", '{"a": 1,\n"a": 2}', "FILE-011", 2],
    ["a list", "f.json", "[1]", "FILE-009", 1],
    ["nothing", "f.json", "", "FILE-004", 1],
    ["two values", "f.json", "{} {}", "FILE-004", 1],
    ["deep lists", "f.json", `{"a": ${deep("[", "]", 40)}}`, "FILE-003", 1],
    ["very deep objects", "f.json", deep('{"a":', "}", 100_000), "FILE-003", 1],
    ["another name", "flight.yaml", "a: 1", "FILE-013", undefined],
    ["zero bytes", "f.toml", "a = 1\n\0\0", "FILE-001", 2],
  ];
  it.each(broken)("rejects: %s (%s)", (_name, file, text, code, line) => {
    const error = errorOf(() => readFlightText(text, file));
    expect([error.code, error.where.file, error.where.line]).toEqual([code, file, line]);
    expect(error.what).not.toMatch(/\n/);
  });

  it("rejects bytes that are not text", () => {
    expect(errorOf(() => readFlightText(Uint8Array.of(0x61, 0xff, 0xfe), "f.toml")).code).toBe("FILE-001");
  });

  it("treats __proto__ as an ordinary key", () => {
    for (const text of ['{"__proto__": {"a": 1}}', "[__proto__]\na = 1"]) {
      const { object } = readFlightText(text, text.startsWith("{") ? "f.json" : "f.toml");
      expect(Object.keys(object)).toEqual(["__proto__"]);
      expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
    }
  });

  it("returns a date as text", () => {
    expect(readFlightText("a = 1979-05-27", "f.toml").object).toEqual({ a: "1979-05-27" });
  });

  it("never crashes, and locates every value that it reads", () => {
    const piece = fc.constantFrom("[", "]", "[[", "]]", "{", "}", "=", ".", ",", '"', "'", "\n", " ", "a", "b", "1", "-", "e", ":", "#", "\\u", "true", "1979-05-27", "nan", "\r"); // prettier-ignore
    const soup = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
    const damaged = fc
      .tuple(fc.constantFrom(TOML, JSON_TEXT), fc.nat(), soup)
      .map(([text, at, insert]) => text.slice(0, at % text.length) + insert + text.slice(at % text.length));
    const input = fc.oneof(soup, damaged, fc.uint8Array({ maxLength: 60 }));
    fc.assert(
      fc.property(input, fc.constantFrom("f.toml", "f.json"), fc.string(), (given, file, path) => {
        try {
          const flight = readFlightText(given, file);
          const place = flight.locator().locate(path);
          expect(place.value.line).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(SimError);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("returns the same values as the TOML parser called directly", () => {
    expect(JSON.stringify(readFlightText(TOML, "f.toml").object)).toBe(JSON.stringify(parseTomlOracle(TOML)));
  });
});
