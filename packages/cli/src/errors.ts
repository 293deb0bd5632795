/** Errors of the command line. */
import { defineErrors } from "@escapement/core";

export const cliErrors = defineErrors("CLI", {
  badSet: {
    number: 1,
    title: "--set is not understood",
    explain: "`--set key=value` lays one value over the flight description; keys are dotted paths as in the file.",
  },
  unknownCode: {
    number: 2,
    title: "an error code is not known",
    explain: "`escapement explain` knows every code that Escapement prints; `escapement explain` alone lists them.",
  },
  unknownList: {
    number: 3,
    title: "there is no list of that name",
    explain: "`escapement list` alone shows what can be listed.",
  },
  unknownSink: {
    number: 4,
    title: "the kind of log cannot be told from its file name",
    explain: "Logs are written by the ending of their name: .csv, .ulg, .mcap, .h5, .parquet.",
  },
  fileExists: {
    number: 5,
    title: "a file is there already",
    explain: "Escapement does not overwrite what it did not just write. Choose another name or remove the file.",
  },
  unknownStage: {
    number: 6,
    title: "there is no such stage to run live",
    explain: "A recording can speak for the scenario, the wind, the sensors, the estimator and the autopilot; any of them may run live instead.",
  },
});
