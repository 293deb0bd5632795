/**
 * The flight path, first seen from above with north up. Dragging rotates it in three dimensions; the wheel zooms.
 *
 * It is an orthographic drawing on a canvas. Waypoints are rings, the path has the colour of the mode (or of the
 * flight, if there are several), and a dot marks the position at the cursor. From the side, thin lines lead down to the
 * ground.
 */
import { colourOf, dashOf, ink } from "../shared/colours.ts";
import { button, element } from "../shared/elements.ts";
import { modeColour } from "../shared/modes.ts";
import { niceStep } from "../shared/scales.ts";
import type { Waypoint } from "../shared/waypoints.ts";
import type { Table } from "./table.ts";

interface Viewpoint {
  azimuth: number;
  /** 90° looks straight down. */
  elevation: number;
  zoom: number;
}

type Point = readonly [x: number, y: number];

const FROM_ABOVE: Viewpoint = { azimuth: 0, elevation: Math.PI / 2, zoom: 1 };
const FROM_THE_SIDE: Viewpoint = { azimuth: 0.6, elevation: 0.5, zoom: 0.9 };
const STEEP = 1.4;
/** Pixels between a label and the centre of its ring, or the edge of the canvas. */
const LABEL_GAP = 9;

export class TrackView {
  private readonly canvas = document.createElement("canvas");
  private readonly tables: readonly Table[];
  private readonly waypoints: readonly Waypoint[];
  private readonly viewpoint: Viewpoint = { ...FROM_ABOVE };
  private readonly centre: readonly [number, number, number];
  private readonly radius: number;
  private side = 320;
  private time: number | undefined;

  constructor(parent: HTMLElement, tables: readonly Table[], waypoints: readonly Waypoint[]) {
    this.tables = tables;
    this.waypoints = waypoints;
    this.canvas.className = "track";
    this.canvas.title = "drag to turn, wheel to zoom, double click for the view from above";
    const buttons = element(
      "p",
      "viewpoints",
      button("from above", () => this.turn(FROM_ABOVE)),
      button("3-D", () => this.turn(FROM_THE_SIDE)),
    );
    parent.append(this.canvas, buttons);
    const bounds = (["north", "east", "down"] as const).map((axis, i) =>
      extent([...tables.map((table) => table.column(`pos${i}`)), waypoints.map((waypoint) => waypoint[axis])]),
    );
    this.centre = bounds.map(([low, high]) => (low + high) / 2) as [number, number, number];
    this.radius = Math.max(1, ...bounds.map(([low, high]) => (high - low) / 2)) * 1.3;
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  show(time: number | undefined): void {
    this.time = time;
    this.draw();
  }

  draw(): void {
    this.side = this.canvas.clientWidth || 320;
    const scale = window.devicePixelRatio || 1;
    this.canvas.width = this.side * scale;
    this.canvas.height = this.side * scale;
    const context = this.canvas.getContext("2d")!;
    context.scale(scale, scale);
    context.font = "12px system-ui, sans-serif";
    context.lineJoin = "round";
    this.drawGround(context);
    if (this.viewpoint.elevation < STEEP) this.drawCurtain(context);
    this.tables.forEach((table, i) => this.drawPath(context, table, i));
    this.drawWaypoints(context);
    this.drawEnds(context);
    this.drawNow(context);
  }

  private turn(viewpoint: Viewpoint): void {
    Object.assign(this.viewpoint, viewpoint);
    this.draw();
  }

  private listen(): void {
    const { canvas, viewpoint } = this;
    canvas.addEventListener("pointerdown", (event) => canvas.setPointerCapture(event.pointerId));
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons !== 1) return;
      viewpoint.azimuth += event.movementX / 120;
      viewpoint.elevation = Math.min(Math.PI / 2, Math.max(0.05, viewpoint.elevation + event.movementY / 120));
      this.draw();
    });
    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        viewpoint.zoom *= Math.exp(-event.deltaY / 600);
        this.draw();
      },
      { passive: false },
    );
    canvas.addEventListener("dblclick", () => this.turn(FROM_ABOVE));
  }

  private project(north: number, east: number, down: number): Point {
    const { azimuth, elevation, zoom } = this.viewpoint;
    const [n, e, d] = [north - this.centre[0], east - this.centre[1], down - this.centre[2]];
    const right = e * Math.cos(azimuth) + n * Math.sin(azimuth);
    const away = n * Math.cos(azimuth) - e * Math.sin(azimuth);
    const up = away * Math.sin(elevation) - d * Math.cos(elevation);
    const factor = (zoom * this.side) / (2 * this.radius);
    return [this.side / 2 + right * factor, this.side / 2 - up * factor];
  }

  private place(table: Table, row: number): Point {
    return this.project(table.at("pos0", row), table.at("pos1", row), table.at("pos2", row));
  }

  private drawGround(context: CanvasRenderingContext2D): void {
    const step = niceStep(this.radius / 2);
    const reach = (Math.ceil(this.radius / step) + 1) * step;
    const north = Math.round(this.centre[0] / step) * step;
    const east = Math.round(this.centre[1] / step) * step;
    context.strokeStyle = ink("line");
    context.lineWidth = 1;
    for (let offset = -reach; offset <= reach + step / 2; offset += step) {
      line(context, this.project(north + offset, east - reach, 0), this.project(north + offset, east + reach, 0));
      line(context, this.project(north - reach, east + offset, 0), this.project(north + reach, east + offset, 0));
    }
    this.drawCompass(context);
    context.fillStyle = ink("quiet");
    context.textAlign = "left";
    context.fillText(`${step} m per square`, 10, this.side - 10);
  }

  /** Draws an arrow to the north in the current view. */
  private drawCompass(context: CanvasRenderingContext2D): void {
    const { azimuth, elevation } = this.viewpoint;
    const [x, y] = [this.side - 26, 40];
    const [dx, dy] = [16 * Math.sin(azimuth), -16 * Math.cos(azimuth) * Math.sin(elevation)];
    context.strokeStyle = ink("quiet");
    context.fillStyle = ink("quiet");
    context.lineWidth = 1.5;
    line(context, [x - dx, y - dy], [x + dx, y + dy]);
    dot(context, [x + dx, y + dy], 2.5);
    context.textAlign = "center";
    context.fillText("N", x + 1.7 * dx, y + 1.7 * dy + 4);
  }

  private drawCurtain(context: CanvasRenderingContext2D): void {
    context.strokeStyle = ink("line");
    for (const table of this.tables) {
      const stride = Math.max(1, Math.floor(table.rows / 160));
      for (let row = 0; row < table.rows; row += stride) {
        line(context, this.place(table, row), this.project(table.at("pos0", row), table.at("pos1", row), 0));
      }
    }
  }

  /** Draws one piece per mode; pieces overlap by one point so that there is no gap. */
  private drawPath(context: CanvasRenderingContext2D, table: Table, index: number): void {
    const isAlone = this.tables.length === 1;
    context.lineWidth = 2;
    let start = 0;
    for (let row = 1; row <= table.rows; row += 1) {
      const isSame = row < table.rows && (!isAlone || table.at("mode", row) === table.at("mode", start));
      if (isSame) continue;
      context.strokeStyle = isAlone ? modeColour(table.at("mode", start)) : colourOf(index);
      context.setLineDash([...dashOf(index)]);
      context.beginPath();
      for (let i = start; i <= Math.min(row, table.rows - 1); i += 1) context.lineTo(...this.place(table, i));
      context.stroke();
      start = row;
    }
    context.setLineDash([]);
  }

  private drawWaypoints(context: CanvasRenderingContext2D): void {
    context.strokeStyle = ink("text");
    context.fillStyle = ink("text");
    context.lineWidth = 1.5;
    context.textAlign = "left";
    for (const [place, labels] of this.places()) {
      const [x, y] = place;
      context.beginPath();
      context.arc(x, y, 6, 0, 2 * Math.PI);
      context.stroke();
      const label = labels.join(", ");
      // Draw the label beside the ring, but shift it left if it would leave the canvas.
      const lastX = this.side - LABEL_GAP - context.measureText(label).width;
      context.fillText(label, Math.max(LABEL_GAP, Math.min(x + LABEL_GAP, lastX)), y - 7);
    }
  }

  /** Returns the rings and their labels; waypoints at nearly the same point share a ring. */
  private places(): [Point, string[]][] {
    const places: [Point, string[]][] = [];
    for (const { north, east, down, label } of this.waypoints) {
      const point = this.project(north, east, down);
      const near = places.find(([other]) => Math.hypot(other[0] - point[0], other[1] - point[1]) < 6);
      if (near === undefined) places.push([point, [label]]);
      else near[1].push(label);
    }
    return places;
  }

  /** Draws a square at the end of each flight. */
  private drawEnds(context: CanvasRenderingContext2D): void {
    this.tables.forEach((table, index) => {
      if (table.rows === 0) return;
      const [x, y] = this.place(table, table.rows - 1);
      context.fillStyle = this.tables.length === 1 ? ink("text") : colourOf(index);
      context.fillRect(x - 3, y - 3, 6, 6);
    });
  }

  private drawNow(context: CanvasRenderingContext2D): void {
    if (this.time === undefined) return;
    this.tables.forEach((table, index) => {
      const row = table.rowAt(this.time!);
      if (row < 0) return;
      context.fillStyle = this.tables.length === 1 ? ink("trouble") : colourOf(index);
      dot(context, this.place(table, row), 5);
    });
  }
}

function line(context: CanvasRenderingContext2D, from: Point, to: Point): void {
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.stroke();
}

function dot(context: CanvasRenderingContext2D, [x, y]: Point, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

function extent(columns: readonly ArrayLike<number>[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const column of columns) {
    for (let i = 0; i < column.length; i += 1) {
      low = Math.min(low, column[i]!);
      high = Math.max(high, column[i]!);
    }
  }
  return low <= high ? [low, high] : [0, 0];
}
