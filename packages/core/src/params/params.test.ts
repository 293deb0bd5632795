/** Parameter tables: every diagnostic has its key and its fix, and every default is filled in. */
import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  checkParams,
  type Diagnostic,
  defineKind,
  defineParams,
  describe as describeParam,
  nearestName,
  type ParamsOf,
  show,
} from "./index.ts";

const table = defineParams({
  massKg: { type: "number", unit: "kg", min: 0, open: true, about: "Mass." },
  turns: { type: "number", unit: "1", integer: true, min: 1, max: 9, default: 3, about: "Turns." },
  periodS: { type: "duration", unit: "s", default: 0.004, about: "Period." },
  delayS: { type: "duration", unit: "s", zero: true, default: 0, about: "Delay." },
  on: { type: "boolean", default: true, about: "Switch." },
  label: { type: "text", default: "x", about: "Label." },
  mode: { type: "choice", options: ["strict", "clamp"], default: "strict", about: "Policy." },
  windNed: { type: "vector", unit: "m/s", size: 3, default: [0, 0, 0], about: "Wind." },
  knots: { type: "list", unit: "1", increasing: true, minLength: 2, default: [0, 1], about: "Knots." },
  body: {
    type: "section",
    default: {},
    about: "Body.",
    table: { dragNspm: { type: "number", unit: "N.s/m", default: 0.5, about: "Drag." } },
  },
  rotors: {
    type: "sections",
    default: [],
    maxLength: 2,
    about: "Rotors.",
    table: { armM: { type: "number", unit: "m", about: "Arm." } },
  },
});

function check(given: Record<string, unknown>) {
  const diagnostics: Diagnostic[] = [];
  const resolved = checkParams(table, given, diagnostics, "part");
  return { resolved, diagnostics };
}

const diagnosticOf = (given: Record<string, unknown>) => {
  const { diagnostics } = check({ massKg: 1, ...given });
  expect(diagnostics).toHaveLength(1);
  return diagnostics[0]!;
};

describe("checkParams", () => {
  it("reports a misspelled key once: the intended key is not also reported as missing", () => {
    const required = { motor: { type: "number", unit: "1", about: "Which motor." } } as const;
    const codesOf = (given: Record<string, unknown>) => {
      const diagnostics: Diagnostic[] = [];
      checkParams(required, given, diagnostics);
      return diagnostics.map(({ code }) => code);
    };
    expect(codesOf({ motors: 2 })).toEqual(["unknownKey"]);
    expect(codesOf({ gain: 2 })).toEqual(["unknownKey", "missing"]);
  });

  it("fills in every default and keeps the given values", () => {
    expect(check({ massKg: 2, turns: 4, body: {}, rotors: [{ armM: 1 }] })).toEqual({
      diagnostics: [],
      resolved: {
        massKg: 2,
        turns: 4,
        periodS: 0.004,
        delayS: 0,
        on: true,
        label: "x",
        mode: "strict",
        windNed: [0, 0, 0],
        knots: [0, 1],
        body: { dragNspm: 0.5 },
        rotors: [{ armM: 1 }],
      },
    });
  });

  it("collects all diagnostics in one pass, with dotted paths", () => {
    const { diagnostics } = check({
      turns: 2.5,
      periodS: 1e-7,
      mode: "clam",
      windNed: [1, 2],
      nosuch: 1,
      rotors: [{}, 3],
    });
    expect(diagnostics.map(({ code, key }) => [code, key])).toEqual([
      ["unknownKey", "part.nosuch"],
      ["missing", "part.massKg"],
      ["notWhole", "part.turns"],
      ["notExactUs", "part.periodS"],
      ["unknownChoice", "part.mode"],
      ["wrongLength", "part.windNed"],
      ["missing", "part.rotors[0].armM"],
      ["wrongType", "part.rotors[1]"],
    ]);
    for (const { what, fix } of diagnostics) expect(what.length * fix.length).toBeGreaterThan(0);
  });

  it.each([
    [{ massKg: 0 }, "outOfRange"],
    [{ massKg: "1" }, "wrongType"],
    [{ massKg: true }, "wrongType"],
    [{ massKg: NaN }, "notFinite"],
    [{ massKg: Infinity }, "notFinite"],
    [{ turns: 10 }, "outOfRange"],
    [{ periodS: 0 }, "outOfRange"],
    [{ periodS: -1 }, "outOfRange"],
    [{ periodS: 1e9 }, "outOfRange"],
    [{ periodS: 0.0000015 }, "notExactUs"],
    [{ on: 1 }, "wrongType"],
    [{ label: 1 }, "wrongType"],
    [{ mode: 4 }, "unknownChoice"],
    [{ windNed: 4 }, "wrongType"],
    [{ windNed: [1, 2, "3"] }, "wrongType"],
    [{ windNed: [1, 2, NaN] }, "notFinite"],
    [{ knots: [0, 2, 2] }, "notIncreasing"],
    [{ knots: [0] }, "wrongLength"],
    [{ body: [] }, "wrongType"],
    [{ rotors: {} }, "wrongType"],
    [{ rotors: [{ armM: 1 }, { armM: 1 }, { armM: 1 }] }, "wrongLength"],
  ])("reports %j as %s", (given, code) => {
    expect(diagnosticOf(given).code).toBe(code);
  });

  it("[D3] accepts durations above 8 s that are whole microseconds", () => {
    expect(check({ massKg: 1, periodS: 8.002, delayS: 8.3 }).diagnostics).toEqual([]);
  });

  it("suggests the nearest name, or lists all names if none is near", () => {
    expect(diagnosticOf({ masKg: 1 }).fix).toBe('did you mean "massKg"?');
    expect(diagnosticOf({ mode: "clam" }).fix).toContain('did you mean "clamp"?');
    expect(diagnosticOf({ zzzzzzzz: 1 }).fix).toContain("known keys: massKg, turns");
    expect(nearestName("Wind", ["wind", "log"])).toBe("wind");
    expect(nearestName("tlit", ["tilt", "wind"])).toBe("tilt");
    expect(nearestName("q", ["wind", "log"])).toBeUndefined();
  });

  it("returns copies of the table's default arrays", () => {
    const { resolved } = check({ massKg: 1 });
    (resolved.windNed as number[])[0] = 9;
    expect(check({ massKg: 1 }).resolved.windNed).toEqual([0, 0, 0]);
  });

  it("treats names of Object.prototype as unknown keys", () => {
    for (const key of ["toString", "constructor", "__proto__"]) {
      const given = JSON.parse(`{"massKg": 1, "${key}": 2}`) as Record<string, unknown>;
      expect(check(given).diagnostics.map(({ code }) => code)).toEqual(["unknownKey"]);
    }
  });

  it("never throws, for any input", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(table), "other"), fc.anything()), (given) => {
        const { resolved, diagnostics } = check(given);
        expect(Object.keys(resolved)).toEqual(Object.keys(table));
        if (diagnostics.length === 0) expect(Object.values(resolved)).not.toContain(undefined);
      }),
    );
  });

  it("accepts lists of texts", () => {
    const columns = defineParams({ columns: { type: "texts", maxLength: 2, default: [], about: "Columns." } });
    const of = (given: unknown) => {
      const diagnostics: Diagnostic[] = [];
      return [
        checkParams(columns, { columns: given }, diagnostics)["columns"],
        diagnostics.map(({ code, key }) => `${code} ${key}`),
      ];
    };
    expect(of(["a", "b"])).toEqual([["a", "b"], []]);
    expect(of(undefined)).toEqual([[], []]);
    expect(of("a")).toEqual([undefined, ["wrongType columns"]]);
    expect(of(["a", 1])).toEqual([undefined, ["wrongType columns[1]"]]);
    expect(of(["a", "b", "c"])).toEqual([undefined, ["wrongLength columns"]]);
  });

  it("quotes cycles, symbols, functions and long strings", () => {
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    for (const odd of [circle, 1n, Symbol("s"), () => 1, undefined, NaN, "x".repeat(1e6)])
      expect(show(odd).length).toBeLessThan(70);
  });

  it("describes the accepted values", () => {
    expect(describeParam(table.massKg)).toBe("a number in kg, above 0");
    expect(describeParam(table.turns)).toBe("a whole number, at least 1 and at most 9");
    expect(describeParam(table.mode)).toBe("one of: strict, clamp");
    expect(describeParam(table.delayS)).toBe("seconds, whole microseconds, 0 allowed");
  });
});

describe("a kind", () => {
  it("has parameters with the types of its table", () => {
    type Params = ParamsOf<typeof table>;
    expectTypeOf<Params["massKg"]>().toEqualTypeOf<number>();
    expectTypeOf<Params["mode"]>().toEqualTypeOf<"strict" | "clamp">();
    expectTypeOf<Params["windNed"]>().toEqualTypeOf<readonly number[]>();
    expectTypeOf<Params["rotors"][number]["armM"]>().toEqualTypeOf<number>();
    const kind = defineKind({
      name: "k",
      about: "A kind.",
      version: 1,
      params: table,
      make: (params) => params.massKg,
    });
    expect(kind.make({ massKg: 3 } as never, undefined)).toBe(3);
  });
});
