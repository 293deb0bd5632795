/** Colours of rotors and axes, after Okabe and Ito: readers with colour blindness can distinguish them. */
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31", "#999999"] as const;

export function colourOf(index: number): string {
  return COLOURS[index % COLOURS.length]!;
}

/** Colours of flights, bright on a dark page and dark on a light one, so that thin lines have enough contrast. */
const FLIGHT_COLOURS = {
  dark: ["#4fc3ff", "#ff9f57", "#c79bff", "#7ddc8a", "#ffd166", "#ff8fb1", "#8fe3d9", "#b8c4d0"],
  light: ["#0072b2", "#c25200", "#8a3fb0", "#00794f", "#946200", "#b8336a", "#0b7a75", "#5a6672"],
} as const;
/** Colours of the lines of a plot on a dark page; a light page uses `colourOf`. */
const DARK_LINES = ["#3d9be9", "#ee7733", "#22ac86", "#d98bbd", "#e6ab2e", "#6ec6f5", "#b08d4a", "#a8b0b8"] as const;

export function flightColour(slot: number, isDark: boolean): string {
  const colours = FLIGHT_COLOURS[isDark ? "dark" : "light"];
  return colours[slot % colours.length]!;
}

export function lineColour(index: number, isDark: boolean): string {
  return isDark ? DARK_LINES[index % DARK_LINES.length]! : colourOf(index);
}

/** Dash patterns that distinguish flights without colour, for example in print; the first flight is solid. */
const DASHES: readonly (readonly number[])[] = [
  [],
  [7, 4],
  [2, 3],
  [10, 3, 2, 3],
  [4, 2],
  [14, 5],
  [1, 5],
  [9, 2, 2, 2, 2, 2],
];

export function dashOf(flight: number): readonly number[] {
  return DASHES[flight % DASHES.length]!;
}

/** Returns the letter of a flight on a page of several. */
export function letterOf(flight: number): string {
  return String.fromCharCode("a".charCodeAt(0) + flight);
}

/** Colours of the page itself, which depend on dark mode, light mode and print. */
type InkName =
  | "bg"
  | "panel"
  | "raised"
  | "line"
  | "text"
  | "quiet"
  | "accent"
  | "good"
  | "trouble"
  | "warn"
  | "limit"
  | "fault"
  | "gust"
  | "saturation";

export function ink(name: InkName): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
