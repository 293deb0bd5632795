/** Plots one quantity against another over the shown span. */
import { flightColour, ink } from "../../shared/colours.ts";
import { element } from "../../shared/elements.ts";
import { paddedRange, stepTexts } from "../../shared/scales.ts";
import { makeDrawing } from "../hud/canvas.ts";
import type { Panel } from "../store/state.ts";
import type { ViewFlight } from "../store/view-flight.ts";
import { shownSpan } from "../timeline/time-scale.ts";
import { seriesOf } from "../data/series.ts";
import { panelTitle } from "./panels.ts";
import type { PlotContext } from "./time-plot.ts";

const MARGIN = { left: 40, right: 8, top: 6, bottom: 18 };
const MAX_POINTS = 4000;
const GRID_LINES = 5;

/** A click farther than this from the line has no effect. */
const NEAR_PX = 30;

interface Path {
  readonly flight: ViewFlight;
  /** The first row, and the number of rows between two points. */
  readonly first: number;
  readonly step: number;
  readonly xs: Float64Array;
  readonly ys: Float64Array;
}

interface Axes {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly xRange: readonly [number, number];
  readonly yRange: readonly [number, number];
}

export class XyPlot {
  readonly node = element("figure", "plot xy");
  readonly caption = element("figcaption", "");
  readonly panel: Panel;
  private readonly context: PlotContext;
  private readonly canvas = makeDrawing("xy-canvas");
  readonly title = element("b", "");
  private readonly unit = element("span", "unit");
  private paths: readonly Path[] = [];
  private axes: Axes | undefined;
  readonly valueRange = undefined;

  constructor(panel: Panel, context: PlotContext) {
    this.panel = panel;
    this.context = context;
    this.caption.append(this.title, this.unit, element("span", "legend"));
    this.node.append(this.caption, element("div", "plot-place", this.canvas.node));
    this.canvas.node.addEventListener("click", ({ offsetX, offsetY }) => this.goToNearest(offsetX, offsetY));
  }

  /** Moves the playhead to the instant at which the active flight is nearest to a point of the plot. */
  private goToNearest(x: number, y: number): void {
    const { state, playhead } = this.context.store;
    const path = this.paths.find(({ flight }) => flight.id === state.activeId.peek());
    if (path === undefined || this.axes === undefined) return;
    let [best, bestPx] = [-1, NEAR_PX];
    for (let i = 0; i < path.xs.length; i += 1) {
      const px = Math.hypot(this.axes.x(path.xs[i]!) - x, this.axes.y(path.ys[i]!) - y);
      if (px < bestPx) [best, bestPx] = [i, px];
    }
    if (best < 0) return;
    playhead.pause();
    playhead.goTo(path.flight.rows.peek().timeUs(path.first + best * path.step));
  }

  refresh(): void {
    this.paths = this.context.store.state.shown.peek().flatMap((flight) => this.path(flight) ?? []);
    this.node.classList.toggle("empty", this.paths.length === 0);
    const units = this.showTitle();
    this.canvas.draw((context, width, height) => {
      const axes = axesOf(this.paths, width, height, units[0] === units[1]);
      this.axes = axes;
      drawAxes(context, axes, width, height);
      for (const path of this.paths) this.drawPath(context, path, axes);
    });
  }

  /** Redraws everything, because the dot at the playhead is part of the drawing. */
  move(): void {
    this.refresh();
  }

  dispose(): void {
    this.node.remove();
  }

  /** Returns the units of the two axes. */
  private showTitle(): readonly string[] {
    const rows = this.context.store.state.active.peek()?.rows.peek();
    const quantity = (name: string) => (rows === undefined ? undefined : seriesOf(rows).get(name)?.quantity);
    this.title.textContent = panelTitle(this.panel, (name) => quantity(name)?.label ?? name);
    const units = this.panel.quantities.map((name) => quantity(name)?.unit ?? "");
    this.unit.textContent = [...new Set([...units].reverse())].join(" over ");
    this.node.setAttribute("aria-label", this.title.textContent);
    return units;
  }

  private path(flight: ViewFlight): Path | undefined {
    const rows = flight.rows.peek();
    const [x, y] = this.panel.quantities.map((name) => seriesOf(rows).get(name));
    if (x === undefined || y === undefined) return undefined;
    const { fromUs, toUs } = shownSpan(this.context.store.state);
    const [first, last] = [Math.max(0, rows.rowAt(fromUs)), rows.rowAt(toUs)];
    const step = Math.max(1, Math.ceil((last - first) / MAX_POINTS));
    const count = Math.max(0, Math.floor((last - first) / step) + 1);
    const take = (of: typeof x) => Float64Array.from({ length: count }, (_, i) => of.at(first + i * step));
    return { flight, first, step, xs: take(x), ys: take(y) };
  }

  private drawPath(context: CanvasRenderingContext2D, { flight, xs, ys }: Path, { x, y }: Axes): void {
    const { store, isDark } = this.context;
    const isActive = flight.id === store.state.activeId.peek();
    context.strokeStyle = flightColour(flight.slot, isDark());
    context.globalAlpha = isActive ? 1 : 0.5;
    context.lineWidth = isActive ? 1.7 : 1.1;
    context.beginPath();
    xs.forEach((value, i) => context.lineTo(x(value), y(ys[i]!)));
    context.stroke();
    context.globalAlpha = 1;
    if (!isActive) return;
    const rows = flight.rows.peek();
    const row = rows.rowAt(store.state.peekUs.peek() ?? store.state.nowUs.peek());
    const [a, b] = this.panel.quantities.map((name) => seriesOf(rows).get(name)!.at(row));
    context.fillStyle = ink("text");
    context.beginPath();
    context.arc(x(a!), y(b!), 3.5, 0, 2 * Math.PI);
    context.fill();
  }
}

/** Computes the axes. If `isSquare` is set, both axes have the same scale. */
function axesOf(paths: readonly Path[], width: number, height: number, isSquare: boolean): Axes {
  const range = (of: (path: Path) => Float64Array): [number, number] => {
    let [low, high] = [Infinity, -Infinity];
    for (const value of paths.flatMap((path) => [...of(path)])) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return low <= high ? paddedRange(low, high) : [0, 1];
  };
  const [innerWidth, innerHeight] = [width - MARGIN.left - MARGIN.right, height - MARGIN.top - MARGIN.bottom];
  const found = [range(({ xs }) => xs), range(({ ys }) => ys)] as const;
  const perPixel = Math.max((found[0][1] - found[0][0]) / innerWidth, (found[1][1] - found[1][0]) / innerHeight);
  const xRange = isSquare ? widen(found[0], perPixel * innerWidth) : found[0];
  const yRange = isSquare ? widen(found[1], perPixel * innerHeight) : found[1];
  return {
    xRange,
    yRange,
    x: (value) => MARGIN.left + ((value - xRange[0]) / (xRange[1] - xRange[0])) * innerWidth,
    y: (value) => MARGIN.top + (1 - (value - yRange[0]) / (yRange[1] - yRange[0])) * innerHeight,
  };
}

function widen([low, high]: readonly [number, number], length: number): readonly [number, number] {
  const missing = (length - (high - low)) / 2;
  return [low - missing, high + missing];
}

function drawAxes(context: CanvasRenderingContext2D, axes: Axes, width: number, height: number): void {
  const { x, y, xRange, yRange } = axes;
  context.font = "11px system-ui, sans-serif";
  context.fillStyle = ink("quiet");
  context.strokeStyle = ink("line");
  context.lineWidth = 1;
  const [columns, rows] = [roundSteps(xRange), roundSteps(yRange)];
  context.beginPath();
  for (const value of columns) line(context, x(value), MARGIN.top, x(value), height - MARGIN.bottom);
  for (const value of rows) line(context, MARGIN.left, y(value), width - MARGIN.right, y(value));
  context.stroke();
  context.textAlign = "center";
  stepTexts(undefined, columns).forEach((text, i) => context.fillText(text, x(columns[i]!), height - 5));
  context.textAlign = "right";
  stepTexts(undefined, rows).forEach((text, i) => context.fillText(text, MARGIN.left - 5, y(rows[i]!) + 4));
}

function line(context: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
}

/** Returns about five round numbers, at equal distances, within a range. */
function roundSteps([from, to]: readonly [number, number]): number[] {
  const rough = (to - from) / GRID_LINES;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? rough;
  const steps: number[] = [];
  for (let value = Math.ceil(from / step) * step; value <= to; value += step) steps.push(value);
  return steps;
}
