/** The validation page matches the rows, and every row is within its tolerance. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { VALIDATION_PAGE, validationPage } from "../../tools/validation.ts";
import { validationRows } from "./index.ts";
import { isWithin } from "./row.ts";

const rows = validationRows();

it("the validation page is up to date; if not, run `npm run docs`", () => {
  expect(readFileSync(VALIDATION_PAGE, "utf8")).toBe(validationPage(rows));
});

it("every difference is within its tolerance", () => {
  expect(rows.filter((row) => !isWithin(row))).toEqual([]);
});
