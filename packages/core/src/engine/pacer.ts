/**
 * Keeps a flight to the wall clock, which whoever drives it hands over: it waits where the flight pauses, and never
 * changes a bit.
 *
 * Behind time it does not hurry to catch up more than a moment: after a pause of the machine the flight goes on at its
 * pace.
 */
const MOST_BEHIND_MS = 250;

export interface WallClock {
  nowMs(): number;
  sleep(ms: number): Promise<void>;
}

export class Pacer {
  private readonly factor: number;
  private readonly clock: WallClock;
  private anchorMs: number | undefined;
  private anchorUs = 0;

  /** @param factor flight seconds in a second; 0 never waits */
  constructor(factor: number, clock: WallClock) {
    this.factor = factor;
    this.clock = clock;
  }

  /** Boundaries between breaths: often enough to be smooth. */
  breathEvery(physicsPeriodS: number): number | undefined {
    if (this.factor === 0) return undefined;
    const periodS = physicsPeriodS > 0 ? physicsPeriodS : 0.004;
    return Math.max(1, Math.round((0.02 * this.factor) / periodS));
  }

  async keep(tUs: number): Promise<void> {
    if (this.factor === 0) return;
    const nowMs = this.clock.nowMs();
    if (this.anchorMs === undefined) this.anchor(nowMs, tUs);
    const aheadMs = this.anchorMs! + (tUs - this.anchorUs) / (1000 * this.factor) - nowMs;
    if (aheadMs < -MOST_BEHIND_MS) this.anchor(nowMs, tUs);
    else if (aheadMs >= 1) await this.clock.sleep(aheadMs);
  }

  private anchor(ms: number, tUs: number): void {
    this.anchorMs = ms;
    this.anchorUs = tUs;
  }
}
