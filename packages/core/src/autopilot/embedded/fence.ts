/**
 * A mission's fence in the local frame: circles and polygons, each an inclusion or an exclusion area.
 *
 * As in PX4, every area applies: with two inclusion areas, only their intersection is inside. Heights are ignored.
 * Areas are projected once, so that a query needs only arithmetic.
 */
import type { Readable } from "../../engine/contracts.ts";
import type { Fence, GeoPoint } from "../mission.ts";
import type { LocalProjection } from "../projection.ts";

/** North, east, square of the radius. */
const CIRCLE_CELLS = 3;

export class FenceAreas {
  private readonly circles: Float64Array;
  private readonly circleIncludes: Uint8Array;
  /** North and east of all corners, polygon by polygon. */
  private readonly corners: Float64Array;
  /** Index of the first corner of each polygon, then the number of corners. */
  private readonly firstCorner: Int32Array;
  private readonly polygonIncludes: Uint8Array;

  constructor(fence: Fence | undefined, projection: LocalProjection) {
    const { circles, polygons } = fence ?? { circles: [], polygons: [] };
    const ned = new Float64Array(3);
    const toNorthEast = ({ latDeg, lonDeg }: GeoPoint): readonly [number, number] => {
      projection.toNedInto(ned, { latDeg, lonDeg, altM: 0 });
      return [ned[0]!, ned[1]!];
    };
    this.circles = Float64Array.from(
      circles.flatMap(({ center, radiusM }) => [...toNorthEast(center), radiusM * radiusM]),
    );
    this.circleIncludes = Uint8Array.from(circles, ({ inclusion }) => (inclusion ? 1 : 0));
    this.corners = Float64Array.from(polygons.flatMap(({ points }) => points.flatMap(toNorthEast)));
    this.firstCorner = new Int32Array(polygons.length + 1);
    polygons.forEach(({ points }, i) => (this.firstCorner[i + 1] = this.firstCorner[i]! + points.length));
    this.polygonIncludes = Uint8Array.from(polygons, ({ inclusion }) => (inclusion ? 1 : 0));
  }

  /** Whether a position is outside an inclusion area or inside an exclusion area. */
  forbids(posNed: Readable): boolean {
    const { circles, circleIncludes, polygonIncludes } = this;
    for (let i = 0; i < circleIncludes.length; i += 1) {
      const at = CIRCLE_CELLS * i;
      const n = posNed[0]! - circles[at];
      const e = posNed[1]! - circles[at + 1];
      const isInside = n * n + e * e < circles[at + 2];
      if (isInside !== (circleIncludes[i] === 1)) return true;
    }
    for (let i = 0; i < polygonIncludes.length; i += 1) {
      if (this.isInPolygon(i, posNed) !== (polygonIncludes[i] === 1)) return true;
    }
    return false;
  }

  /** Whether a position is inside a polygon: a ray to the north crosses the border an odd number of times. */
  private isInPolygon(polygon: number, posNed: Readable): boolean {
    const { corners, firstCorner } = this;
    const n = posNed[0]!;
    const e = posNed[1]!;
    const end = 2 * firstCorner[polygon + 1]!;
    let isInside = false;
    let before = end - 2;
    for (let at = 2 * firstCorner[polygon]!; at < end; at += 2) {
      const eHere = corners[at + 1];
      const eBefore = corners[before + 1];
      if (eHere >= e !== eBefore >= e) {
        const crossing = corners[at] + ((corners[before] - corners[at]) * (e - eHere)) / (eBefore - eHere);
        if (n <= crossing) isInside = !isInside;
      }
      before = at;
    }
    return isInside;
  }
}
