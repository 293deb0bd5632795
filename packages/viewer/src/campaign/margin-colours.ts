/**
 * Colours of margins: shades of the warning colour for violations, and from grey to blue above zero. The shape of a
 * point shows its verdict too.
 */
import { ink } from "../shared/colours.ts";
import { finiteRange } from "./axes.ts";

type Rgb = readonly [number, number, number];

const STEPS = 16;
/** Fraction of grey in the smallest violation. Pure grey would hide it among the flights that nearly violate. */
const MOST_GREY = 0.4;

export interface MarginColours {
  /** Returns the colour of a margin; NaN means that there is none. */
  of(margin: number): string;
  /** Colours from the worst to the best margin, for the legend. */
  readonly ramp: readonly string[];
  /** Absolute values of the margins at both ends of the ramp. */
  readonly reach: readonly [below: number, above: number];
}

export function marginColours(margins: Float64Array): MarginColours {
  const [low, high] = finiteRange(margins);
  const reach: [number, number] = [Math.max(0, -low), Math.max(0, high)];
  const grey = rgbOf(ink("quiet"));
  const bad = rgbOf(ink("trouble"));
  const good = rgbOf(ink("accent"));
  const none = ink("quiet");
  const below = shades(bad, mix(bad, grey, MOST_GREY));
  const above = shades(grey, good);
  return {
    of: (margin) => {
      if (Number.isNaN(margin)) return none;
      const isBelow = margin < 0;
      const fraction = Math.min(1, Math.abs(margin) / (reach[isBelow ? 0 : 1] || 1));
      return isBelow ? below[Math.round((STEPS - 1) * (1 - fraction))]! : above[Math.round((STEPS - 1) * fraction)]!;
    },
    ramp: [...(reach[0] > 0 ? below : []), ...(reach[1] > 0 ? above : [])],
    reach,
  };
}

/** Returns the shades from one colour to another, both included. */
function shades(from: Rgb, to: Rgb): string[] {
  return Array.from({ length: STEPS }, (_, i) => {
    return `rgb(${mix(from, to, i / (STEPS - 1))
      .map(Math.round)
      .join(" ")})`;
  });
}

function mix(from: Rgb, to: Rgb, fraction: number): Rgb {
  return from.map((value, channel) => value + fraction * (to[channel]! - value)) as unknown as Rgb;
}

/** Parses "#rrggbb". */
function rgbOf(colour: string): Rgb {
  const [r = "80", g = "80", b = "80"] = /^#(..)(..)(..)$/.exec(colour)?.slice(1) ?? [];
  return [parseInt(r, 16), parseInt(g, 16), parseInt(b, 16)];
}
