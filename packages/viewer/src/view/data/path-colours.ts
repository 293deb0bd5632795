/** Colours along the path of a flight: one colour for the whole path, or by mode, speed or error. */
import { lineColour } from "../../shared/colours.ts";
import { modeColour } from "../../shared/modes.ts";
import type { PathColouring } from "../store/state.ts";
import type { ViewFlight } from "../store/view-flight.ts";

/** Colours from low to high values; neighbours also differ in lightness. */
const RAMPS = {
  dark: ["#3f6fe0", "#22a7c4", "#7ddc8a", "#ffd166", "#ff7a59"],
  light: ["#7fa8ff", "#1c86c8", "#00794f", "#946200", "#a61b1b"],
} as const;

const QUANTITIES: Partial<Readonly<Record<PathColouring, string>>> = { speed: "groundSpeed", error: "error" };

/** The quantity that the colours show, from 0 to `high`. */
interface PathScale {
  readonly high: number;
  readonly unit: string;
  readonly valueAt: (row: number) => number;
}

/** Returns the scale of a colouring; undefined if it does not show a quantity, or the flight lacks that quantity. */
export function pathScale(flight: ViewFlight, by: PathColouring): PathScale | undefined {
  const name = QUANTITIES[by];
  const series = name === undefined ? undefined : flight.series.peek().get(name);
  const range = series?.range({ fromUs: 0, toUs: Infinity });
  if (series === undefined || range === undefined) return undefined;
  return { high: Math.max(range[1], 1e-6), unit: series.quantity.unit, valueAt: (row) => series.at(row) };
}

/** Returns a function from row to colour; undefined if the whole path has the flight's colour. */
export function pathColourAt(
  flight: ViewFlight,
  by: PathColouring,
  isDark: boolean,
): ((row: number) => string) | undefined {
  if (by === "mode") {
    const rows = flight.rows.peek();
    const column = rows.place("navState");
    return column < 0 ? undefined : (row) => modeLine(rows.value(column, row), isDark);
  }
  const scale = pathScale(flight, by);
  return scale === undefined ? undefined : (row) => rampColour(scale.valueAt(row) / scale.high, isDark);
}

/** Returns the colour at a fraction of the ramp; NaN is treated as 0. */
function rampColour(fraction: number, isDark: boolean): string {
  const ramp = RAMPS[isDark ? "dark" : "light"];
  const at = Math.max(0, Math.min(1, Number.isNaN(fraction) ? 0 : fraction)) * (ramp.length - 1);
  const low = Math.min(ramp.length - 2, Math.floor(at));
  const channels = [1, 3, 5].map((i) => {
    const [from, to] = [ramp[low]!, ramp[low + 1]!].map((colour) => Number.parseInt(colour.slice(i, i + 2), 16));
    return Math.round(from! + (to! - from!) * (at - low));
  });
  return `rgb(${channels.join(",")})`;
}

/** Returns the ramp from low to high as a CSS gradient, for a legend. */
export function rampGradient(isDark: boolean): string {
  return `linear-gradient(90deg, ${RAMPS[isDark ? "dark" : "light"].join(", ")})`;
}

/** Returns the colour of a mode, bright enough for a thin line on a dark page. */
function modeLine(mode: number, isDark: boolean): string {
  const colours = Array.from({ length: 8 }, (_, i) => lineColour(i, false));
  const index = colours.indexOf(modeColour(mode));
  return lineColour(Math.max(0, index), isDark);
}
