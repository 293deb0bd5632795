/** Limits of the lockstep link: waiting times, and the missed answers that end a flight. */
import { sitlErrors } from "./errors.ts";

export interface PortLimits {
  /** Time limit for PX4 to connect. */
  readonly connectMs: number;
  /** Time limit from the connection to PX4's first actuator message. */
  readonly freewheelMs: number;
  /** Wall-clock time per step while PX4 boots. */
  readonly paceMs: number;
  /** Time limit for an answer. */
  readonly replyMs: number;
  /** If true, one missed answer ends the flight. */
  readonly strict: boolean;
  /** Number of consecutive missed answers that ends the flight in any case. */
  readonly missesInARow: number;
  /** Fraction of missed answers, over the last 250 steps, that ends the flight. */
  readonly missedShare: number;
  /**
   * If true, waits without limit for PX4 to connect, to begin and to answer, so that PX4 can stop in a debugger.
   * Answers are then never missed.
   */
  readonly unlimited: boolean;
}

export const DEFAULT_LIMITS: PortLimits = {
  connectMs: 30_000,
  freewheelMs: 30_000,
  paceMs: 4,
  replyMs: 500,
  strict: false,
  missesInARow: 20,
  missedShare: 0.1,
  unlimited: false,
};

/** PX4 itself reports a fault if it receives nothing from the simulator for one second. */
const MAX_REPLY_MS = 1000;

export function checkLimits(limits: PortLimits): void {
  const inside = limits.replyMs > 0 && limits.replyMs <= MAX_REPLY_MS;
  const isShare = limits.missedShare > 0 && limits.missedShare <= 1;
  const isTime = limits.connectMs > 0 && limits.freewheelMs > 0 && limits.paceMs >= 0;
  if (inside && isTime && limits.missesInARow >= 1 && isShare) return;
  throw sitlErrors.badOption({
    what: `the time limits ${JSON.stringify(limits)} are invalid`,
    fix: `use positive times, replyMs of at most ${MAX_REPLY_MS} (PX4 then gives up), missesInARow of at least 1, and missedShare above 0 and at most 1`,
  });
}

/** Number of steps over which the fraction of missed answers is computed. */
const WINDOW_STEPS = 250;

/** Computes the fraction of missed answers among the last steps. */
export class MissedFraction {
  /** A ring buffer of the last steps: 1 if the answer was missed, 0 otherwise. */
  private readonly recent = new Uint8Array(WINDOW_STEPS);
  private missed = 0;
  private steps = 0;

  add(isMissed: boolean): void {
    const at = this.steps % WINDOW_STEPS;
    const value = isMissed ? 1 : 0;
    this.missed += value - this.recent[at]!;
    this.recent[at] = value;
    this.steps += 1;
  }

  /** Returns false until enough steps have been counted. */
  isAtLeast(fraction: number): boolean {
    return this.steps >= WINDOW_STEPS && this.missed >= fraction * WINDOW_STEPS;
  }

  get text(): string {
    return `${this.missed} of the last ${WINDOW_STEPS} steps`;
  }
}
