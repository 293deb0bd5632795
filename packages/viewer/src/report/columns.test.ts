/** Setpoint columns of a real flight have values only while the setpoint is active. */
import { coreRegistry, flyFlightNow, mustResolve, resolveFlight } from "@escapement/core";
import { expect, it } from "vitest";
import { flightColumns } from "./columns.ts";

it("position setpoints are omitted on the ground, so that they do not set the range of a plot", () => {
  const spec = { mission: { items: [{ takeoff: { altitudeM: 3 } }, { land: {} }] } };
  const { recording } = flyFlightNow(mustResolve(resolveFlight({ file: "test", spec }, coreRegistry)));
  const column = (name: string) => [...flightColumns(recording)].find((found) => found.name === name)!.values;
  const lowest = (values: Float64Array) => values.reduce((a, b) => (Number.isNaN(b) ? a : Math.min(a, b)), Infinity);
  expect(lowest(column("setAltitude"))).toBeGreaterThan(-0.6);
  const altitude = column("altitude");
  const inTheAir = column("error").filter((_error, row) => altitude[row]! > 0.5);
  expect(inTheAir.some((error) => error > 0)).toBe(true);
  expect(column("error").every((error) => !(error > 0.6))).toBe(true);
});
