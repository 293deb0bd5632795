/**
 * Paints the whole page in one animation frame: parts that marked themselves as changed are painted once, in a fixed
 * order. While nothing changes, nothing is painted, so a paused page uses no processor time.
 *
 * Parts that changed only because rows arrived can wait: a frame paints some of them and the next frame paints the
 * others, so that the page stays responsive while a flight is flown.
 */

/** Painting order. */
const ORDER = ["scene", "hud", "timeline", "plots", "rest"] as const;
type PaintStage = (typeof ORDER)[number];
/**
 * Parts that can wait are painted for about `WAITING_PAINT_MS`, once per `WAITING_INTERVAL_MS`: at 60 Hz in every third
 * frame, about as often as rows arrive. Without a graphics card, copying what was painted to the screen takes longer
 * than painting it.
 */
const WAITING_PAINT_MS = 4;
const WAITING_INTERVAL_MS = 45;
/**
 * If a frame reaches these parts later than `BUSY_MS` after its start, because rows have arrived or other parts were
 * painted, it leaves them to the next frame. They wait at most `LONGEST_WAIT_MS`, however busy the frames are.
 */
const [BUSY_MS, LONGEST_WAIT_MS] = [4, 100];

/** Requests a repaint of a part in the next frame. */
interface RepaintRequest {
  (): void;
  /** Requests a repaint in one of the next frames. */
  soon(): void;
}

export class Frame {
  private readonly paints = new Map<PaintStage, Set<() => void>>(ORDER.map((stage) => [stage, new Set()]));
  private readonly dirty = new Set<() => void>();
  /** Parts that can wait; the one that has waited longest comes first. */
  private readonly waiting = new Set<() => void>();
  private waitingPaintedMs = -Infinity;
  private request: number | undefined;
  /** Functions that are called before painting, with the time of the frame in ms. */
  private readonly ticks = new Set<(nowMs: number) => void>();

  /** Registers a part. The returned function requests a repaint of it. */
  part(stage: PaintStage, paint: () => void): RepaintRequest {
    this.paints.get(stage)!.add(paint);
    const request = (parts: Set<() => void>) => () => {
      parts.add(paint);
      this.requestFrame();
    };
    return Object.assign(request(this.dirty), { soon: request(this.waiting) });
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
      for (const paint of this.paints.get(stage)!) {
        if (!this.dirty.delete(paint)) continue;
        this.waiting.delete(paint);
        paint();
      }
    }
    this.paintWaiting(nowMs);
    if (this.ticks.size > 0 || this.dirty.size > 0 || this.waiting.size > 0) this.requestFrame();
  }

  private paintWaiting(nowMs: number): void {
    const startMs = performance.now();
    const isBusy = startMs > nowMs + BUSY_MS;
    if (nowMs < this.waitingPaintedMs + (isBusy ? LONGEST_WAIT_MS : WAITING_INTERVAL_MS)) return;
    this.waitingPaintedMs = nowMs;
    const untilMs = startMs + WAITING_PAINT_MS;
    // A part that requests itself again waits for a later frame.
    const parts = Array.from(this.waiting);
    for (const paint of parts) {
      this.waiting.delete(paint);
      paint();
      if (performance.now() >= untilMs) return;
    }
  }
}
