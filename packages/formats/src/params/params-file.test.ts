/** Parameter files: types, ranges, lines, round trips, and no crash on any input. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SimError } from "@escapement/core";
import { readParams, writeParams, type Parameter } from "./params-file.ts";

const FILE = [
  "# Onboard parameters for Vehicle 1",
  "#",
  "# Vehicle-Id Component-Id Name Value Type",
  "1\t1\tBAT1_N_CELLS\t4\t6",
  "1\t1\tMPC_XY_P\t0.949999988079071045\t9",
  "1\t1\tMPC_THR_HOVER\t0.5\t9",
  "1\t1\tCOM_RC_IN_MODE\t1\t6",
  "",
].join("\r\n");

describe("QGC parameter files", () => {
  it("reads names, values and types", () => {
    expect(readParams(FILE, "iris.params")).toEqual({
      value: [
        { name: "BAT1_N_CELLS", value: 4, type: "int32" },
        { name: "MPC_XY_P", value: Math.fround(0.95), type: "float" },
        { name: "MPC_THR_HOVER", value: 0.5, type: "float" },
        { name: "COM_RC_IN_MODE", value: 1, type: "int32" },
      ],
      errors: [],
      warnings: [],
    });
  });

  const broken: readonly (readonly [string, string, readonly string[]])[] = [
    ["four columns", "1\t1\tA\t4", ["FILE-007 line 1"]],
    ["six columns", "1\t1\tA\t4\t6\t7", ["FILE-007 line 1"]],
    ["value is a word", "1\t1\tA\tfour\t6", ["FILE-008 line 1"]],
    ["value is nan", "1\t1\tA\tnan\t9", ["FILE-008 line 1"]],
    ["value is inf", "1\t1\tA\tinf\t9", ["FILE-008 line 1"]],
    ["float beyond its range", "1\t1\tA\t1e39\t9", ["FILE-008 line 1"]],
    ["integer beyond its range", "1\t1\tA\t2147483648\t6", ["FILE-008 line 1"]],
    ["fractional integer", "1\t1\tA\t1.5\t6", ["FILE-008 line 1"]],
    ["unsigned byte of 256", "1\t1\tA\t256\t1", ["FILE-008 line 1"]],
    ["unknown type", "1\t1\tA\t1\t10", ["FILE-012 line 1"]],
    ["type by a name of Object", "1\t1\tA\t1\tconstructor", ["FILE-012 line 1"]],
    ["name too long", "1\t1\tABCDEFGHIJKLMNOPQ\t1\t6", ["FILE-009 line 1"]],
    ["name with a blank", "1\t1\tA B\t1\t6", ["FILE-007 line 1"]],
    ["vehicle id of 300", "300\t1\tA\t1\t6", ["FILE-008 line 1"]],
    ["given twice", "1\t1\tA\t1\t6\n\n1\t1\tA\t2\t6", ["FILE-011 line 3"]],
    ["all at once", "1\t1\tA\tx\t6\n#\n1\tz\tB\ty\t6", ["FILE-008 line 1", "FILE-008 line 3", "FILE-008 line 3"]],
  ];
  it.each(broken)("rejects: %s", (_name, text, expected) => {
    const { value, errors } = readParams(text, "broken.params");
    expect(value).toBeUndefined();
    expect(errors.map((error) => `${error.code} line ${error.where.line}`)).toEqual(expected);
  });

  it("writes back what it reads", () => {
    const parameter: fc.Arbitrary<Parameter> = fc.oneof(
      fc.record({
        name: fc.stringMatching(/^[A-Z0-9_]{1,16}$/),
        value: fc.float({ noNaN: true, noDefaultInfinity: true }),
        type: fc.constant("float" as const),
      }),
      fc.record({
        name: fc.stringMatching(/^[A-Z0-9_]{1,16}$/),
        value: fc.integer(),
        type: fc.constant("int32" as const),
      }),
    );
    fc.assert(
      fc.property(fc.uniqueArray(parameter, { selector: (p) => p.name }), (parameters) => {
        const sorted = [...parameters].sort((a, b) => (a.name < b.name ? -1 : 1));
        expect(readParams(writeParams(parameters), "f").value).toEqual(sorted);
      }),
    );
  });

  it("writes floats in their shortest form", () => {
    expect(writeParams([{ name: "MPC_XY_P", value: Math.fround(0.95), type: "float" }])).toContain("MPC_XY_P\t0.95\t9");
  });

  it("never crashes on arbitrary text", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 100 }),
          fc.string(),
          fc
            .tuple(fc.nat(), fc.string())
            .map(([n, s]) => FILE.slice(0, n % FILE.length) + s + FILE.slice(n % FILE.length)),
        ),
        (input) => {
          const { value, errors } = readParams(input, "f");
          expect(value === undefined).toBe(errors.length > 0);
          for (const error of errors) expect(error).toBeInstanceOf(SimError);
        },
      ),
    );
  });
});
