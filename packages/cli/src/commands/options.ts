/** Settings that several commands share: repeatable flags, `--with`, and the layout of help. */
import { Help, type HelpConfiguration } from "commander";
import { secondsToUs } from "@escapement/core";
import { cliErrors } from "../errors.ts";

/** Collects the values of a repeatable flag, in the order in which they were given. */
export function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

/** The flag that adds the user's own parts; the same on every command that takes kinds. */
export const WITH_FLAG = ["--with <module>", "add custom parts from a JavaScript module (repeatable)"] as const;

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
