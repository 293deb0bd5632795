/** Tests which positions a mission's fence forbids. */
import { describe, expect, it } from "vitest";
import type { Fence } from "../mission.ts";
import { LocalProjection } from "../projection.ts";
import { FenceAreas } from "./fence.ts";

const projection = new LocalProjection({ latDeg: 47.397742, lonDeg: 8.545594, altM: 488 });
const at = (n: number, e: number) => projection.toGeo([n, e, 0]);
const square = (n: number, e: number, half: number) => [
  at(n - half, e - half),
  at(n + half, e - half),
  at(n + half, e + half),
  at(n - half, e + half),
];
const forbids = (fence: Partial<Fence>, n: number, e: number, d = -10) =>
  new FenceAreas({ circles: [], polygons: [], ...fence }, projection).forbids(Float64Array.of(n, e, d));

describe("fences", () => {
  it("without areas allow every position", () => {
    expect(new FenceAreas(undefined, projection).forbids(Float64Array.of(1e4, 0, 0))).toBe(false);
    expect(forbids({}, 1e4, 0)).toBe(false);
  });

  it.each([true, false])("of a circle (inclusion %s) separate inside from outside at any height", (inclusion) => {
    const fence = { circles: [{ center: at(30, -10), radiusM: 20, inclusion }] };
    expect(forbids(fence, 49.9, -10, 0)).toBe(!inclusion);
    expect(forbids(fence, 30, 9.9, -500)).toBe(!inclusion);
    expect(forbids(fence, 50.1, -10)).toBe(inclusion);
    expect(forbids(fence, 45, 5)).toBe(inclusion);
  });

  it.each([true, false])("of a polygon (inclusion %s) may be concave, with corners in either order", (inclusion) => {
    // An L shape: 40 m by 40 m without its north-eastern quarter.
    const corners = [at(0, 0), at(40, 0), at(40, 20), at(20, 20), at(20, 40), at(0, 40)];
    for (const points of [corners, [...corners].reverse()]) {
      const fence = { polygons: [{ points, inclusion }] };
      for (const [n, e] of [
        [1, 1],
        [39, 19],
        [19, 39],
        [19.9, 20.1],
      ] as const)
        expect(forbids(fence, n, e)).toBe(!inclusion);
      for (const [n, e] of [
        [-1, 1],
        [21, 21],
        [41, 10],
        [10, 41],
        [10, -1],
      ] as const)
        expect(forbids(fence, n, e)).toBe(inclusion);
    }
  });

  it("all apply: the intersection of the inclusions, minus every exclusion", () => {
    const fence: Fence = {
      circles: [{ center: at(0, 0), radiusM: 30, inclusion: true }],
      polygons: [
        { points: square(20, 0, 20), inclusion: true },
        { points: square(10, 0, 2), inclusion: false },
      ],
    };
    expect(forbids(fence, 20, 5)).toBe(false);
    expect(forbids(fence, -5, 0)).toBe(true);
    expect(forbids(fence, 35, 0)).toBe(true);
    expect(forbids(fence, 10, 1)).toBe(true);
  });
});
