/** Settings that several commands share: repeatable flags, `--with`, and the layout of help. */
import { Help, type HelpConfiguration } from "commander";
import { secondsToUs } from "@escapement/core";
import type { ReadLimits } from "@escapement/formats";
import { cliErrors } from "../errors.ts";

/** Collects the values of a repeatable flag, in the order in which they were given. */
export function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

/** The flag that adds the user's own parts; the same on every command that takes kinds. */
export const WITH_FLAG = ["--with <module>", "add custom parts from a JavaScript module (repeatable)"] as const;

/** The flag that raises the limit on what a file may unpack to; the same on every command that reads recordings. */
export const READ_LIMIT_FLAG = ["--read-limit <megabytes>", "let a file that you trust unpack to more data"] as const;

/** The limits of a reader from the flag. */
export function readLimits({ readLimit }: { readonly readLimit?: string }): ReadLimits {
  if (readLimit === undefined) return {};
  const megabytes = Number(readLimit);
  if (Number.isFinite(megabytes) && megabytes > 0) return { mostBytes: 1e6 * megabytes };
  throw cliErrors.badCount({
    what: `--read-limit ${readLimit} is not a number of megabytes`,
    fix: "a number above 0, e.g. 4000",
  });
}

const plain = new Help();

export const HELP: HelpConfiguration = {
  /** Omits the default of a repeatable flag if it is an empty list. */
  optionDescription: (option) =>
    Array.isArray(option.defaultValue) && option.defaultValue.length === 0
      ? option.description
      : plain.optionDescription(option),
};

/** The time of a flag in seconds, as microseconds. */
export function secondsFlag(flag: string, text: string): number {
  const seconds = text.trim() === "" ? NaN : Number(text);
  if (Number.isFinite(seconds) && seconds >= 0) return secondsToUs(Math.round(seconds * 1e6) / 1e6);
  throw cliErrors.badTime({ what: `${flag} ${text} is not a time in seconds`, fix: "use a number from 0, e.g. 20" });
}
