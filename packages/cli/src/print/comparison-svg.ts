/** Position errors of a comparison over time, on a logarithmic scale, as one SVG. */
import type { ReplayComparison } from "@escapement/core";

const WIDTH = 900;
const HEIGHT = 420;
const MARGIN = { left: 70, right: 180, top: 20, bottom: 40 };
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999"];
/** Smaller errors are drawn at this value. */
const FLOOR = 1e-14;

export function comparisonSvg({ rows, timesUs, reference }: ReplayComparison): string {
  const series = rows.map(({ label, series: all }) => ({ label, values: all.position ?? new Float64Array(0) }));
  const all = series.flatMap(({ values }) => Array.from(values, (value) => Math.log10(Math.max(FLOOR, value))));
  const low = Math.floor(Math.min(...all, 0));
  const high = Math.ceil(Math.max(...all, low + 1));
  const endUs = timesUs[timesUs.length - 1] ?? 1;
  const x = (tUs: number) => MARGIN.left + ((WIDTH - MARGIN.left - MARGIN.right) * tUs) / endUs;
  const y = (value: number) =>
    HEIGHT -
    MARGIN.bottom -
    ((HEIGHT - MARGIN.top - MARGIN.bottom) * (Math.log10(Math.max(FLOOR, value)) - low)) / (high - low);
  const grid = Array.from({ length: high - low + 1 }, (_, i) => {
    const at = y(10 ** (low + i)).toFixed(1);
    return `<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${at}" y2="${at}" class="grid"/><text x="${MARGIN.left - 8}" y="${at}" class="tick">1e${low + i}</text>`;
  });
  const lines = series.map(({ label, values }, i) => {
    const stride = Math.max(1, Math.floor(values.length / 1500));
    const points = Array.from(values, (value, k) => `${x(timesUs[k]!).toFixed(1)},${y(value).toFixed(1)}`).filter(
      (_, k) => k % stride === 0,
    );
    const colour = COLOURS[i % COLOURS.length]!;
    return `<polyline points="${points.join(" ")}" fill="none" stroke="${colour}" stroke-width="1.6"/><text x="${WIDTH - MARGIN.right + 12}" y="${MARGIN.top + 16 + 20 * i}" fill="${colour}">${escaped(label)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="13">`,
    "<style>.grid{stroke:#ccc}.tick{text-anchor:end;dominant-baseline:middle;fill:#555}</style>",
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    ...grid,
    ...lines,
    `<text x="${MARGIN.left}" y="${HEIGHT - 10}" fill="#555">position error (m) over ${(endUs / 1e6).toFixed(1)} s, against ${escaped(reference)}</text>`,
    "</svg>",
    "",
  ].join("\n");
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
