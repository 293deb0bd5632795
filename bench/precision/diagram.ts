/**
 * Draws the work–precision diagram as SVG: processor time against the largest error in a second, one line per method.
 */
import type { PrecisionPoint } from "./points.ts";

const WIDTH = 720;
const HEIGHT = 420;
const LEFT = 78;
const RIGHT = 96;
const TOP = 40;
const BOTTOM = 56;
const COLOURS: Readonly<Record<string, string>> = {
  rk4: "#8a6d3b",
  rk23: "#6b7280",
  rk43: "#0b6e4f",
  rk45: "#1d4ed8",
};

interface Axis {
  readonly ticks: readonly number[];
  readonly at: (value: number) => number;
}

/** Makes a logarithmic axis with ticks at powers of ten, or at 1, 2, 5 … if the values span less than two decades. */
function logAxis(values: readonly number[], from: number, to: number): Axis {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const powers = range(Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))).map((power) => 10 ** power);
  const isNarrow = high / low < 100;
  const all = isNarrow ? powers.flatMap((power) => [power, 2 * power, 5 * power]) : powers;
  const first = all.filter((tick) => tick <= low).at(-1)!;
  const last = all.find((tick) => tick >= high)!;
  const [least, span] = [Math.log(first), Math.log(last / first)];
  const ticks = all.filter((tick) => tick >= first && tick <= last);
  return { ticks, at: (value) => from + ((Math.log(value) - least) / span) * (to - from) };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

const text = (x: number, y: number, content: string, attributes = "") =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${attributes}>${content}</text>`;

/** Draws the errors through take-off and landing, which differ most between the settings. */
export function diagram(vehicle: string, points: readonly PrecisionPoint[]): string {
  const x = logAxis(
    points.map(({ cpuUsPerS }) => cpuUsPerS / 1000),
    LEFT,
    WIDTH - RIGHT,
  );
  const y = logAxis(
    points.map(({ ground }) => ground.positionM),
    HEIGHT - BOTTOM,
    TOP,
  );
  const methods = [...new Set(points.map(({ method }) => method))];
  const lines = methods.map((method) => {
    const curve = points
      .filter((point) => point.method === method)
      .map(({ cpuUsPerS, ground }) => [x.at(cpuUsPerS / 1000), y.at(ground.positionM)] as const);
    const colour = COLOURS[method] ?? "#333333";
    const [lastX, lastY] = curve.at(-1)!;
    return [
      `<polyline points="${curve.map((place) => place.map((each) => each.toFixed(1)).join(",")).join(" ")}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      ...curve.map(([cx, cy]) => `<circle cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="4" fill="${colour}"/>`),
      text(lastX + 9, lastY + 4, method, `fill="${colour}"`),
    ].join("\n");
  });
  const grid = [
    ...x.ticks.map(
      (tick) =>
        `<line x1="${x.at(tick).toFixed(1)}" y1="${TOP}" x2="${x.at(tick).toFixed(1)}" y2="${HEIGHT - BOTTOM}"/>`,
    ),
    ...y.ticks.map(
      (tick) =>
        `<line x1="${LEFT}" y1="${y.at(tick).toFixed(1)}" x2="${WIDTH - RIGHT}" y2="${y.at(tick).toFixed(1)}"/>`,
    ),
  ];
  const labels = [
    ...x.ticks.map((tick) => text(x.at(tick), HEIGHT - BOTTOM + 18, String(tick), 'text-anchor="middle"')),
    ...y.ticks.map((tick) => text(LEFT - 8, y.at(tick) + 4, tick.toExponential(0), 'text-anchor="end"')),
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, "processor time per second of flight (ms)", 'text-anchor="middle"'),
    text(12, TOP - 16, `${vehicle}: largest position error in a second of take-off or landing (m)`),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="13" fill="#222222">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    `<g stroke="#dddddd" stroke-width="1">\n${grid.join("\n")}\n</g>`,
    ...labels,
    ...lines,
    "</svg>",
    "",
  ].join("\n");
}
