/**
 * Plots that share one time axis, one cursor and one zoom.
 *
 * Dragging zooms all plots; a double click resets the zoom. Bands and events are drawn behind the lines of every plot.
 * Colours are read whenever a plot is drawn, so that dark mode, light mode and print need only a redraw.
 */
import type { FlightEvent } from "@escapement/core";
import uPlot from "uplot";
import type { Band } from "./bands.ts";
import { ink } from "../shared/colours.ts";
import { button, element, numberText } from "../shared/elements.ts";
import type { PlotSpec } from "./plots.ts";
import { decadeRange, paddedRange, stepTexts } from "../shared/scales.ts";
import type { RequirementMark } from "./verdicts.ts";

/** One line of a plot as it is drawn. */
export interface DrawnLine {
  readonly label: string;
  readonly colour: string;
  readonly dash?: readonly number[];
  readonly width?: number;
  readonly values: readonly (number | null)[];
}

/** Marks shown on every plot. */
interface Marks {
  readonly bands: readonly Band[];
  readonly events: readonly FlightEvent[];
  /** Instants in seconds at which branches leave the first flight. */
  readonly forks?: readonly { readonly timeS: number; readonly colour: string }[];
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The elements that show the values at the cursor, and the format of these values. */
interface Readout {
  readonly places: readonly HTMLElement[];
  readonly text: (value: number) => string;
}

interface Listeners {
  readonly onTime: (t: number | undefined) => void;
  readonly onZoom: (span: Span) => void;
}

const FONT = "12px system-ui, sans-serif";
const BAND_ALPHA = { fault: 0.2, gust: 0.22, saturation: 0.3 } as const;

export class LinkedPlots {
  private readonly plots: uPlot[] = [];
  private readonly times: Float32Array;
  private readonly marks: Marks;
  /** The readout of each plot that shows its own values. A plot whose values are in a table has no readout. */
  private readonly readouts = new Map<uPlot, Readout>();
  private readonly listeners: Listeners;
  private isFollowing = false;
  private requirement: RequirementMark | undefined;

  constructor(times: Float32Array, marks: Marks, listeners: Listeners) {
    this.times = times;
    this.marks = marks;
    this.listeners = listeners;
  }

  add(parent: HTMLElement, spec: PlotSpec, lines: readonly DrawnLine[], height = 170): void {
    const place = element("figure", "plot");
    const legend = element("span", "legend");
    place.append(element("figcaption", "", element("b", "", spec.title), element("span", "unit", spec.unit), legend));
    parent.append(place);
    const data = [this.times, ...lines.map(({ values }) => values)] as unknown as uPlot.AlignedData;
    const plot = new uPlot(this.options(place, spec, lines, height), data, place);
    const entries = lines.map((line, i) => legendEntry(plot, line, i + 1));
    legend.append(...entries);
    if (spec.showsValues === true) {
      const text = spec.isLogarithmic === true ? (value: number) => value.toExponential(1) : numberText;
      this.readouts.set(plot, { places: entries.map(valuePlace), text });
    }
    this.plots.push(plot);
  }

  get whole(): Span {
    return { from: this.times[0] ?? 0, to: this.times[this.times.length - 1] ?? 1 };
  }

  zoom({ from, to }: Span): void {
    this.plots[0]?.setScale("x", { min: from, max: to });
  }

  resize(width: number): void {
    for (const plot of this.plots) if (plot.width !== width) plot.setSize({ width, height: plot.height });
  }

  redraw(): void {
    for (const plot of this.plots) plot.redraw(false);
  }

  /** Shades the window of a requirement and marks the instant that decides it. */
  showRequirement(mark: RequirementMark | undefined): void {
    this.requirement = mark;
    this.redraw();
  }

  private options(place: HTMLElement, spec: PlotSpec, lines: readonly DrawnLine[], height: number): uPlot.Options {
    const axis = {
      stroke: () => ink("quiet"),
      grid: { stroke: () => ink("line"), width: 1 },
      ticks: { stroke: () => ink("line"), width: 1, size: 4 },
      font: FONT,
    };
    return {
      width: place.clientWidth || 800,
      height,
      padding: [8, 12, 0, 0],
      cursor: { sync: { key: "page" }, drag: { x: true, y: false }, points: { size: 5 } },
      legend: { show: false },
      scales: {
        x: { time: false },
        y:
          spec.isLogarithmic === true
            ? { distr: 3, log: 10, range: decadeRange }
            : { range: (_plot, low, high) => paddedRange(low, high, spec.minSpan) },
      },
      axes: [
        { ...axis, size: 28, gap: 4, values: (_plot, splits) => splits.map((t) => `${round(t)} s`) },
        { ...axis, size: 58, ...(spec.isLogarithmic === true ? DECADES : { values: stepTexts }) },
      ],
      series: [{}, ...lines.map(seriesOf)],
      hooks: {
        setScale: [(plot, key) => this.follow(plot, key)],
        setCursor: [(plot) => this.showCursor(plot)],
        drawClear: [(plot) => drawMarks(plot, spec, this.marks)],
        draw: [(plot) => drawRequirement(plot, this.requirement)],
      },
    };
  }

  /** Applies the span of the zoomed plot to all others. */
  private follow(source: uPlot, key: string): void {
    const { min, max } = source.scales["x"]!;
    if (key !== "x" || min === undefined || min === null || max === undefined || max === null) return;
    const place = source.root.parentElement;
    if (place !== null) Object.assign(place.dataset, { from: String(min), to: String(max) });
    if (this.isFollowing) return;
    this.isFollowing = true;
    for (const plot of this.plots) if (plot !== source) plot.setScale("x", { min, max });
    this.isFollowing = false;
    this.listeners.onZoom({ from: min, to: max });
  }

  private readout(plot: uPlot, row: number): void {
    const { places = [], text = numberText } = this.readouts.get(plot) ?? {};
    places.forEach((place, i) => {
      const value = plot.data[i + 1]![row];
      place.textContent = value === null || value === undefined ? "—" : text(value);
    });
  }

  private showCursor(plot: uPlot): void {
    const { idx } = plot.cursor;
    if (idx !== null && idx !== undefined) this.readout(plot, idx);
    this.listeners.onTime(idx === null || idx === undefined ? undefined : plot.data[0][idx]!);
  }
}

function valuePlace(entry: HTMLElement): HTMLElement {
  const place = element("b", "");
  entry.append(place);
  return place;
}

function seriesOf({ colour, dash, width = 1.6, label }: DrawnLine): uPlot.Series {
  return { label, stroke: colour, width, points: { show: false }, ...(dash === undefined ? {} : { dash: [...dash] }) };
}

/** Builds a legend entry; a click on it hides or shows its line. */
function legendEntry(plot: uPlot, { label, colour, dash }: DrawnLine, series: number): HTMLElement {
  const entry = button(label, (self) => {
    const show = plot.series[series]!.show !== true;
    plot.setSeries(series, { show });
    self.classList.toggle("hidden", !show);
  });
  const key = element("i", dash === undefined ? "" : "dashed");
  key.style.borderTopColor = colour;
  entry.prepend(key);
  return entry;
}

const MAX_DECADES = 7;

/** Grid lines at decades only, at every second or third decade if there are many. */
const DECADES: Pick<uPlot.Axis, "splits" | "filter" | "values"> = {
  splits: (_plot, _axis, from, to) => {
    const [first, last] = [Math.round(Math.log10(from)), Math.round(Math.log10(to))];
    const step = Math.max(1, Math.ceil((last - first) / MAX_DECADES));
    const powers = Array.from({ length: last - first + 1 }, (_, i) => first + i).filter((power) => power % step === 0);
    return powers.map((power) => 10 ** power);
  },
  filter: (_plot, splits) => splits,
  values: (_plot, splits) => splits.map((value) => `1e${Math.round(Math.log10(value))}`),
};

function round(t: number): number {
  return Math.round(t * 1e6) / 1e6;
}

/** Draws bands, then a thin line at every event (thicker for warnings) and at every fork (in the flight's colour). */
function drawMarks(plot: uPlot, { showsSaturation }: PlotSpec, { bands, events, forks = [] }: Marks): void {
  const { ctx, bbox } = plot;
  const x = (t: number) => plot.valToPos(t, "x", true);
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const { kind, from, to } of bands) {
    if (kind === "saturation" && showsSaturation !== true) continue;
    ctx.globalAlpha = BAND_ALPHA[kind];
    ctx.fillStyle = ink(kind);
    ctx.fillRect(x(from), bbox.top, Math.max(devicePixelRatio, x(to) - x(from)), bbox.height);
  }
  for (const { tUs, severity } of events) {
    const isWarning = severity === "warning";
    ctx.globalAlpha = isWarning ? 0.9 : 0.45;
    ctx.fillStyle = ink(isWarning ? "trouble" : "quiet");
    ctx.fillRect(x(tUs / 1e6), bbox.top, (isWarning ? 2 : 1) * devicePixelRatio, bbox.height);
  }
  ctx.globalAlpha = 1;
  for (const { timeS, colour } of forks) {
    ctx.fillStyle = colour;
    ctx.fillRect(x(timeS), bbox.top, devicePixelRatio, bbox.height);
  }
  ctx.restore();
}

/** Half the width of the marker at the deciding instant. */
const MARKER_PX = 5;

/** Draws the window of a requirement with an edge at each end, and a line with a marker at the deciding instant. */
function drawRequirement(plot: uPlot, mark: RequirementMark | undefined): void {
  if (mark === undefined) return;
  const { ctx, bbox } = plot;
  const x = (t: number) => plot.valToPos(t, "x", true);
  const [from, to] = [x(mark.windowS[0]), x(mark.windowS[1])];
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.fillStyle = ink("accent");
  ctx.globalAlpha = 0.1;
  ctx.fillRect(from, bbox.top, Math.max(devicePixelRatio, to - from), bbox.height);
  ctx.globalAlpha = 0.7;
  for (const edge of [from, to]) ctx.fillRect(edge - devicePixelRatio / 2, bbox.top, devicePixelRatio, bbox.height);
  if (mark.atS !== undefined) {
    const at = x(mark.atS);
    const half = MARKER_PX * devicePixelRatio;
    ctx.globalAlpha = 1;
    ctx.fillStyle = ink(mark.holds ? "good" : "limit");
    ctx.fillRect(at - devicePixelRatio, bbox.top, 2 * devicePixelRatio, bbox.height);
    ctx.beginPath();
    ctx.moveTo(at - half, bbox.top);
    ctx.lineTo(at + half, bbox.top);
    ctx.lineTo(at, bbox.top + 1.6 * half);
    ctx.fill();
  }
  ctx.restore();
}
