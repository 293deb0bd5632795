/** Errors of the command line. Numbers 4 and 5 are retired: do not reuse them. */
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
  unknownStage: {
    number: 6,
    title: "there is no such stage to run live",
    explain:
      "A recording can speak for the scenario, the wind, the sensors, the estimator and the autopilot; any of them may run live instead.",
  },
  unknownPicture: {
    number: 7,
    title: "the kind of picture cannot be told from its file name",
    explain: "Pictures are written by the ending of their name: .svg or .png.",
  },
  badModule: {
    number: 8,
    title: "a module with parts of your own cannot be used",
    explain:
      "`--with module.js` adds the kinds that a module exports: arrays named winds, integrators, estimators, sensors, autopilots, atmospheres, gravities, and tables named vehicles and flights.",
  },
  badCount: {
    number: 10,
    title: "a number of rows is not understood",
    explain: "`--every n` keeps rows 0, n, 2n …; n is a whole number from 1.",
  },
  notARecording: {
    number: 11,
    title: "a log was given where a recording is needed",
    explain: "A recording holds what replay needs; a log holds what was observed. Both may be .mcap files.",
  },
  notWithLibrary: {
    number: 12,
    title: "a flight with the PX4 library cannot have this",
    explain:
      "The PX4 library flies in a process of its own, as fast as it can, and that process knows the parts that come with Escapement only.",
  },
  unknownShell: {
    number: 9,
    title: "there is no completion for that shell",
    explain: "Completion scripts are made for bash, zsh and fish.",
  },
});
