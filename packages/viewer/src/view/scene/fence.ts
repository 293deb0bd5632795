/**
 * The fence of a mission: a low curtain that starts at the ground. The limits of areas that the vehicle must stay out
 * of are dashed.
 */
import { BufferAttribute, BufferGeometry, DoubleSide, Group, Mesh, MeshBasicMaterial } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import type { FenceLine, Waypoint } from "../../shared/waypoints.ts";
import { fatLine } from "./marks.ts";
import type { Palette } from "./palette.ts";

const HEIGHT_M = 1.5;

export class FenceMarks {
  readonly node = new Group();
  private readonly materials: (LineMaterial | MeshBasicMaterial)[] = [];

  constructor(lines: readonly FenceLine[], palette: Palette) {
    for (const { points, isInclusion } of lines) {
      const colour = isInclusion ? palette.fence : palette.keepOut;
      const edge = new LineMaterial({ linewidth: 2, dashed: !isInclusion, dashSize: 1, gapSize: 0.7 });
      const curtain = new MeshBasicMaterial({ transparent: true, opacity: 0.12, side: DoubleSide, depthWrite: false });
      for (const material of [edge, curtain]) material.color.copy(colour);
      this.materials.push(edge, curtain);
      const line = fatLine(
        points.flatMap(([north, east]) => [north, east, -HEIGHT_M]),
        edge,
      );
      line.computeLineDistances();
      this.node.add(line, new Mesh(curtainOf(points), curtain));
    }
  }

  dispose(): void {
    this.node.traverse((part) => {
      if (part instanceof Line2 || part instanceof Mesh) part.geometry.dispose();
    });
    for (const material of this.materials) material.dispose();
  }
}

/** Returns the label of a limit, at its first corner. */
export function labelOfFence({ points, isInclusion }: FenceLine): Waypoint {
  const [north, east] = points[0]!;
  return { label: isInclusion ? "fence" : "keep out", north, east, down: -HEIGHT_M };
}

/** Makes the curtain, with two triangles per side. */
function curtainOf(points: FenceLine["points"]): BufferGeometry {
  const corners = points.slice(1).flatMap(([north, east], i) => {
    const [fromNorth, fromEast] = points[i]!;
    const [a, b] = [
      [fromNorth, fromEast, 0],
      [north, east, 0],
    ];
    const [c, d] = [
      [fromNorth, fromEast, -HEIGHT_M],
      [north, east, -HEIGHT_M],
    ];
    return [a!, b!, c!, c!, b!, d!].flat();
  });
  return new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(corners), 3));
}
