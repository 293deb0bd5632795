/**
 * Paints the whole page in one animation frame: parts that marked themselves as changed are painted once, in a fixed
 * order. While nothing changes, nothing is painted, so a paused page uses no processor time.
 */

/** Painting order. */
const ORDER = ["scene", "hud", "timeline", "plots", "rest"] as const;
type PaintStage = (typeof ORDER)[number];

export class Frame {
  private readonly paints = new Map<PaintStage, Set<() => void>>(ORDER.map((stage) => [stage, new Set()]));
  private readonly dirty = new Set<() => void>();
  private request: number | undefined;
  /** Functions that are called before painting, with the time of the frame in ms. */
  private readonly ticks = new Set<(nowMs: number) => void>();

  /** Registers a part. The returned function requests a repaint of it. */
  part(stage: PaintStage, paint: () => void): () => void {
    this.paints.get(stage)!.add(paint);
    return () => {
      this.dirty.add(paint);
      this.requestFrame();
    };
  }

  /** Calls `tick` at every frame until it is removed. */
  addTick(tick: (nowMs: number) => void): void {
    this.ticks.add(tick);
    this.requestFrame();
  }

  removeTick(tick: (nowMs: number) => void): void {
    this.ticks.delete(tick);
  }

  private requestFrame(): void {
    this.request ??= requestAnimationFrame((nowMs) => this.work(nowMs));
  }

  private work(nowMs: number): void {
    this.request = undefined;
    for (const tick of this.ticks) tick(nowMs);
    for (const stage of ORDER) {
      for (const paint of this.paints.get(stage)!) if (this.dirty.delete(paint)) paint();
    }
    if (this.ticks.size > 0 || this.dirty.size > 0) this.requestFrame();
  }
}
