/**
 * The drawing quality of the scene. It is reduced when frames take long, and only the reader can raise it again.
 *
 * 4: everything; 3: a soft spot below each vehicle instead of its shadow; 2: thin lines; 1: no 1 m lines, fewer pixels;
 * 0: a flat drawing without WebGL.
 */

export type Quality = 0 | 1 | 2 | 3 | 4;

export const FULL_QUALITY: Quality = 4;

/** The quality is reduced if the median frame takes longer than this. */
const MAX_FRAME_MS = 40;
/** The median is taken over frames that together last at least this long. */
const MEDIAN_SPAN_MS = 2000;
/** The median is taken over at least this many frames. */
const MIN_FRAMES = 4;
/** A gap longer than this is a pause, not a frame. */
const PAUSE_MS = 1500;

export class QualityLadder {
  private readonly gapsMs: number[] = [];
  private lastMs: number | undefined;
  quality: Quality;

  constructor(start: Quality) {
    this.quality = start;
  }

  /** Records a frame, and returns true if the quality was reduced. */
  recordFrame(nowMs: number): boolean {
    const gapMs = this.lastMs === undefined ? Infinity : nowMs - this.lastMs;
    this.lastMs = nowMs;
    if (gapMs > PAUSE_MS) return false;
    this.gapsMs.push(gapMs);
    const lastedMs = this.gapsMs.reduce((sum, each) => sum + each, 0);
    if (lastedMs < MEDIAN_SPAN_MS || this.gapsMs.length < MIN_FRAMES) return false;
    const median = this.gapsMs.sort((a, b) => a - b)[this.gapsMs.length >> 1]!;
    this.gapsMs.length = 0;
    if (median <= MAX_FRAME_MS || this.quality <= 1) return false;
    this.quality = (this.quality - 1) as Quality;
    return true;
  }
}

/** Returns the initial quality, which has no shadows on phones. */
export function startQuality(): Quality {
  return matchMedia("(pointer: coarse)").matches ? 3 : FULL_QUALITY;
}

/** Returns the rendered pixels per CSS pixel at a quality. */
export function pixelRatio(quality: Quality): number {
  const screenRatio = Math.min(window.devicePixelRatio || 1, 2);
  return quality <= 1 ? 0.75 * Math.min(screenRatio, 1) : screenRatio;
}
