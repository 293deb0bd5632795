/**
 * How much the scene draws. The page steps down when frames take long, and up only when the reader asks for everything.
 *
 * 4: everything; 3: a soft spot instead of a shadow; 2: thin lines, no anti-aliasing; 1: no 1 m lines, fewer pixels;
 * 0: a flat drawing without WebGL.
 */

export type Quality = 0 | 1 | 2 | 3 | 4;

export const FULL_QUALITY: Quality = 4;

/** A median frame longer than this is too long. */
const LONG_MS = 40;
/** Frames are judged together once they lasted this long. */
const JUDGED_MS = 2000;
/** And there are this many of them. */
const LEAST_FRAMES = 4;
/** A gap longer than this is a pause, not a frame. */
const PAUSE_MS = 1500;

export class QualityLadder {
  private readonly gapsMs: number[] = [];
  private lastMs: number | undefined;
  quality: Quality;

  constructor(start: Quality) {
    this.quality = start;
  }

  /** Notes a frame; returns true if the quality was stepped down. */
  note(nowMs: number): boolean {
    const gapMs = this.lastMs === undefined ? Infinity : nowMs - this.lastMs;
    this.lastMs = nowMs;
    if (gapMs > PAUSE_MS) return false;
    this.gapsMs.push(gapMs);
    const lastedMs = this.gapsMs.reduce((sum, each) => sum + each, 0);
    if (lastedMs < JUDGED_MS || this.gapsMs.length < LEAST_FRAMES) return false;
    const median = this.gapsMs.sort((a, b) => a - b)[this.gapsMs.length >> 1]!;
    this.gapsMs.length = 0;
    if (median <= LONG_MS || this.quality <= 1) return false;
    this.quality = (this.quality - 1) as Quality;
    return true;
  }
}

/** The quality to start with. Phones have no shadows. */
export function startQuality(): Quality {
  return matchMedia("(pointer: coarse)").matches ? 3 : FULL_QUALITY;
}

/** Device pixels per CSS pixel at a quality. */
export function pixelRatio(quality: Quality): number {
  const own = Math.min(window.devicePixelRatio || 1, 2);
  return quality <= 1 ? 0.75 * Math.min(own, 1) : own;
}
