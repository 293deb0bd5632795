/**
 * The plots of a report: one time axis, one cursor, one zoom for all of them.
 *
 * Events are marks on every plot. Zooming one zooms all; a double click shows the whole flight again. A comparison puts
 * the second flight's lines, dashed, on the same axes.
 */
import uPlot from "uplot";
import { colourOf, ink } from "./colours.ts";
import type { ReportHead } from "./data.ts";
import type { Table } from "./table.ts";

export interface Line {
  readonly label: string;
  readonly column: string;
  readonly colour?: string;
  /** Setpoints are dashed. */
  readonly dash?: readonly number[];
}

export interface PlotSpec {
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly Line[];
}

/** Everything that is plotted, in reading order. */
export function plotSpecs({ rotors }: ReportHead): PlotSpec[] {
  const axes = (label: string, column: string, names: readonly string[]): Line[] =>
    names.map((name, i) => ({ label: `${label}${name}`, column: `${column}${i}`, colour: colourOf(i) }));
  const dashed = (lines: Line[]): Line[] => lines.map((line) => ({ ...line, label: `${line.label} set`, dash: [6, 4] }));
  return [
    { title: "altitude", unit: "m", lines: [{ label: "altitude", column: "altitude" }, { label: "set", column: "setAltitude", colour: colourOf(1), dash: [6, 4] }] },
    { title: "position error", unit: "m", lines: [{ label: "error", column: "error", colour: colourOf(1) }] },
    { title: "speed", unit: "m/s", lines: [{ label: "horizontal", column: "groundSpeed" }, { label: "climb", column: "climb", colour: colourOf(2) }] },
    { title: "attitude", unit: "°", lines: [...axes("", "att", ["roll", "pitch", "yaw"]), ...dashed(axes("", "setAtt", ["roll", "pitch", "yaw"]))] },
    { title: "rates", unit: "°/s", lines: [...axes("", "rate", ["p", "q", "r"]), ...dashed(axes("", "setRate", ["p", "q", "r"]))] },
    { title: "motors", unit: "duty", lines: Array.from({ length: rotors }, (_, i) => ({ label: `m${i + 1}`, column: `motor${i}`, colour: colourOf(i) })) },
    { title: "battery voltage", unit: "V", lines: [{ label: "voltage", column: "voltage0", colour: colourOf(4) }] },
    { title: "battery current", unit: "A", lines: [{ label: "current", column: "current0", colour: colourOf(3) }] },
    { title: "wind", unit: "m/s", lines: axes("", "totalWind", ["north", "east", "down"]) },
  ];
}

export class LinkedPlots {
  private readonly plots: uPlot[] = [];
  private isZooming = false;
  private readonly onTime: (t: number | undefined) => void;

  constructor(onTime: (t: number | undefined) => void) {
    this.onTime = onTime;
  }

  add(parent: HTMLElement, spec: PlotSpec, tables: readonly Table[], head: ReportHead): void {
    const present = spec.lines.filter((line) => tables[0]!.has(line.column));
    if (present.length === 0) return;
    const { text, grid } = ink();
    const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
    const series: uPlot.Series[] = tables.flatMap((_, flight) => present.map((line, i) => seriesOf(line, i, flight, tables.length)));
    const options: uPlot.Options = {
      title: `${spec.title} (${spec.unit})`,
      width: parent.clientWidth || 800,
      height: 190,
      cursor: { sync: { key: "flight" }, focus: { prox: 24 } },
      legend: { live: true },
      scales: { x: { time: false } },
      axes: [{ ...axis, label: "s", labelSize: 14, size: 34 }, { ...axis, size: 56 }],
      series: [{ label: "t", value: (_plot, t) => (t === null ? "" : `${t.toFixed(2)} s`) }, ...series],
      hooks: { setScale: [(plot, key) => this.follow(plot, key)], setCursor: [(plot) => this.tell(plot)], draw: [(plot) => drawEvents(plot, head)] },
    };
    const data = [tables[0]!.column("t"), ...tables.flatMap((table) => present.map((line) => table.on(tables[0]!, line.column)))];
    this.plots.push(new uPlot(options, data as unknown as uPlot.AlignedData, parent));
  }

  resize(width: number): void {
    for (const plot of this.plots) plot.setSize({ width, height: plot.height });
  }

  private follow(source: uPlot, key: string): void {
    if (key !== "x" || this.isZooming) return;
    this.isZooming = true;
    const { min, max } = source.scales["x"]!;
    for (const plot of this.plots) if (plot !== source && min !== undefined && max !== undefined) plot.setScale("x", { min: min!, max: max! });
    this.isZooming = false;
  }

  private tell(plot: uPlot): void {
    const { idx } = plot.cursor;
    this.onTime(idx === null || idx === undefined ? undefined : plot.data[0][idx]!);
  }
}

function seriesOf(line: Line, index: number, flight: number, flights: number): uPlot.Series {
  return {
    label: flights > 1 ? `${line.label} ${"ab"[flight]}` : line.label,
    stroke: line.colour ?? colourOf(index),
    width: flight === 0 ? 1.6 : 1,
    ...(line.dash !== undefined || flight > 0 ? { dash: [...(line.dash ?? [3, 3])] } : {}),
    value: (_plot, value) => (value === null || value === undefined ? "" : value.toFixed(3)),
  };
}

/** A thin mark at every event, stronger where something went wrong. */
function drawEvents(plot: uPlot, { events }: ReportHead): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const { tUs, isTrouble } of events) {
    const x = plot.valToPos(tUs / 1e6, "x", true);
    ctx.strokeStyle = isTrouble ? "#d55e00" : "rgba(128, 128, 128, 0.35)";
    ctx.lineWidth = isTrouble ? 2 : 1;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}
