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
  /** Share of missed answers, over the last second of steps, that ends the flight. */
  readonly missedShare: number;
  /**
   * Waits without limit for PX4 to connect, to begin and to answer, so that PX4 can stop in a debugger. Misses do not
   * occur then.
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
const LONGEST_REPLY_MS = 1000;

export function checkLimits(limits: PortLimits): void {
  const inside = limits.replyMs > 0 && limits.replyMs <= LONGEST_REPLY_MS;
  const isShare = limits.missedShare > 0 && limits.missedShare <= 1;
  const isTime = limits.connectMs > 0 && limits.freewheelMs > 0 && limits.paceMs >= 0;
  if (inside && isTime && limits.missesInARow >= 1 && isShare) return;
  throw sitlErrors.badOption({
    what: `the time limits ${JSON.stringify(limits)} are invalid`,
    fix: `use positive times, replyMs of at most ${LONGEST_REPLY_MS} (PX4 then gives up), missesInARow of at least 1, and missedShare above 0 and at most 1`,
  });
}

/** Steps over which the share of missed answers is taken. */
const SHARE_STEPS = 250;

/** The share of missed answers among the last steps. */
export class MissedShare {
  /** 1 for each of the last steps that was missed, in a ring. */
  private readonly recent = new Uint8Array(SHARE_STEPS);
  private missed = 0;
  private steps = 0;

  note(isMissed: boolean): void {
    const at = this.steps % SHARE_STEPS;
    const value = isMissed ? 1 : 0;
    this.missed += value - this.recent[at]!;
    this.recent[at] = value;
    this.steps += 1;
  }

  /** Returns false until enough steps have been counted. */
  isAtLeast(share: number): boolean {
    return this.steps >= SHARE_STEPS && this.missed >= share * SHARE_STEPS;
  }

  get text(): string {
    return `${this.missed} of the last ${SHARE_STEPS} steps`;
  }
}
