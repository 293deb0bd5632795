/** How the help of every command differs from the library's own. */
import { Help, type HelpConfiguration } from "commander";

const plain = new Help();

export const HELP: HelpConfiguration = {
  /** That a flag which may be given again and again is not given by default goes without saying. */
  optionDescription: (option) =>
    Array.isArray(option.defaultValue) && option.defaultValue.length === 0
      ? option.description
      : plain.optionDescription(option),
};
