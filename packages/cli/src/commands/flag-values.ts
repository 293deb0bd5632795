/** Reads and checks values of flags that several commands share. */
import { secondsToUs } from "@escapement/core";
import type { ReadLimits } from "@escapement/formats";
import { cliErrors } from "../errors.ts";

/** Parses `--read-limit`. */
export function readLimits({ readLimit }: { readonly readLimit?: string }): ReadLimits {
  if (readLimit === undefined) return {};
  const megabytes = Number(readLimit);
  if (Number.isFinite(megabytes) && megabytes > 0) return { maxBytes: 1e6 * megabytes };
  throw cliErrors.badCount({
    what: `--read-limit ${readLimit} is not a number of megabytes`,
    fix: "use a number above 0, e.g. 4000",
  });
}

/** Parses a time in seconds. Returns microseconds. */
export function secondsFlag(flag: string, text: string): number {
  const seconds = text.trim() === "" ? NaN : Number(text);
  if (Number.isFinite(seconds) && seconds >= 0) return secondsToUs(Math.round(seconds * 1e6) / 1e6);
  throw cliErrors.badTime({ what: `${flag} ${text} is not a time in seconds`, fix: "use a number from 0, e.g. 20" });
}
