/** Tests the local projection: PX4's own waypoints, and conversion in both directions. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EARTH_RADIUS_M, LocalProjection } from "./projection.ts";

const zurich = { latDeg: 47.397742, lonDeg: 8.545594, altM: 488 };

describe("local projection", () => {
  it("maps the waypoints of PX4's flights to the same positions as PX4", () => {
    const ned = new Float64Array(3);
    const projection = new LocalProjection(zurich);
    projection.toNedInto(ned, { latDeg: 47.397842, lonDeg: 8.545694, altM: 500 });
    expect(Array.from(ned)).toEqual([11.1195, 7.5268, -12].map((x) => expect.closeTo(x, 4)));
    projection.toNedInto(ned, { latDeg: 47.398380343, lonDeg: 8.546324727, altM: 498 });
    expect(Array.from(ned)).toEqual([70.9808, 55, -10].map((x) => expect.closeTo(x, 3)));
  });

  it("keeps distances from the origin, which are arcs of the sphere", () => {
    const ned = new Float64Array(3);
    new LocalProjection(zurich).toNedInto(ned, { latDeg: 48.397742, lonDeg: 8.545594, altM: 488 });
    expect(ned[0]).toBeCloseTo((EARTH_RADIUS_M * Math.PI) / 180, 6);
    expect(ned[1]).toBeCloseTo(0, 9);
  });

  it("inverts to the original position", () => {
    const projection = new LocalProjection(zurich);
    const near = fc.double({ min: -20000, max: 20000, noNaN: true });
    fc.assert(
      fc.property(near, near, near, (n, e, d) => {
        const ned = new Float64Array(3);
        projection.toNedInto(ned, projection.toGeo([n, e, d]));
        expect(ned[0]).toBeCloseTo(n, 3);
        expect(ned[1]).toBeCloseTo(e, 3);
        expect(ned[2]).toBeCloseTo(d, 6);
      }),
    );
  });

  it("rejects an invalid origin", () => {
    expect(() => new LocalProjection({ latDeg: 91, lonDeg: 0, altM: 0 })).toThrow(/AUTOPILOT-007/);
  });
});
