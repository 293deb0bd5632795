/**
 * Derives from the wall times of flights how many flights a lane should have queued, and the time limit of a flight.
 */
import type { FleetLimits } from "./contracts.ts";

const KEPT_TIMES = 256;
/** Wall time of the flights that a lane should have queued. */
const AHEAD_MS = 500;
const MAX_AHEAD = 32;

export class Pace {
  private readonly limits: FleetLimits;
  private readonly times: number[] = [];
  private next = 0;
  /** Median of the latest times; 0 before the first. */
  medianMs = 0;

  constructor(limits: FleetLimits) {
    this.limits = limits;
  }

  add(ms: number): void {
    this.times[this.next] = ms;
    this.next = (this.next + 1) % KEPT_TIMES;
    const sorted = [...this.times].sort((a, b) => a - b);
    this.medianMs = sorted[Math.floor(sorted.length / 2)]!;
  }

  /** Time limit of a flight. */
  get limitMs(): number {
    return Math.max(this.limits.flightMs, this.limits.medians * this.medianMs);
  }

  /** Number of orders to keep at one lane, including the one that it flies. */
  get ahead(): number {
    return this.medianMs === 0 ? 2 : Math.max(2, Math.min(MAX_AHEAD, Math.ceil(AHEAD_MS / this.medianMs)));
  }
}
