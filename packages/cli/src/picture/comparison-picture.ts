/** Draws the position errors of a comparison over time, on a logarithmic scale. */
import type { ReplayComparison } from "@escapement/core";
import { decadeAxis, grid, linearAxis, scale } from "./axes.ts";
import { type Drawing, label, type Line, PALETTE } from "./drawing.ts";

const WIDTH = 900;
const HEIGHT = 440;
const PLOT = { left: 70, right: 700, top: 50, bottom: HEIGHT - 60 };
/** Smaller errors are drawn at this value. */
const FLOOR = 1e-14;
/** Longer lines are downsampled to about this many points. */
const TARGET_POINTS = 1500;

export function comparisonPicture({ rows, timesUs, reference }: ReplayComparison): Drawing {
  const title = `position error against ${reference}`;
  const series = rows.map(({ label: name, series: all }) => ({
    name,
    logs: Array.from(all.position ?? [], (value) => Math.log10(Math.max(FLOOR, value))),
  }));
  let [low, high] = [0, -Infinity];
  for (const { logs } of series) {
    for (const value of logs) [low, high] = [Math.min(low, Math.floor(value)), Math.max(high, Math.ceil(value))];
  }
  const x = scale(0, Math.max(timesUs[timesUs.length - 1] ?? 0, 1) / 1e6, PLOT.left, PLOT.right);
  const y = scale(low, Math.max(high, low + 1), PLOT.bottom, PLOT.top);
  const lines = series.map(({ logs }, i): Line => {
    const stride = Math.max(1, Math.floor(logs.length / TARGET_POINTS));
    const points = logs.flatMap((value, k) =>
      k % stride === 0 ? [x.toPixel(timesUs[k]! / 1e6), y.toPixel(value)] : [],
    );
    return { shape: "line", points, colour: colourOf(i), width: 1.6 };
  });
  const names = series.map(({ name }, i) =>
    label(PLOT.right + 12, PLOT.top + 16 + 20 * i, name, 13, "start", colourOf(i)),
  );
  return {
    width: WIDTH,
    height: HEIGHT,
    background: "#ffffff",
    title,
    shapes: [
      label(PLOT.left, 24, title, 14, "start"),
      ...grid(linearAxis(x, "time (s)", 8), decadeAxis(y, "m")),
      ...lines,
      ...names,
    ],
  };
}

function colourOf(index: number): string {
  return PALETTE[index % PALETTE.length]!;
}
