/**
 * Paces a flight by the wall clock: sleeps at its pauses. It never changes a bit.
 *
 * The driver passes the clock in, because the core reads none. A flight that falls behind catches up by at most 250 ms.
 * So after the machine was suspended, the flight continues at its normal pace.
 */
const MAX_BEHIND_MS = 250;

export interface WallClock {
  nowMs(): number;
  sleep(ms: number): Promise<void>;
}

export class Pacer {
  private readonly factor: number;
  private readonly clock: WallClock;
  private anchorMs: number | undefined;
  private anchorUs = 0;

  /** @param factor flight seconds per second of the wall clock; with 0 it never waits */
  constructor(factor: number, clock: WallClock) {
    this.factor = factor;
    this.clock = clock;
  }

  /** Boundaries between `yield` pauses, for about 50 pauses per second of wall-clock time; undefined without a pace. */
  yieldEvery(physicsPeriodS: number): number | undefined {
    if (this.factor === 0) return undefined;
    const periodS = physicsPeriodS > 0 ? physicsPeriodS : 0.004;
    return Math.max(1, Math.round((0.02 * this.factor) / periodS));
  }

  /** Sleeps until the wall clock reaches this time of the flight. */
  async waitUntil(tUs: number): Promise<void> {
    if (this.factor === 0) return;
    const nowMs = this.clock.nowMs();
    if (this.anchorMs === undefined) this.anchor(nowMs, tUs);
    const aheadMs = this.anchorMs! + (tUs - this.anchorUs) / (1000 * this.factor) - nowMs;
    if (aheadMs < -MAX_BEHIND_MS) this.anchor(nowMs, tUs);
    else if (aheadMs >= 1) await this.clock.sleep(aheadMs);
  }

  private anchor(ms: number, tUs: number): void {
    this.anchorMs = ms;
    this.anchorUs = tUs;
  }
}
