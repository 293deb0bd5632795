/**
 * The exit codes of all commands. They are part of the public interface: never change the meaning of a code.
 *
 * A flight that was interrupted exits with 128 plus the number of the signal (`interrupt.ts`). Every command loads this
 * file, so it imports nothing.
 */

export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  timeRanOut: 3,
  crashed: 4,
  differentBits: 4,
  requirement: 5,
  undecided: 6,
  open: 6,
  flightsFailed: 7,
  skipped: 125,
} as const;

/** What each exit code means, for the page of the commands. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: "The command did its work; for `fly`, the flight is completed.",
  failed: "An error: a description, file or environment is wrong, or the flight failed.",
  usage: "A usage error: an unknown command, flag, name or value.",
  timeRanOut: "`fly`: the flight ended because its time ran out.",
  crashed: "`fly`: the flight ended with a crash.",
  differentBits: "`replay` and `diff`: the bits differ.",
  requirement:
    "A requirement is violated, or a criterion of a campaign is not met. `verify`: an error is above its limit.",
  undecided: "No requirement is violated, but one is undecided.",
  open: "`campaign`: every criterion is met or open, and at least one is open.",
  flightsFailed: "`campaign`: flights have no result (outcome `failed`, `refused` or `poisoned`).",
  skipped: "`fly --bisect`: the flight cannot be flown, so `git bisect run` skips the commit.",
};
