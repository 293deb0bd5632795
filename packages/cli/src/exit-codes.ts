/**
 * The exit codes of all commands. They are part of the public interface: never change the meaning of one.
 *
 * A flight that was interrupted exits with 128 plus the number of the signal (`interrupt.ts`).
 */
import { isFailure, type Verdict } from "@escapement/core";

export const EXIT = {
  done: 0,
  /** An error: a description, file or environment is wrong, or the flight failed. */
  failed: 1,
  /** A usage error: an unknown command, flag, name or value. */
  usage: 2,
  /** The flight ended because its timeline ended. */
  timeRanOut: 3,
  /** The flight ended with a crash. */
  crashed: 4,
  /** `replay` and `diff`: the bits differ. */
  differentBits: 4,
  /** A requirement is violated, or a criterion of a campaign is not met. `verify`: an error is above its limit. */
  requirement: 5,
  /** No requirement is violated, but one is undecided. */
  undecided: 6,
  /** `campaign`: every criterion is met or open, and at least one is open. */
  open: 6,
  /** `campaign`: flights have no result (outcome `failed`, `refused` or `poisoned`). */
  flightsFailed: 7,
  /** `fly --bisect`: the flight cannot be flown, so `git bisect run` skips the commit. */
  skipped: 125,
} as const;

/** Returns the exit code for these verdicts, or undefined if there are none. */
export function verdictExit(verdicts: readonly Verdict[]): number | undefined {
  if (verdicts.length === 0) return undefined;
  if (verdicts.some(isFailure)) return EXIT.requirement;
  const isOpen = verdicts.some(({ verdict, severity }) => verdict === "undecided" && severity === "error");
  return isOpen ? EXIT.undecided : EXIT.done;
}
