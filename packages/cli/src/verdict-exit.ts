/** The exit code of a command that judges a flight. */
import { isFailure, type Verdict } from "@escapement/core";
import { EXIT } from "./exit-codes.ts";

/** Returns the exit code for these verdicts, or undefined if there are none. */
export function verdictExit(verdicts: readonly Verdict[]): number | undefined {
  if (verdicts.length === 0) return undefined;
  if (verdicts.some(isFailure)) return EXIT.requirement;
  const isOpen = verdicts.some(({ verdict, severity }) => verdict === "undecided" && severity === "error");
  return isOpen ? EXIT.undecided : EXIT.done;
}
