/**
 * One animation frame for the whole page: parts mark themselves as changed and are painted once, in a fixed order.
 *
 * Nothing is painted while nothing changes, so a paused page uses no processor time.
 */

/** In the order in which they are painted. */
const ORDER = ["scene", "hud", "timeline", "plots", "rest"] as const;
type PaintStage = (typeof ORDER)[number];

export class Frame {
  private readonly paints = new Map<PaintStage, Set<() => void>>(ORDER.map((stage) => [stage, new Set()]));
  private readonly dirty = new Set<() => void>();
  private request: number | undefined;
  /** Called before painting, with the time of the frame in ms. */
  private readonly ticks = new Set<(nowMs: number) => void>();

  /** Registers a part; the returned function asks for it to be painted. */
  part(stage: PaintStage, paint: () => void): () => void {
    this.paints.get(stage)!.add(paint);
    return () => {
      this.dirty.add(paint);
      this.ask();
    };
  }

  /** Calls `tick` at every frame until it is removed. */
  addTick(tick: (nowMs: number) => void): void {
    this.ticks.add(tick);
    this.ask();
  }

  removeTick(tick: (nowMs: number) => void): void {
    this.ticks.delete(tick);
  }

  private ask(): void {
    this.request ??= requestAnimationFrame((nowMs) => this.work(nowMs));
  }

  private work(nowMs: number): void {
    this.request = undefined;
    for (const tick of this.ticks) tick(nowMs);
    for (const stage of ORDER) {
      for (const paint of this.paints.get(stage)!) if (this.dirty.delete(paint)) paint();
    }
    if (this.ticks.size > 0 || this.dirty.size > 0) this.ask();
  }
}
