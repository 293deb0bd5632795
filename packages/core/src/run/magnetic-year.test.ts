/** The magnetometer measures the field of the year that the description names. */
import { expect, it } from "vitest";
import { coreRegistry, mustResolve, resolveFlight } from "../describe/index.ts";
import { MagneticModel } from "../world/magnetic/index.ts";
import { flyFlightNow } from "./fly-flight.ts";

function resolved(magneticYear: number) {
  const spec = {
    extends: "hover",
    environment: { magneticYear },
    sensors: { magnetometer: { noiseUt: 0, wanderUt: 0, lsbUt: 0 } },
    timeline: { endS: 0.05 },
  };
  return resolveFlight({ file: "test", spec }, coreRegistry);
}

it("the field measured at the origin equals the field of the World Magnetic Model in that year", () => {
  const fieldUt = new Float64Array(3);
  const sizes = [2025, 2029.5].map((magneticYear) => {
    const flight = mustResolve(resolved(magneticYear));
    const { latDeg, lonDeg, altMslM } = flight.definition.environment.origin;
    new MagneticModel({ decimalYear: magneticYear }).fieldNedInto(fieldUt, [latDeg, lonDeg, altMslM]);
    const measured = Math.hypot(...flyFlightNow(flight).signal("magFieldBody").at("24 ms"));
    expect(measured).toBeCloseTo(Math.hypot(...fieldUt) / 1000, 4);
    return measured;
  });
  expect(Math.abs(sizes[0]! - sizes[1]!)).toBeGreaterThan(0.1);
});

it("a year that the model does not cover is rejected with its key", () => {
  const rejected = resolved(2031);
  expect("errors" in rejected && rejected.errors[0]).toMatchObject({ where: { key: "environment.magneticYear" } });
});
