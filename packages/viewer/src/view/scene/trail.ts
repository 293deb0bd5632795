/**
 * Draws the path of a flight: thick up to the playhead, thin after it.
 *
 * Both lines share their points. The playhead only changes how many segments of the thick line are drawn.
 */
import { Color, Group } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import type { RowsStore } from "../data/rows-store.ts";

/** A path of more rows is downsampled to about this many points. */
const MAX_POINTS = 3000;

/** The style of a trail. The active flight has thicker and more opaque lines. */
interface TrailStyle {
  readonly colour: string;
  readonly isActive: boolean;
  readonly isThin: boolean;
}

export class Trail {
  readonly node = new Group();
  private readonly past = new LineMaterial({ linewidth: 3, transparent: true, depthWrite: false });
  private readonly future = new LineMaterial({ linewidth: 1.4, transparent: true, opacity: 0.5, depthWrite: false });
  private points = 0;
  private rowsPerPoint = 1;
  private firstRow = 0;
  private hasColours = false;
  private isActive = false;
  private geometry: LineGeometry | undefined;
  private pastGeometry: LineSegmentsGeometry | undefined;

  /** Rebuilds the line, starting at `fromRow`. If `colourAt` is given, every point has its own colour. */
  setRows(rows: RowsStore, fromRow = 0, colourAt?: (row: number) => string): void {
    this.clear();
    const places = [0, 1, 2].map((i) => rows.place("posNed", i));
    const count = rows.count - fromRow;
    if (places[0]! < 0 || count < 2) return;
    this.firstRow = fromRow;
    this.rowsPerPoint = Math.max(1, Math.ceil(count / MAX_POINTS));
    this.points = Math.floor((count - 1) / this.rowsPerPoint) + 1;
    const positions = new Float32Array(3 * this.points);
    const colours = colourAt === undefined ? undefined : new Float32Array(3 * this.points);
    const colour = new Color();
    for (let point = 0; point < this.points; point += 1) {
      const row = fromRow + point * this.rowsPerPoint;
      for (let i = 0; i < 3; i += 1) positions[3 * point + i] = rows.value(places[i]!, row);
      if (colours !== undefined) colour.set(colourAt!(row)).toArray(colours, 3 * point);
    }
    this.build(positions, colours);
  }

  /** Rebuilds the line from the points of a preview. */
  setPoints(positions: Float32Array): void {
    this.clear();
    this.points = positions.length / 3;
    if (this.points >= 2) this.build(positions);
  }

  setStyle({ colour, isActive, isThin }: TrailStyle): void {
    // The colour of each point is multiplied by the colour of the line, so make the line white.
    for (const material of [this.past, this.future]) material.color.set(this.hasColours ? "#ffffff" : colour);
    this.past.linewidth = isThin ? (isActive ? 2 : 1.2) : isActive ? 3.2 : 1.8;
    this.past.opacity = isActive ? 1 : 0.6;
    this.future.linewidth = isActive && !isThin ? 1.8 : 1.2;
    this.future.opacity = isActive ? 0.6 : 0.5;
    this.isActive = isActive;
    this.order();
  }

  /** Draws the thick line up to a row. */
  cutAt(row: number): void {
    if (this.pastGeometry === undefined) return;
    const segments = Math.floor((row - this.firstRow) / this.rowsPerPoint);
    this.pastGeometry.instanceCount = Math.max(0, Math.min(this.points - 1, segments));
  }

  dispose(): void {
    this.clear();
    this.past.dispose();
    this.future.dispose();
  }

  private build(positions: Float32Array, colours?: Float32Array): void {
    this.geometry = new LineGeometry();
    this.geometry.setPositions(positions);
    if (colours !== undefined) this.geometry.setColors(colours);
    this.setColoured(colours !== undefined);
    this.pastGeometry = new LineSegmentsGeometry();
    for (const name of ["position", "uv"]) this.pastGeometry.setAttribute(name, this.geometry.getAttribute(name));
    const colourNames = colours === undefined ? [] : ["instanceColorStart", "instanceColorEnd"];
    for (const name of ["instanceStart", "instanceEnd", ...colourNames]) {
      this.pastGeometry.setAttribute(name, this.geometry.getAttribute(name));
    }
    this.pastGeometry.setIndex(this.geometry.getIndex());
    const [future, past] = [
      new Line2(this.geometry, this.future),
      new Line2(this.pastGeometry as unknown as LineGeometry, this.past),
    ];
    for (const line of [future, past]) line.frustumCulled = false;
    this.node.add(future, past);
    this.order();
  }

  /**
   * Draws the thick part after the thin one, and the active flight after the others, so that no other line covers it.
   */
  private order(): void {
    this.node.children.forEach((line, i) => (line.renderOrder = i + (this.isActive ? 2 : 0)));
  }

  private setColoured(hasColours: boolean): void {
    if (this.hasColours === hasColours) return;
    this.hasColours = hasColours;
    for (const material of [this.past, this.future]) {
      material.vertexColors = hasColours;
      material.needsUpdate = true;
    }
  }

  private clear(): void {
    this.node.clear();
    this.geometry?.dispose();
    this.pastGeometry?.dispose();
    this.geometry = undefined;
    this.pastGeometry = undefined;
    this.points = 0;
  }
}
