/** Small line plots as SVG, readable on light and dark pages: lines for our results, points for published ones. */

interface Series {
  readonly name: string;
  readonly kind: "line" | "points";
  readonly at: readonly (readonly [x: number, y: number])[];
}

export interface LinePlot {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  readonly series: readonly Series[];
}

const [WIDTH, HEIGHT] = [560, 300];
const FRAME = { left: 58, right: 16, top: 30, bottom: 44 };
/** Colours that differ on white and on black, even for people with red–green colour blindness. */
const COLOURS = ["#1f77b4", "#e07b00", "#8a5bc7", "#2a9d8f"];
const STYLE =
  "text{font:12px sans-serif;fill:#333}.g{stroke:#8884}.a{stroke:#888;fill:none}" +
  "@media(prefers-color-scheme:dark){text{fill:#ddd}}";

/** Draws the plot as the text of an SVG file. */
export function linePlotSvg({ title, x, y, series }: LinePlot): string {
  const points = series.flatMap(({ at }) => at);
  const xs = axisOf(points.map(([value]) => value));
  const ys = axisOf(points.map(([, value]) => value));
  const px = (value: number) =>
    round(FRAME.left + ((value - xs.low) / (xs.high - xs.low)) * (WIDTH - FRAME.left - FRAME.right));
  const py = (value: number) =>
    round(HEIGHT - FRAME.bottom - ((value - ys.low) / (ys.high - ys.low)) * (HEIGHT - FRAME.top - FRAME.bottom));
  const [left, right, top, bottom] = [px(xs.low), px(xs.high), py(ys.high), py(ys.low)];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(title)}">`,
    `<style>${STYLE}</style>`,
    `<text x="${left}" y="18" font-weight="bold">${escaped(title)}</text>`,
    ...xs.ticks.flatMap((tick) => [
      `<path class="g" d="M${px(tick)} ${top}V${bottom}"/>`,
      `<text x="${px(tick)}" y="${bottom + 16}" text-anchor="middle">${tidy(tick)}</text>`,
    ]),
    ...ys.ticks.flatMap((tick) => [
      `<path class="g" d="M${left} ${py(tick)}H${right}"/>`,
      `<text x="${left - 6}" y="${py(tick) + 4}" text-anchor="end">${tidy(tick)}</text>`,
    ]),
    `<path class="a" d="M${left} ${top}V${bottom}H${right}"/>`,
    `<text x="${(left + right) / 2}" y="${HEIGHT - 8}" text-anchor="middle">${escaped(x)}</text>`,
    `<text transform="translate(14 ${(top + bottom) / 2}) rotate(-90)" text-anchor="middle">${escaped(y)}</text>`,
    ...series.flatMap((one, i) => seriesSvg(one, COLOURS[i % COLOURS.length]!, px, py)),
    ...legendSvg(
      series,
      points.map(([atX, atY]) => [px(atX), py(atY)]),
      { left, right, top, bottom },
    ),
    "</svg>",
    "",
  ].join("\n");
}

const LEGEND_WIDTH = 200;

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Draws the names of the series, in the corner with the fewest points. */
function legendSvg(series: readonly Series[], points: readonly (readonly number[])[], frame: Box): string[] {
  const height = 16 * series.length + 6;
  const corners = [
    { x: frame.right - LEGEND_WIDTH, y: frame.top },
    { x: frame.left + 8, y: frame.bottom - height },
    { x: frame.right - LEGEND_WIDTH, y: frame.bottom - height },
    { x: frame.left + 8, y: frame.top },
  ];
  const crowd = ({ x, y }: { x: number; y: number }) =>
    points.filter(([px, py]) => px! > x - 8 && px! < x + LEGEND_WIDTH && py! > y - 8 && py! < y + height + 8).length;
  const { x, y } = corners.reduce((best, corner) => (crowd(corner) < crowd(best) ? corner : best));
  return series.flatMap(({ name, kind }, i) => {
    const [at, colour] = [y + 16 + 16 * i, COLOURS[i % COLOURS.length]!];
    const mark =
      kind === "line"
        ? `<path d="M${x} ${at - 4}h18" stroke="${colour}" stroke-width="2"/>`
        : `<circle cx="${x + 9}" cy="${at - 4}" r="3" fill="${colour}"/>`;
    return [mark, `<text x="${x + 24}" y="${at}">${escaped(name)}</text>`];
  });
}

type Scale = (value: number) => number;

function seriesSvg({ kind, at }: Series, colour: string, px: Scale, py: Scale): string[] {
  if (kind === "points") return at.map(([x, y]) => `<circle cx="${px(x)}" cy="${py(y)}" r="2.5" fill="${colour}"/>`);
  const path = at.map(([x, y], i) => `${i === 0 ? "M" : "L"}${px(x)} ${py(y)}`).join("");
  return [`<path d="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`];
}

/** Returns five to ten round ticks around the values. */
function axisOf(values: readonly number[]): { low: number; high: number; ticks: number[] } {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const raw = (most - least) / 5;
  const size = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * size).find((candidate) => candidate >= raw)!;
  const [first, last] = [Math.floor(least / step + 1e-9), Math.ceil(most / step - 1e-9)];
  const ticks = Array.from({ length: last - first + 1 }, (_, k) => (first + k) * step);
  return { low: ticks[0]!, high: ticks.at(-1)!, ticks };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function tidy(value: number): string {
  return String(Number(value.toPrecision(6)));
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
