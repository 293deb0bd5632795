/** The flight mode as a chip: white on the mode's colour, darkened until the text is readable. */
import { element } from "../../shared/elements.ts";
import { modeColour, modeName } from "../../shared/modes.ts";

export class ModeChip {
  readonly node = element("p", "mode");
  private mode = Number.NaN;

  show(mode: number): void {
    if (mode === this.mode) return;
    this.mode = mode;
    this.node.textContent = modeName(mode);
    this.node.style.background = readable(modeColour(mode));
  }
}

/** A contrast of 4.5 : 1 with white needs a luminance of at most this. */
const MOST_LUMINANCE = 1.05 / 4.6 - 0.05;

/** Darkens a colour until white text on it is readable. */
export function readable(colour: string): string {
  let rgb = [1, 3, 5].map((i) => Number.parseInt(colour.slice(i, i + 2), 16));
  while (luminance(rgb) > MOST_LUMINANCE) rgb = rgb.map((value) => value * 0.96);
  return `rgb(${rgb.map(Math.round).join(" ")})`;
}

function luminance(rgb: readonly number[]): number {
  const [r, g, b] = rgb.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
