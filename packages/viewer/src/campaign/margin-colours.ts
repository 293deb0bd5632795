/** Colours of margins: from the warning colour through grey to blue. Verdicts also differ in shape, not only in colour. */
import { ink } from "../shared/colours.ts";
import { finiteRange } from "./axes.ts";

type Rgb = readonly [number, number, number];

const STEPS = 16;

export interface MarginColours {
  /** The colour of a margin; NaN: no margin. */
  of(margin: number): string;
  /** From the worst to the best, for the legend. */
  readonly ramp: readonly string[];
  /** Largest size of a margin that the ramp distinguishes. */
  readonly reach: readonly [below: number, above: number];
}

export function marginColours(margins: Float64Array): MarginColours {
  const [low, high] = finiteRange(margins);
  const reach: [number, number] = [Math.max(0, -low), Math.max(0, high)];
  const grey = rgbOf(ink("quiet"));
  const bad = rgbOf(ink("trouble"));
  const good = rgbOf(ink("accent"));
  const none = ink("quiet");
  const below = shades(bad, grey);
  const above = shades(grey, good);
  return {
    of: (margin) => {
      if (Number.isNaN(margin)) return none;
      const isBelow = margin < 0;
      const share = Math.min(1, Math.abs(margin) / (reach[isBelow ? 0 : 1] || 1));
      return isBelow ? below[Math.round((STEPS - 1) * (1 - share))]! : above[Math.round((STEPS - 1) * share)]!;
    },
    ramp: [...(reach[0] > 0 ? below : []), ...(reach[1] > 0 ? above : [])],
    reach,
  };
}

/** Shades from one colour to another; the first and the last are mixed so that they stay visible. */
function shades(from: Rgb, to: Rgb): string[] {
  return Array.from({ length: STEPS }, (_, i) => {
    const share = i / (STEPS - 1);
    const mixed = from.map((value, channel) => Math.round(value + share * (to[channel]! - value)));
    return `rgb(${mixed.join(" ")})`;
  });
}

/** Reads "#rrggbb". */
function rgbOf(colour: string): Rgb {
  const [r = "80", g = "80", b = "80"] = /^#(..)(..)(..)$/.exec(colour)?.slice(1) ?? [];
  return [parseInt(r, 16), parseInt(g, 16), parseInt(b, 16)];
}
