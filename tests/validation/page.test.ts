/** The validation pages match the rows, and every row is within its tolerance unless the page says why not. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import {
  plotFiles,
  VALIDATION_PAGE,
  VALIDATION_ROWS_PAGE,
  validationPage,
  validationRowsPage,
} from "../../tools/validation.ts";
import { GROUPS } from "./groups.ts";
import { validationRows } from "./index.ts";
import { isWithin } from "./row.ts";

const rows = validationRows();

it("the validation pages are up to date; if not, run `npm run docs`", () => {
  expect(readFileSync(VALIDATION_PAGE, "utf8")).toBe(validationPage(rows));
  expect(readFileSync(VALIDATION_ROWS_PAGE, "utf8")).toBe(validationRowsPage(rows));
  for (const [path, text] of plotFiles()) expect(readFileSync(path, "utf8"), path).toBe(text);
});

it("every difference is within its tolerance, except those that the page explains", () => {
  expect(rows.filter((row) => isWithin(row) === (row.outside !== undefined))).toEqual([]);
});

it("every area of rows is shown in exactly one group, and every area of a group has rows", () => {
  expect(GROUPS.flatMap(({ areas }) => areas).sort()).toEqual([...new Set(rows.map(({ area }) => area))].sort());
});

it("rows have unique names and finite values", () => {
  expect(new Set(rows.map(({ area, quantity }) => `${area} ${quantity}`)).size).toBe(rows.length);
  for (const { published, ours, tolerance } of rows)
    expect([published, ours, tolerance].every(Number.isFinite)).toBe(true);
});
