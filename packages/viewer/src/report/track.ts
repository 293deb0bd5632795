/**
 * The flight path: ground track from above; dragging turns it into three dimensions, the wheel zooms.
 *
 * An orthographic drawing on a canvas: north up, waypoints as rings, the cursor's instant as a dot.
 */
import { colourOf, ink } from "./colours.ts";
import type { Table } from "./table.ts";

interface Look {
  azimuth: number;
  /** 90° looks straight down. */
  elevation: number;
  zoom: number;
}

export class TrackView {
  private readonly canvas: HTMLCanvasElement;
  private readonly tables: readonly Table[];
  private readonly look: Look = { azimuth: 0, elevation: Math.PI / 2, zoom: 1 };
  private readonly centre: readonly [number, number, number];
  private readonly radius: number;
  private time: number | undefined;

  constructor(parent: HTMLElement, tables: readonly Table[]) {
    this.tables = tables;
    this.canvas = document.createElement("canvas");
    this.canvas.className = "track";
    this.canvas.title = "drag to turn, wheel to zoom, double click to look from above";
    parent.append(this.canvas);
    const bounds = ["pos0", "pos1", "pos2"].map((name) => extent(tables.map((table) => table.column(name))));
    this.centre = bounds.map(([low, high]) => (low + high) / 2) as [number, number, number];
    this.radius = Math.max(1, ...bounds.map(([low, high]) => (high - low) / 2)) * 1.15;
    this.listen();
    this.draw();
  }

  show(time: number | undefined): void {
    this.time = time;
    this.draw();
  }

  draw(): void {
    const side = this.canvas.clientWidth || 320;
    const scale = window.devicePixelRatio || 1;
    this.canvas.width = side * scale;
    this.canvas.height = side * scale;
    const context = this.canvas.getContext("2d")!;
    context.scale(scale, scale);
    this.drawGround(context, side);
    this.tables.forEach((table, i) => this.drawPath(context, side, table, i));
    this.drawNow(context, side);
  }

  private listen(): void {
    const { canvas, look } = this;
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons !== 1) return;
      look.azimuth += event.movementX / 120;
      look.elevation = Math.min(Math.PI / 2, Math.max(0, look.elevation + event.movementY / 120));
      this.draw();
    });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      look.zoom *= Math.exp(-event.deltaY / 600);
      this.draw();
    });
    canvas.addEventListener("dblclick", () => {
      Object.assign(look, { azimuth: 0, elevation: Math.PI / 2, zoom: 1 });
      this.draw();
    });
  }

  private project(side: number, north: number, east: number, down: number): [number, number] {
    const { azimuth, elevation, zoom } = this.look;
    const [n, e, d] = [north - this.centre[0], east - this.centre[1], down - this.centre[2]];
    const right = e * Math.cos(azimuth) + n * Math.sin(azimuth);
    const away = n * Math.cos(azimuth) - e * Math.sin(azimuth);
    const up = away * Math.sin(elevation) - d * Math.cos(elevation);
    const factor = (zoom * side) / (2 * this.radius);
    return [side / 2 + right * factor, side / 2 - up * factor];
  }

  private drawGround(context: CanvasRenderingContext2D, side: number): void {
    const { grid, text } = ink();
    const step = niceStep(this.radius / 2);
    context.strokeStyle = grid;
    const reach = Math.ceil(this.radius / step) * step;
    for (let offset = -reach; offset <= reach; offset += step) {
      const [n0, e0] = [Math.round(this.centre[0] / step) * step, Math.round(this.centre[1] / step) * step];
      line(context, this.project(side, n0 + offset, e0 - reach, 0), this.project(side, n0 + offset, e0 + reach, 0));
      line(context, this.project(side, n0 - reach, e0 + offset, 0), this.project(side, n0 + reach, e0 + offset, 0));
    }
    context.fillStyle = text;
    context.fillText(`north ↑   ${step} m a square`, 8, side - 8);
  }

  private drawPath(context: CanvasRenderingContext2D, side: number, table: Table, index: number): void {
    context.strokeStyle = colourOf(index);
    context.lineWidth = 1.6;
    context.beginPath();
    for (let i = 0; i < table.rows; i += 1) {
      const [x, y] = this.project(side, table.at("pos0", i), table.at("pos1", i), table.at("pos2", i));
      if (i === 0) context.moveTo(x, y);
      else context.lineTo(x, y);
    }
    context.stroke();
    context.lineWidth = 1;
  }

  private drawNow(context: CanvasRenderingContext2D, side: number): void {
    if (this.time === undefined) return;
    this.tables.forEach((table, index) => {
      const row = table.rowAt(this.time!);
      const [x, y] = this.project(side, table.at("pos0", row), table.at("pos1", row), table.at("pos2", row));
      context.fillStyle = colourOf(index === 0 ? 1 : 2);
      context.beginPath();
      context.arc(x, y, 4, 0, 2 * Math.PI);
      context.fill();
    });
  }
}

function line(context: CanvasRenderingContext2D, from: [number, number], to: [number, number]): void {
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.stroke();
}

function extent(columns: readonly Float32Array[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const column of columns) {
    for (const value of column) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return low <= high ? [low, high] : [0, 0];
}

/** 1, 2 or 5 times a power of ten. */
function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const leading = rough / power;
  return (leading >= 5 ? 5 : leading >= 2 ? 2 : 1) * power;
}
