/**
 * The scatter plot of flights: one point per flight; its shape shows the verdict, its colour the margin.
 *
 * A click chooses the nearest flight. The arrow keys go from the chosen flight to the nearest one in that direction.
 * Colours are read whenever the plot is drawn, so that dark mode, light mode and print need only a redraw.
 */
import { ink } from "../shared/colours.ts";
import { type AxisScale, axisScale } from "./axes.ts";
import { type MarginColours, marginColours } from "./margin-colours.ts";
import { drawMark, verdictOrder } from "./marks.ts";
import type { PointTable, TableColumn } from "./point-table.ts";
import type { Selection } from "./selection.ts";

export interface ScatterChoice {
  readonly x: TableColumn;
  readonly y: TableColumn;
  /** Margin and verdict of the requirement that colours the points; absent if the campaign has no requirements. */
  readonly margin?: TableColumn;
  readonly verdict?: TableColumn;
}

interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const FONT = "12px system-ui, sans-serif";
/** A click farther than this from every point chooses no flight. */
const REACH_PX = 14;
const KEYS: Readonly<Record<string, readonly [dx: number, dy: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export class Scatter {
  readonly canvas = document.createElement("canvas");
  private readonly table: PointTable;
  private readonly selection: Selection;
  private readonly flights: Float64Array;
  private choice: ScatterChoice;
  private scales: readonly [AxisScale, AxisScale];
  private order: Uint32Array;
  private frame: Frame = { left: 0, top: 0, width: 1, height: 1 };
  private readonly onColours: (colours: MarginColours | undefined) => void;

  constructor(
    table: PointTable,
    selection: Selection,
    choice: ScatterChoice,
    onColours: (colours: MarginColours | undefined) => void,
  ) {
    this.table = table;
    this.selection = selection;
    this.onColours = onColours;
    this.flights = table.withRole("flight")[0]!.numbers;
    this.choice = choice;
    this.scales = this.scalesOf(choice);
    this.order = verdictOrder(choice.verdict, table.size);
    this.canvas.className = "scatter";
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-roledescription", "scatter plot");
    this.listen();
  }

  show(choice: ScatterChoice): void {
    this.choice = choice;
    this.scales = this.scalesOf(choice);
    this.order = verdictOrder(choice.verdict, this.table.size);
    this.draw();
  }

  draw(): void {
    const { canvas } = this;
    const { clientWidth: width, clientHeight: height } = canvas;
    if (width === 0) return;
    canvas.width = Math.round(width * devicePixelRatio);
    canvas.height = Math.round(height * devicePixelRatio);
    const context = canvas.getContext("2d")!;
    context.scale(devicePixelRatio, devicePixelRatio);
    context.font = FONT;
    this.frame = this.frameOf(context, width, height);
    this.drawAxes(context);
    const colours = this.choice.margin === undefined ? undefined : marginColours(this.choice.margin.numbers);
    this.drawPoints(context, colours);
    this.drawChosen(context);
    this.onColours(colours);
    const { x, y } = this.choice;
    canvas.setAttribute("aria-label", `${y.name} over ${x.name}, ${this.table.size} flights; arrow keys choose one`);
  }

  private scalesOf({ x, y }: ScatterChoice): readonly [AxisScale, AxisScale] {
    return [axisScale(x, this.flights, 1), axisScale(y, this.flights, 2)];
  }

  private frameOf(context: CanvasRenderingContext2D, width: number, height: number): Frame {
    const widest = Math.max(...this.scales[1].ticks.map(({ text }) => context.measureText(text).width), 10);
    const left = Math.ceil(Math.min(widest, 0.3 * width)) + 12;
    return { left, top: 26, width: width - left - 12, height: height - 26 - 44 };
  }

  private place(point: number): readonly [number, number] {
    const { left, top, width, height } = this.frame;
    return [left + width * this.scales[0].places[point]!, top + height * (1 - this.scales[1].places[point]!)];
  }

  private drawAxes(context: CanvasRenderingContext2D): void {
    const { left, top, width, height } = this.frame;
    const [x, y] = this.scales;
    context.strokeStyle = ink("line");
    context.fillStyle = ink("quiet");
    context.lineWidth = 1;
    context.textAlign = "center";
    context.textBaseline = "top";
    let lastEnd = -Infinity;
    for (const { at, text } of x.ticks) {
      const place = left + width * at;
      line(context, place, top, place, top + height);
      const half = context.measureText(text).width / 2;
      // Omit a label that would touch the previous one.
      if (place - half < lastEnd + 6) continue;
      context.fillText(text, Math.min(place, left + width + 10 - half), top + height + 6);
      lastEnd = place + half;
    }
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const { at, text } of y.ticks) {
      const place = top + height * (1 - at);
      line(context, left, place, left + width, place);
      context.fillText(text, left - 6, place, left - 8);
    }
    context.strokeRect(left, top, width, height);
    context.fillStyle = ink("text");
    context.textBaseline = "alphabetic";
    context.textAlign = "left";
    context.fillText(`↑ ${y.title}`, 2, 14);
    context.textAlign = "right";
    context.fillText(`${x.title} →`, left + width, top + height + 38);
  }

  private drawPoints(context: CanvasRenderingContext2D, colours: MarginColours | undefined): void {
    const { margin, verdict } = this.choice;
    context.globalAlpha = this.table.size > 3000 ? 0.7 : 0.9;
    const plain = ink("accent");
    for (const point of this.order) {
      const [x, y] = this.place(point);
      if (Number.isNaN(x + y)) continue;
      const colour = colours === undefined ? plain : colours.of(margin!.numbers[point]!);
      drawMark(context, x, y, verdict === undefined ? "holds" : verdict.words?.[verdict.numbers[point]!], colour);
    }
    context.globalAlpha = 1;
  }

  private drawChosen(context: CanvasRenderingContext2D): void {
    const point = this.selection.flight === undefined ? undefined : this.table.pointOf(this.selection.flight);
    if (point === undefined) return;
    const [x, y] = this.place(point);
    if (Number.isNaN(x + y)) return;
    context.lineWidth = 2.5;
    context.strokeStyle = ink("text");
    context.beginPath();
    context.arc(x, y, 9, 0, 2 * Math.PI);
    context.stroke();
  }

  private listen(): void {
    const { canvas } = this;
    const near = (event: MouseEvent) => this.nearest(event.offsetX, event.offsetY, REACH_PX);
    canvas.addEventListener("click", (event) => {
      const point = near(event);
      if (point !== undefined) this.selection.choose(this.table.flightOf(point));
    });
    canvas.addEventListener("pointermove", (event) => {
      const point = near(event);
      canvas.style.cursor = point === undefined ? "" : "pointer";
      canvas.title = point === undefined ? "" : `flight #${this.table.flightOf(point)}`;
    });
    canvas.addEventListener("keydown", (event) => {
      const direction = KEYS[event.key];
      if (direction === undefined) return;
      event.preventDefault();
      const point = this.nextIn(direction);
      if (point !== undefined) this.selection.choose(this.table.flightOf(point));
    });
    this.selection.onChange(() => this.draw());
  }

  private nearest(x: number, y: number, reach: number): number | undefined {
    let best: number | undefined;
    let least = reach * reach;
    // At equal distances, choose the point that is drawn later, because it is on top.
    for (const point of this.order) {
      const [px, py] = this.place(point);
      const distance = (px - x) ** 2 + (py - y) ** 2;
      if (distance <= least) [best, least] = [point, distance];
    }
    return best;
  }

  /**
   * Returns the nearest point within 45° of a direction. If no flight is chosen, returns the point drawn last, which
   * violates if any point does.
   */
  private nextIn([dx, dy]: readonly [number, number]): number | undefined {
    const current = this.selection.flight === undefined ? undefined : this.table.pointOf(this.selection.flight);
    if (current === undefined) return this.order[this.order.length - 1];
    const [x, y] = this.place(current);
    let best: number | undefined;
    let least = Infinity;
    for (const point of this.order) {
      const [px, py] = this.place(point);
      const along = (px - x) * dx + (py - y) * dy;
      const across = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
      if (along > 0 && across <= along && along + across < least) [best, least] = [point, along + across];
    }
    return best;
  }
}

function line(context: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}
