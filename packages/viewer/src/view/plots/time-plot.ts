/**
 * One plot over time. All plots show the same span. A drag zooms all plots; a click moves the playhead.
 *
 * The playhead is an element over the canvas, so the lines are redrawn only when they change.
 */
import uPlot from "uplot";
import { ink, letterOf } from "../../shared/colours.ts";
import { element } from "../../shared/elements.ts";
import { decadeRange, paddedRange, stepTexts } from "../../shared/scales.ts";
import type { RowsStore } from "../data/rows-store.ts";
import type { Panel } from "../store/state.ts";
import type { Store } from "../store/store.ts";
import { moveSpan, shownSpan, zoomSpan } from "../timeline/time-scale.ts";
import { drawPlotMarks } from "./draw-marks.ts";
import { comparedFlights, differenceLines } from "./differences.ts";
import { nanToNull, linesOf, type PlotLine, timesOf } from "./lines.ts";
import type { LogLines } from "./log-lines.ts";
import { lineLabel, panelTitle, valueText } from "./panels.ts";
import { carryQuantity } from "./quantity-drag.ts";

export interface PlotContext {
  readonly store: Store;
  readonly isDark: () => boolean;
  /** Returns rows at every boundary of the shown span, if there are any. */
  readonly fine: () => RowsStore | undefined;
  /** Returns lines of the active flight from all rows of its log, if it is a large log. */
  readonly logLines: () => ReturnType<LogLines["shown"]>;
  /** Shows the values at the time under the pointer; undefined returns to the playhead. */
  readonly onHover: (tUs: number | undefined) => void;
}

const FONT = "11px system-ui, sans-serif";
const AXIS_PX = 44;
/** Maximum time to compute values of one line so that the legend can show its newest value. */
const VALUE_MS = 1;
/** A drag shorter than this is a click. */
const CLICK_PX = 4;

/** Returns how many points a line has in a plot of this width. */
export function pointsOf(widthPx: number): number {
  return Math.max(200, 2 * (widthPx - AXIS_PX));
}

export class TimePlot {
  readonly node = element("figure", "plot");
  readonly panel: Panel;
  readonly caption = element("figcaption", "");
  private readonly context: PlotContext;
  readonly title = element("b", "");
  private readonly unit = element("span", "unit");
  private readonly legend = element("span", "legend");
  private readonly place = element("div", "plot-place");
  private readonly head = element("div", "plot-head");
  private readonly isDifference: boolean;
  private plot: uPlot | undefined;
  private lines: readonly PlotLine[] = [];
  private builtKey = "";
  private readonly values: HTMLElement[] = [];

  /** If `isDifference` is set, the plot shows differences from the reference. */
  constructor(panel: Panel, context: PlotContext, isDifference = false) {
    this.panel = panel;
    this.context = context;
    this.isDifference = isDifference;
    this.node.classList.toggle("difference", isDifference);
    this.caption.append(this.title, this.unit, this.legend);
    this.node.append(this.caption, this.place);
    this.listen();
  }

  /** Computes the values of the lines until a time of `performance.now()`. Returns false if some rows are left. */
  prepare(untilMs: number): boolean {
    return this.currentLines().every(({ series }) => series.prepare(untilMs));
  }

  /** Redraws the lines. Returns true if the plot had to be made for them, which takes several times as long. */
  refresh(): boolean {
    const { store, isDark, fine, logLines } = this.context;
    const { state } = store;
    const width = this.place.clientWidth;
    if (width === 0) return false;
    const fineRows = fine();
    const log = this.isDifference ? undefined : logLines();
    this.lines = this.currentLines();
    this.node.classList.toggle("empty", this.lines.length === 0 && !this.isDifference);
    const key = [
      isDark(),
      state.referenceId.peek(),
      state.activeId.peek(),
      ...this.lines.map(({ flight, quantity, isActive }) => `${flight.id}${quantity}${isActive}`),
    ];
    const times = log?.times ?? timesOf(state, shownSpan(state), pointsOf(width), fineRows);
    const data = [
      Array.from(times.timesUs, (tUs) => tUs / 1e6),
      ...this.lines.map(({ series, offsetUs, quantity, isActive }) =>
        nanToNull((isActive ? log?.lines.get(quantity) : undefined) ?? series.valuesAt(times, offsetUs)),
      ),
    ] as uPlot.AlignedData;
    const isNew = this.builtKey !== key.join() || this.plot === undefined;
    if (isNew) {
      this.builtKey = key.join();
      this.build(data, width);
    } else {
      const { height, plot } = this;
      if (plot!.width !== width || plot!.height !== height) plot!.setSize({ width, height });
      plot!.setData(data);
    }
    this.move(undefined);
    return isNew;
  }

  /** Moves the playhead and shows the values there, or at the time under the pointer. */
  move(hoverUs: number | undefined): void {
    const { state } = this.context.store;
    const nowUs = state.peekUs.peek() ?? state.nowUs.peek();
    const { fromUs, toUs } = shownSpan(state);
    this.head.hidden = nowUs < fromUs || nowUs > toUs;
    if (this.plot !== undefined) {
      // Do not use `valToPos`, because the library applies a new span only in a later microtask.
      const widthPx = this.plot.bbox.width / devicePixelRatio;
      this.head.style.transform = `translateX(${(((nowUs - fromUs) / (toUs - fromUs)) * widthPx).toFixed(1)}px)`;
    }
    this.activeLines.forEach(({ series, rows }, i) => {
      const place = this.values[i];
      if (place === undefined) return;
      const row = rows.rowAt(hoverUs ?? nowUs);
      // The newest rows of a live flight, and of one flown by hand, arrive after the plot was drawn.
      if (Number.isNaN(series.peek(row))) series.prepare(performance.now() + VALUE_MS);
      place.textContent = valueText(series.quantity, series.peek(row));
    });
  }

  get valueRange(): readonly [low: number, high: number] | undefined {
    const { min, max } = this.plot?.scales["y"] ?? {};
    return min === undefined || max === undefined ? undefined : [min, max];
  }

  dispose(): void {
    this.plot?.destroy();
  }

  private currentLines(): PlotLine[] {
    const { store, isDark, fine } = this.context;
    return this.isDifference
      ? differenceLines(this.panel, store.state, isDark())
      : linesOf(this.panel, store.state, isDark(), fine());
  }

  private get activeLines(): readonly PlotLine[] {
    return this.lines.filter(({ isActive }) => isActive);
  }

  private get height(): number {
    return Math.max(this.isDifference ? 56 : 70, this.place.clientHeight || 108);
  }

  private build(data: uPlot.AlignedData, width: number): void {
    this.plot?.destroy();
    this.showCaption();
    this.plot = new uPlot(this.options(width), data, this.place);
    this.plot.over.append(this.head);
  }

  private showCaption(): void {
    const { activeLines } = this;
    const labelOf = (name: string) =>
      activeLines.find(({ quantity }) => quantity === name)?.series.quantity.label ?? name;
    this.title.textContent = this.isDifference ? this.differenceTitle() : panelTitle(this.panel, labelOf);
    this.unit.textContent = activeLines[0]?.series.quantity.unit ?? "";
    this.values.length = 0;
    this.legend.replaceChildren(
      ...activeLines.map(({ series, quantity, colour, dash }) => {
        const value = element("b", "", "–");
        this.values.push(value);
        const key = element("i", dash === undefined ? "" : "dashed");
        key.style.borderTopColor = colour;
        const entry = element("span", "entry", key, lineLabel(series.quantity), value);
        if (!this.isDifference) this.makeDraggable(entry, quantity);
        return entry;
      }),
    );
    this.node.setAttribute("aria-label", this.title.textContent);
  }

  private makeDraggable(entry: HTMLElement, quantity: string): void {
    entry.draggable = true;
    entry.title = "drag it to another plot";
    entry.addEventListener("dragstart", (event) => carryQuantity(event, { quantity, fromId: this.panel.id }));
  }

  /** Returns a title such as `b − a`, from the letters of the flights. */
  private differenceTitle(): string {
    const [flight, reference] = comparedFlights(this.context.store.state);
    if (flight === undefined || reference === undefined) return "Choose a flight other than the reference";
    return `${letterOf(flight.slot)} − ${letterOf(reference.slot)}`;
  }

  private options(width: number): uPlot.Options {
    const { store, isDark } = this.context;
    const { isLogarithmic } = this.panel;
    const axis = {
      stroke: () => ink("quiet"),
      grid: { stroke: () => ink("line"), width: 1 },
      ticks: { show: false },
      font: FONT,
    };
    const shownS = (): [number, number] => {
      const { fromUs, toUs } = shownSpan(store.state);
      return [fromUs / 1e6, toUs / 1e6];
    };
    return {
      width,
      height: this.height,
      padding: [6, 12, 0, 0],
      cursor: { sync: { key: "view" }, drag: { x: true, y: false, setScale: false }, points: { size: 4 }, y: false },
      legend: { show: false },
      scales: { x: { time: false, range: shownS }, y: valueScale(this.panel) },
      axes: [
        { ...axis, size: 18, gap: 2, values: (_plot, splits) => splits.map((t) => String(Number(t.toFixed(6)))) },
        { ...axis, size: AXIS_PX, gap: 4, ...(isLogarithmic === true ? {} : { values: stepTexts, space: labelSpace }) },
      ],
      series: [{}, ...this.lines.map(seriesOptions)],
      hooks: {
        drawClear: [(plot) => drawPlotMarks(plot, store.state, isDark())],
        setSelect: [(plot) => this.select(plot)],
        setCursor: [(plot) => this.hover(plot)],
      },
    };
  }

  /** Zooms all plots to the dragged span. */
  private select(plot: uPlot): void {
    const { left, width } = plot.select;
    if (width < CLICK_PX) return;
    const time = (x: number) => Math.round(plot.posToVal(x, "x") * 1e6);
    const span = { fromUs: Math.max(0, time(left)), toUs: time(left + width) };
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.context.store.state.span.value = span;
  }

  private hover(plot: uPlot): void {
    const { left } = plot.cursor;
    const isOver = left !== undefined && left !== null && left >= 0;
    this.context.onHover(isOver ? plot.posToVal(left, "x") * 1e6 : undefined);
  }

  private listen(): void {
    const { state, playhead } = this.context.store;
    const { place } = this;
    const timeAt = ({ clientX }: MouseEvent) => {
      const { plot } = this;
      return plot === undefined ? 0 : plot.posToVal(clientX - plot.over.getBoundingClientRect().left, "x") * 1e6;
    };
    let downX = 0;
    place.addEventListener("pointerdown", ({ clientX }) => (downX = clientX));
    place.addEventListener("click", (event) => {
      if (Math.abs(event.clientX - downX) >= CLICK_PX || event.shiftKey) return;
      playhead.pause();
      playhead.goTo(timeAt(event));
    });
    place.addEventListener("dblclick", () => (state.span.value = undefined));
    // A drag with Shift pans. Hide it from the library, which would zoom.
    for (const name of ["mousedown", "mousemove"] as const) {
      place.addEventListener(
        name,
        (event) => {
          if (!event.shiftKey) return;
          event.stopPropagation();
          if (event.buttons === 1) moveSpan(state, -event.movementX / Math.max(1, place.clientWidth - AXIS_PX));
        },
        { capture: true },
      );
    }
    place.addEventListener("wheel", (event) => this.wheel(event, timeAt(event)), { passive: false });
  }

  /** Scrolls the list of plots if the list is longer than the page and no modifier is held. Otherwise zooms in time. */
  private wheel(event: WheelEvent, aboutUs: number): void {
    const scroller = this.node.parentElement;
    const isScrollable = scroller !== null && scroller.scrollHeight > scroller.clientHeight + 4;
    if (isScrollable && !event.ctrlKey && !event.altKey) return;
    event.preventDefault();
    zoomSpan(this.context.store.state, aboutUs, Math.exp(event.deltaY / 500));
  }
}

function seriesOptions({ colour, width, dash }: PlotLine): uPlot.Series {
  return { stroke: colour, width, points: { show: false }, ...(dash === undefined ? {} : { dash: [...dash] }) };
}

/** Returns the space between two labels of the value axis; low plots have more labels per height. */
function labelSpace(_plot: uPlot, _axis: number, _min: number, _max: number, heightPx: number): number {
  return Math.max(14, heightPx / 5);
}

function valueScale({ limits, isLogarithmic }: Panel): uPlot.Scale {
  if (limits !== undefined) return { range: () => [limits[0], limits[1]] };
  if (isLogarithmic === true) return { distr: 3, log: 10, range: decadeRange };
  return { range: (_plot, low, high) => paddedRange(low, high) };
}
