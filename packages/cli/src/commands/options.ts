/**
 * Settings that several commands share: repeatable flags, `--with`, and the layout of help. Every command loads this
 * file, so it imports nothing from the simulator.
 */
import { type Command, Help, type HelpConfiguration } from "commander";
import { columnsOf, wrap } from "../print/style.ts";

/** Collects the values of a repeatable flag, in the order in which they were given. */
export function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

/** The flag that adds custom parts, for every command that uses kinds. */
export const WITH_FLAG = ["--with <module>", "add custom parts from a JavaScript module (repeatable)"] as const;

/** The flag that raises the limit on unpacked data, for every command that reads recordings. */
export const READ_LIMIT_FLAG = [
  "--read-limit <megabytes>",
  "raise the limit on unpacked data, for a file that you trust",
] as const;

const defaultHelp = new Help();

export const HELP: HelpConfiguration = {
  /** Omits the default of a repeatable flag if it is an empty list. */
  optionDescription: (option) =>
    Array.isArray(option.defaultValue) && option.defaultValue.length === 0
      ? option.description
      : defaultHelp.optionDescription(option),
};

/** Sets how help is laid out. */
export function layOutHelp(program: Command): void {
  program.configureHelp(HELP);
  program.configureOutput({ writeOut: (text) => process.stdout.write(wrapHelp(text, columnsOf(process.stdout))) });
}

/**
 * Wraps the paragraphs of a help text to the width of the terminal. Indented lines are not changed: options are already
 * wrapped, and examples must stay on one line.
 */
function wrapHelp(text: string, columns: number): string {
  return text.replace(/^\S.*(?:\n(?!Examples:)\S.*)*$/gm, (paragraph) =>
    wrap(paragraph.replace(/\n/g, " "), columns, ""),
  );
}
