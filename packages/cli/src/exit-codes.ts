/**
 * The exit codes of all commands. They are part of the interface of the command: never change the meaning of one.
 *
 * A flight that was interrupted exits with 128 plus the number of the signal, see `interrupt.ts`.
 */
export const EXIT = {
  done: 0,
  /** An error: a description, file or environment is wrong, or the flight failed. */
  failed: 1,
  /** A mistake on the command line: an unknown command, flag, name or value. */
  usage: 2,
  /** The flight reached its latest end. */
  timeRanOut: 3,
  /** The flight ended with a crash. */
  crashed: 4,
  /** `replay` and `diff`: the bits differ. */
  otherBits: 4,
  /** A requirement was not met: `verify` found an error above its limit. Reserved for the requirements of flights. */
  requirement: 5,
  /** `campaign`: no criterion is violated, but at least one is open. */
  open: 6,
  /** `campaign`: flights have no result, because they failed, were refused or were poisoned. */
  flightsFailed: 7,
} as const;
