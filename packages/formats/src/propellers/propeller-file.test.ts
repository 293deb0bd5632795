/** Files of propeller tests: the two layouts of the UIUC database, tables from other sources, and errors. */
import { expect, it } from "vitest";
import { readPropeller } from "./propeller-file.ts";

it("reads a static test and a wind-tunnel test from the database", () => {
  const still = readPropeller("    RPM     CT     CP\n 2377  0.1059 0.0431\n 6528 0.1299   0.0531\n", "static.txt");
  expect(still.value).toEqual([
    { rpm: 2377, advanceRatio: 0, thrustCoefficient: 0.1059, powerCoefficient: 0.0431 },
    { rpm: 6528, advanceRatio: 0, thrustCoefficient: 0.1299, powerCoefficient: 0.0531 },
  ]);
  const tunnel = readPropeller("J CT CP eta\n0.089 0.1201 0.0523 0.204\n", "apcsf_10x4.7_rd0841_6512.txt");
  expect(tunnel.value).toEqual([
    { rpm: 6512, advanceRatio: 0.089, thrustCoefficient: 0.1201, powerCoefficient: 0.0523 },
  ]);
});

it("reads tables with commas, other columns and comments, and uses the given rotor speed", () => {
  const text = "# mine\nkind,advance_ratio,ct,cp\ntunnel,0.2,0.1,0.05\n";
  expect(readPropeller(text, "mine.csv", 5000).value).toEqual([
    { rpm: 5000, advanceRatio: 0.2, thrustCoefficient: 0.1, powerCoefficient: 0.05 },
  ]);
});

it("computes the power from the efficiency", () => {
  const { value } = readPropeller("rpm J CT eta\n5000 0.4 0.06 0.6\n", "mine.txt");
  expect(value![0]!.powerCoefficient).toBeCloseTo(0.04, 15);
});

it.each([
  ["", "FILE-005", "empty"],
  ["1 2 3\n4 5 6\n", "FILE-005", "names no column"],
  ["RPM CP\n2000 0.05\n", "FILE-010", "no thrust coefficient"],
  ["RPM CT\n2000 0.1\n", "FILE-010", "no power coefficient"],
  ["J CT CP\n0.1 0.1 0.05\n", "FILE-010", "rotor speed is not given"],
  ["RPM CT CP CT\n2000 0.1 0.05 0.1\n", "FILE-011", "twice"],
  ["RPM CT CP\n2000 0.1\n", "FILE-007", "2 columns, the header 3"],
  ["RPM CT CP\n2000 x 0.05\n", "FILE-008", "column 2"],
  ["RPM CT CP\n-5 0.1 0.05\n", "FILE-008", "column 1"],
  ["RPM CT CP\n2000 1e999 0.05\n", "FILE-008", "column 2"],
  ["RPM J CT eta\n2000 0.1 0.1 0\n", "FILE-008", "efficiency"],
  ["RPM CT CP\n2000 0.1 \0\n", "FILE-001", "zero byte"],
])("rejects %j with %s", (text, code, what) => {
  const { value, errors } = readPropeller(text, "bad.txt");
  expect(value).toBeUndefined();
  expect(errors.map((error) => error.code)).toEqual([code]);
  expect(errors[0]!.message).toContain(what);
  expect(errors[0]!.message).toContain("bad.txt");
});

it("reports all errors with their lines", () => {
  const { errors } = readPropeller("RPM CT CP\n2000 x 0.05\n2000 0.1 0.05\n3000 0.1 y\n", "bad.txt");
  expect(errors.map(({ where }) => [where.file, where.line])).toEqual([
    ["bad.txt", 2],
    ["bad.txt", 4],
  ]);
});
