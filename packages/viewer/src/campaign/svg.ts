/** Small SVG drawings: lines over time, confidence intervals, histograms, and the levels of splitting. */
import { shortNumber, withUnit } from "@escapement/formats/campaigns";
import type { Histogram } from "./histogram.ts";

type Attributes = Readonly<Record<string, string | number>>;

function svg(tag: string, attributes: Attributes, ...children: readonly Node[]): SVGElement {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

function picture(width: number, height: number, label: string, ...children: readonly Node[]): SVGElement {
  const box = { viewBox: `0 0 ${width} ${height}`, width, height };
  return svg("svg", { ...box, role: "img", "aria-label": label }, ...children);
}

function text(x: number, y: number, anchor: string, value: string): SVGElement {
  const node = svg("text", { x, y, "text-anchor": anchor });
  node.textContent = value;
  return node;
}

interface IntervalParts {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
  readonly limit: number | null;
  /** Range of the quantity if it is bounded, as a probability is. */
  readonly bounds?: readonly [number, number];
  readonly label: string;
}

const SKETCH = { width: 300, height: 64 } as const;

/** Draws a line over time, with a mark at an instant. */
export function sketchPicture(
  timesS: readonly number[],
  values: readonly number[],
  { name, unit, atS }: { readonly name: string; readonly unit: string; readonly atS: number | null },
): SVGElement {
  const { width, height } = SKETCH;
  const [top, bottom] = [14, height - 14];
  const [least, most] = [Math.min(0, ...values), Math.max(...values)];
  const endS = timesS.at(-1) || 1;
  const x = (tS: number) => (width * tS) / endS;
  const y = (value: number) => bottom - ((bottom - top) * (value - least)) / (most - least || 1);
  const points = values.map((value, i) => `${x(timesS[i]!).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
  const largest = withUnit(shortNumber(most), unit);
  const at =
    atS === null ? [] : [svg("line", { class: "instant", x1: x(atS), x2: x(atS), y1: top - 2, y2: bottom + 2 })];
  return picture(
    width,
    height,
    `${name} over time, up to ${largest}${atS === null ? "" : `; decided at ${atS.toFixed(1)} s`}`,
    svg("line", { class: "rail", x1: 0, x2: width, y1: y(0), y2: y(0) }),
    svg("polyline", { class: "sketch", points }),
    ...at,
    text(0, 10, "start", `${name}, up to ${largest}`),
    text(width, height - 2, "end", `${endS.toFixed(0)} s`),
  );
}

const INTERVAL = { width: 240, height: 26, y: 13 } as const;

/** Draws a bar from the lower to the upper bound, a dot at the estimate, and a line at the limit. */
export function intervalPicture({ estimate, low, high, limit, bounds, label }: IntervalParts): SVGElement {
  const { width, height, y } = INTERVAL;
  const ends = [low, high, estimate, ...(limit === null ? [] : [limit])].filter((value) => Number.isFinite(value));
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const room = 0.15 * (most - least) || 0.1 * Math.abs(most) || 1;
  const from = Math.max(least - room, bounds?.[0] ?? -Infinity);
  const to = Math.min(most + room, bounds?.[1] ?? Infinity);
  const x = (value: number) => 6 + ((width - 12) * (Math.min(to, Math.max(from, value)) - from)) / (to - from);
  return picture(
    width,
    height,
    label,
    svg("line", { class: "rail", x1: 6, x2: width - 6, y1: y, y2: y }),
    svg("rect", { class: "interval", x: x(low), y: y - 4, width: Math.max(2, x(high) - x(low)), height: 8, rx: 2 }),
    ...(limit === null ? [] : [svg("line", { class: "limit", x1: x(limit), x2: x(limit), y1: 2, y2: height - 2 })]),
    svg("circle", { class: "estimate", cx: x(estimate), cy: y, r: 5 }),
  );
}

const HISTOGRAM = { width: 240, height: 40, bars: 26 } as const;

/** Draws the margins as bars, with a line at zero. Bars to its left are violations. */
export function histogramPicture({ from, step, counts }: Histogram, unit: string, name: string): SVGElement {
  const { width, height, bars } = HISTOGRAM;
  const to = from + step * counts.length;
  const [least, most] = [Math.min(from, 0), Math.max(to, 0)];
  const x = (value: number) => (width * (value - least)) / (most - least || 1);
  const highest = Math.max(1, ...counts);
  const barWidth = Math.max(1, x(from + step) - x(from) - 1);
  const below = counts.reduce((sum, count, i) => sum + (from + step * (i + 0.5) < 0 ? count : 0), 0);
  const range = `${shortNumber(from)} to ${shortNumber(to)} ${unit}`.trim();
  const label = `margins of ${name}: ${range}; ${below} below zero`;
  const zeroX = Math.min(width - 1, Math.max(1, x(0)));
  // Omit a label that would touch the label at zero.
  const endLabels = [
    ...(zeroX > 44 ? [text(0, height - 2, "start", shortNumber(least).replace("-", "−"))] : []),
    ...(width - zeroX > 60
      ? [text(width, height - 2, "end", withUnit(shortNumber(most).replace("-", "−"), unit))]
      : []),
  ];
  const zeroAnchor = zeroX < 12 ? "start" : zeroX > width - 12 ? "end" : "middle";
  return picture(
    width,
    height,
    label,
    ...counts.map((count, i) => {
      const size = count === 0 ? 0 : Math.max(1.5, (bars * count) / highest);
      const left = from + step * i;
      const side = left + step / 2 < 0 ? "below" : "above";
      return svg("rect", { class: side, x: x(left), y: bars - size, width: barWidth, height: size });
    }),
    svg("line", { class: "zero", x1: zeroX, x2: zeroX, y1: 0, y2: bars + 3 }),
    text(zeroX, height - 2, zeroAnchor, "0"),
    ...endLabels,
  );
}

const DESCENT = { width: 640, height: 240, left: 48, right: 12, top: 12, bottom: 34 } as const;

/**
 * Draws one line per run of splitting: the probability, on a logarithmic axis, over the margin, which is 0 at the right
 * edge.
 */
export function descentPicture(
  runs: readonly {
    readonly probability: number;
    readonly levels: readonly { readonly margin: number; readonly probability: number }[];
  }[],
): SVGElement {
  const { width, height, left, right, top, bottom } = DESCENT;
  const lines = runs.map(({ levels, probability }) =>
    [...levels, { margin: 0, probability }].filter((point) => point.probability > 0),
  );
  const points = lines.flat();
  const most = Math.max(1e-9, ...points.map(({ margin }) => margin));
  const decades = Math.max(1, Math.ceil(-Math.log10(Math.min(1, ...points.map((point) => point.probability)))));
  const x = (margin: number) => left + ((width - left - right) * (most - margin)) / most;
  const y = (probability: number) => top + ((height - top - bottom) * -Math.log10(probability)) / decades;
  const everyDecades = Math.ceil(decades / 6);
  const ticks = Array.from({ length: Math.floor(decades / everyDecades) + 1 }, (_, i) => i * everyDecades);
  return picture(
    width,
    height,
    `probability of a margin below a level, for ${runs.length} runs of splitting`,
    ...ticks.flatMap((decade) => [
      svg("line", { class: "rail", x1: left, x2: width - right, y1: y(10 ** -decade), y2: y(10 ** -decade) }),
      text(left - 6, y(10 ** -decade) + 4, "end", decade === 0 ? "1" : `1e−${decade}`),
    ]),
    ...lines.map((line) =>
      svg("polyline", {
        class: "sketch",
        points: line.map(({ margin, probability }) => `${x(margin).toFixed(1)},${y(probability).toFixed(1)}`).join(" "),
      }),
    ),
    text(left, height - 16, "start", `margin ${shortNumber(most)} scales`),
    text(width - right, height - 16, "end", "0: violated"),
  );
}
