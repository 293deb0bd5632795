/** The text of `escapement fit propeller`: parameters, rows and errors, and parameters for a flight file. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { fitPropeller, vehicleTable } from "@escapement/core";
import { readFlightText, readPropeller } from "@escapement/formats";
import { bladeToml, propellerText } from "./fit.ts";
import { colourless } from "./style.ts";

const file = new URL("../../../../tests/fixtures/uiuc-apc-sf-10x4.7.csv", import.meta.url);
const rows = readPropeller(readFileSync(file), "uiuc-apc-sf-10x4.7.csv").value!;
const options = { diameterM: 0.254 };
const fit = fitPropeller(rows, options);

it("the text lists every parameter, every row and the errors", () => {
  const text = propellerText(fit, options, colourless);
  expect(rows).toHaveLength(77);
  expect(text).toContain("0.254 m, 2 blades, 59 of 77 rows fitted");
  expect(text.match(/^ +\d{4} {2}0\.\d{3} /gm)).toHaveLength(77);
  expect(text.match(/not fitted$/gm)).toHaveLength(18);
  expect(text).toMatch(/root mean square error: thrust 1\.\d %, power 2\.\d % of the largest/);
  expect(text).toMatch(/every second row, if only the other rows are fitted: thrust 1\.\d %, power 2\.\d %/);
  expect(text).not.toContain("NaN");
});

it("the text names the parameters that static rows at one speed do not determine", () => {
  const still = rows.filter(({ advanceRatio, rpm }) => advanceRatio === 0 && rpm > 5500);
  const text = propellerText(fitPropeller(still, options), options, colourless);
  expect(text.match(/not determined by these rows, default/g)).toHaveLength(5);
});

it("the TOML contains parameters that are valid in a flight file", () => {
  const { object } = readFlightText(bladeToml(fit, options), "blade.toml");
  const { momentum, ...propulsion } = (object as unknown as { vehicle: { propulsion: Record<string, unknown> } })
    .vehicle.propulsion;
  expect(propulsion).toEqual({ radiusM: 0.127, blades: 2 });
  const known = Object.keys(vehicleTable.propulsion.table.momentum.table);
  for (const name of Object.keys(momentum as object)) expect(known).toContain(name);
  expect(Object.keys(momentum as object)).toHaveLength(8);
});
