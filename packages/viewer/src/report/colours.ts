/** Okabe and Ito's colours: distinguishable without colour vision, one a rotor or axis. */
export const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#f0e442", "#999999"] as const;

export function colourOf(index: number): string {
  return COLOURS[index % COLOURS.length]!;
}

/** The page's own ink, for axes: follows dark and light. */
export function ink(): { text: string; grid: string } {
  const style = getComputedStyle(document.documentElement);
  return { text: style.getPropertyValue("--quiet").trim(), grid: style.getPropertyValue("--line").trim() };
}
