/** Plots the spectra of quantities over the shown span: amplitude over frequency. */
import uPlot from "uplot";
import { ink, lineColour } from "../../shared/colours.ts";
import { element } from "../../shared/elements.ts";
import { decadeRange } from "../../shared/scales.ts";
import type { Panel } from "../store/state.ts";
import { shownSpan } from "../timeline/time-scale.ts";
import { amplitudes } from "./fourier.ts";
import { seriesOf } from "../data/series.ts";
import { lineLabel, panelTitle } from "./panels.ts";
import type { PlotContext } from "./time-plot.ts";

const MAX_SAMPLES = 16_384;
const AXIS_PX = 44;
const FREQUENCY_AXIS_PX = 18;
/** Height that a label of the value axis needs. */
const LABEL_PX = 16;

export class SpectrumPlot {
  readonly node = element("figure", "plot");
  readonly caption = element("figcaption", "");
  readonly panel: Panel;
  private readonly context: PlotContext;
  readonly title = element("b", "");
  private readonly unit = element("span", "unit");
  private readonly legend = element("span", "legend");
  private readonly place = element("div", "plot-place");
  readonly valueRange = undefined;
  private plot: uPlot | undefined;

  constructor(panel: Panel, context: PlotContext) {
    this.panel = panel;
    this.context = context;
    this.caption.append(this.title, this.unit, this.legend);
    this.node.append(this.caption, this.place);
  }

  refresh(): void {
    const width = this.place.clientWidth;
    const { store, isDark, fine } = this.context;
    const rows = fine() ?? store.state.active.peek()?.rows.peek();
    if (width === 0 || rows === undefined) return;
    const { fromUs, toUs } = shownSpan(store.state);
    const [first, last] = [Math.max(0, rows.rowAt(fromUs)), rows.rowAt(toUs)];
    const count = Math.min(MAX_SAMPLES, last - first + 1);
    const found = this.panel.quantities.flatMap((name) => seriesOf(rows).get(name) ?? []);
    const isEmpty = count < 4 || found.length === 0;
    this.node.classList.toggle("empty", isEmpty);
    this.title.textContent = panelTitle(this.panel, (name) => seriesOf(rows).get(name)?.quantity.label ?? name);
    if (isEmpty) return this.clear();
    const stepS = (rows.timeUs(first + count - 1) - rows.timeUs(first)) / 1e6 / (count - 1);
    const spectra = found.map((series) => {
      const samples = Float64Array.from({ length: count }, (_, i) => series.at(first + i));
      return amplitudes(samples, stepS);
    });
    this.plot?.destroy();
    const data = [spectra[0]!.frequenciesHz, ...spectra.map(({ values }) => values)] as unknown as uPlot.AlignedData;
    const colours = found.map((_, i) => lineColour(i, isDark()));
    this.plot = new uPlot(options(width, this.place.clientHeight || 108, colours), data, this.place);
    this.unit.textContent = `${found[0]!.quantity.unit} over Hz`;
    this.legend.replaceChildren(
      ...found.map(({ quantity }, i) => {
        const key = element("i", "");
        key.style.borderTopColor = colours[i]!;
        return element("span", "entry", key, lineLabel(quantity));
      }),
    );
    this.node.setAttribute("aria-label", this.title.textContent);
  }

  /** Does nothing, because a spectrum belongs to a span, not to an instant. */
  move(): void {}

  dispose(): void {
    this.plot?.destroy();
  }

  private clear(): void {
    this.plot?.destroy();
    this.plot = undefined;
    this.unit.textContent = "";
    this.legend.replaceChildren();
  }
}

function options(width: number, height: number, colours: readonly string[]): uPlot.Options {
  const axis = {
    stroke: () => ink("quiet"),
    grid: { stroke: () => ink("line"), width: 1 },
    ticks: { show: false },
    font: "11px system-ui, sans-serif",
  };
  return {
    width,
    height,
    padding: [6, 4, 0, 0],
    cursor: { drag: { x: false, y: false }, points: { size: 4 }, y: false },
    legend: { show: false },
    scales: { x: { time: false }, y: { distr: 3, log: 10, range: decadeRange } },
    axes: [
      { ...axis, size: FREQUENCY_AXIS_PX, gap: 2 },
      {
        ...axis,
        size: AXIS_PX,
        gap: 4,
        grid: { ...axis.grid, filter: (_plot, splits) => splits.map((value) => (isPower(value) ? value : null)) },
        values: (_plot, splits) => decadeTexts(splits, height - FREQUENCY_AXIS_PX),
      },
    ],
    series: [{}, ...colours.map((stroke) => ({ stroke, width: 1.4, points: { show: false } }))],
  };
}

/** Labels the powers of ten, or only every second, third … of them if there is no room for all. */
function decadeTexts(splits: readonly number[], heightPx: number): string[] {
  const powers = splits.filter(isPower).map((value) => Math.round(Math.log10(value)));
  const stride = Math.max(1, Math.ceil((powers.length * LABEL_PX) / heightPx));
  return splits.map((value) => {
    const power = Math.round(Math.log10(value));
    return isPower(value) && (power - powers[0]!) % stride === 0 ? powerText(power) : "";
  });
}

/** Formats a power of ten, such as 10⁻⁴. */
function powerText(power: number): string {
  if (power === 0) return "1";
  const digits =
    power === 1 ? "" : String(power).replaceAll(/[-\d]/g, (digit) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(digit)]!);
  return `10${digits}`;
}

/** Whether a value is a power of ten. Only these have a line and a label. */
function isPower(value: number): boolean {
  const power = Math.log10(value);
  return Math.abs(power - Math.round(power)) < 1e-6;
}
