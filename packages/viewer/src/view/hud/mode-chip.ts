/** Shows the flight mode as white text on the mode's colour, which is darkened until the text is readable. */
import { element } from "../../shared/elements.ts";
import { modeColour, modeName } from "../../shared/modes.ts";

export class ModeChip {
  readonly node = element("p", "mode");
  private mode = Number.NaN;

  show(mode: number): void {
    if (mode === this.mode) return;
    this.mode = mode;
    this.node.textContent = modeName(mode);
    this.node.style.background = darkenForWhite(modeColour(mode));
  }
}

/** Below this luminance, the contrast with white is above 4.5 : 1. */
const MAX_LUMINANCE = 1.05 / 4.6 - 0.05;

/** Darkens a colour until white text on it is readable. */
export function darkenForWhite(colour: string): string {
  let rgb = [1, 3, 5].map((i) => Number.parseInt(colour.slice(i, i + 2), 16));
  while (luminance(rgb) > MAX_LUMINANCE) rgb = rgb.map((value) => value * 0.96);
  return `rgb(${rgb.map(Math.round).join(" ")})`;
}

function luminance(rgb: readonly number[]): number {
  const [r, g, b] = rgb.map((value) => {
    const channel = value / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
