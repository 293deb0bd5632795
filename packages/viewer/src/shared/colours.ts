/** Okabe and Ito's colours: distinguishable without colour vision, one per rotor or axis. */
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31", "#999999"] as const;

export function colourOf(index: number): string {
  return COLOURS[index % COLOURS.length]!;
}

/** Dashes that distinguish the flights of a page in print and without colour vision; the first is drawn solid. */
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

/** The letter of a flight on a page of several. */
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
