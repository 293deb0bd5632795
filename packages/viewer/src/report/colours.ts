/** Okabe and Ito's colours: distinguishable without colour vision, one per rotor or axis. */
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31", "#999999"] as const;

export function colourOf(index: number): string {
  return COLOURS[index % COLOURS.length]!;
}

/** Colours of the page itself, which depend on dark mode, light mode and print. */
type InkName = "text" | "quiet" | "line" | "paper" | "fault" | "gust" | "saturation" | "trouble";

export function ink(name: InkName): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
