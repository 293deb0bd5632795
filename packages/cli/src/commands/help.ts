/** Help settings of every command that differ from commander's defaults. */
import { Help, type HelpConfiguration } from "commander";

const plain = new Help();

export const HELP: HelpConfiguration = {
  /** Omits the default of a repeatable flag if it is an empty list. */
  optionDescription: (option) =>
    Array.isArray(option.defaultValue) && option.defaultValue.length === 0
      ? option.description
      : plain.optionDescription(option),
};
