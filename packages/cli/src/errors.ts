/** Errors of the command line. Numbers 4 and 5 are retired: do not reuse them. */
import { bisectErrors, defineErrors } from "@escapement/core";

/** File name in errors about values that were typed on the command line. */
export const COMMAND_LINE = "command line";

export const cliErrors = defineErrors("CLI", {
  badSet: {
    number: 1,
    title: "--set has no valid key and value",
    explain: "`--set key=value` overrides one value of the flight description; keys are dotted paths, as in the file.",
  },
  unknownCode: {
    number: 2,
    title: "an error code does not exist",
    explain:
      "`escapement explain CODE` explains any code that Escapement prints; `escapement explain` without a code lists all of them.",
  },
  unknownList: {
    number: 3,
    title: "there is no list of that name",
    explain: "`escapement list` without a name shows what can be listed.",
  },
  unknownStage: {
    number: 6,
    title: "there is no such stage to run live",
    explain:
      "A replay takes the scenario, the wind, the sensors, the estimator and the autopilot from the recording; any of them can run live instead.",
  },
  unknownPicture: {
    number: 7,
    title: "the file name does not select a picture format",
    explain: "The extension of the file name selects the format: .svg or .png.",
  },
  badModule: {
    number: 8,
    title: "a module with custom parts cannot be used",
    explain:
      "`--with module.js` adds the kinds that a module exports: arrays named winds, integrators, estimators, sensors, autopilots, atmospheres, gravities, and tables named vehicles and flights.",
  },
  badCount: {
    number: 10,
    title: "the number given to a flag is out of range",
    explain:
      "The message gives the range. `--every n`, for example, keeps rows 0, n, 2n …, so n is a positive integer.",
  },
  notARecording: {
    number: 11,
    title: "a log was given, but a recording is needed",
    explain:
      "A recording contains everything that a replay needs. A log contains sampled values. Both can be .mcap files.",
  },
  notWithLibrary: {
    number: 12,
    title: "a setting cannot be used with the PX4 library",
    explain:
      "The PX4 library flies in its own process, as fast as possible, and that process has only the built-in parts.",
  },
  badPart: {
    number: 13,
    title: "a custom part does not fulfil its contract",
    explain:
      "A module given with `--with` exports kinds, and each kind makes a part. The error names the part and the member that is missing or has the wrong type; docs/extending.md lists the contract of each family.",
  },
  partThrew: {
    number: 14,
    title: "a custom part threw an error",
    explain:
      "The code of a module given with `--with` threw an error that is not one of Escapement's. The error names the part, the method and the line.",
  },
  badTime: {
    number: 15,
    title: "the value of a flag is not a time",
    explain: "Times on the command line are numbers of seconds, from 0.",
  },
  notAPart: {
    number: 16,
    title: "a file to recover does not have the name of a part",
    explain:
      "An incomplete file is called name.process.part, and `recover` writes its contents to name. If the file has a different name, give the name of the complete file with -o.",
  },
  emptyPart: {
    number: 28,
    title: "a file to recover is empty",
    explain:
      "The process that should have written the file ended before it wrote anything, so nothing can be recovered. Delete the file.",
  },
  leftOver: {
    number: 17,
    title: "a killed process left an incomplete file behind",
    explain:
      "A file is called name.process.part until it is complete. If the process is killed, the part remains. `escapement recover` turns a part of an .mcap, .csv or .ulg file into a complete file, up to its last complete chunk, row or record.",
  },
  badPx4Flag: {
    number: 18,
    title: "a flag for stock PX4 cannot be used",
    explain:
      "`--px4-instance` takes a number from 0 to 9, and `--px4-reply-ms` a number from 1 to 1000. All flags that begin with `--px4-` are for flights with `px4-sitl`; PX4's own log cannot be kept with `--px4-attach`.",
  },
  badInstant: {
    number: 19,
    title: "the flight has no such instant",
    explain:
      'An instant is a time in seconds (27.8, or "27.8 s"), a boundary by its number ("#27800"), the name of a scenario event, or words of an event that the flight reports, e.g. "lift-off".',
  },
  badEvent: {
    number: 20,
    title: "an event on the command line cannot be read",
    explain:
      "An event is written as in a flight file, on one line: --event 'motorOff = { motor = 2 }'. If it has no time, it happens at the instant of --at.",
  },
  notRepeated: {
    number: 23,
    title: "PX4 did not repeat the flight",
    explain:
      "A branch of a flight with PX4 is flown again from its start, and every recorded bit up to the instant is compared. The lockstep library repeats its flights; stock PX4 in its own process does not, because it runs many threads.",
  },
  badCampaignFlag: {
    number: 24,
    title: "a campaign flag has an invalid value",
    explain:
      "`--shard 3/100` is the third of a hundred parts, `--flights 100..200` are the flights 100 to 199, and `--jobs` is the number of concurrent flights.",
  },
  vehicleOnly: {
    number: 30,
    title: "a vehicle is flown without a mission",
    explain:
      "`fly` accepts the name of a vehicle, for example to fly it with --set. Without a mission and without events, the vehicle stands on the ground until the end of the timeline.",
  },
  wrongUsage: {
    number: 29,
    title: "the command line cannot be read",
    explain:
      "There is no such command or flag, or there are too few or too many arguments. `escapement --help` lists the commands, and `escapement COMMAND --help` lists the arguments and flags of a command.",
  },
  unknownShell: {
    number: 9,
    title: "there is no completion for that shell",
    explain: "Completion scripts exist for bash, zsh and fish.",
  },
  badMeasurements: {
    number: 27,
    title: "a file of measurements has several errors",
    explain: "The message lists all errors with their lines. Nothing is fitted until the file is correct.",
  },
  notFlyable: {
    number: 26,
    title: "no flight of a report can be flown in a browser",
    explain:
      "`report --flies` includes the viewer in the report. It flies the descriptions in the recordings again. It cannot fly flights with PX4 or with custom parts, or flights whose recording was cut short.",
  },
  notJudgeable: {
    number: 25,
    title: "a matcher was given something that it cannot judge",
    explain:
      "`toMeet` judges the result of `fly`, `openRecording` or `readSeries`. A margin has the unit of the quantity that the requirement compares.",
  },
});

/** Codes of errors in the command line. */
export const USAGE_ERRORS: readonly string[] = [
  cliErrors.badSet,
  cliErrors.unknownCode,
  cliErrors.unknownList,
  cliErrors.unknownStage,
  cliErrors.badCount,
  cliErrors.badTime,
  cliErrors.badInstant,
  cliErrors.badEvent,
  cliErrors.badPx4Flag,
  cliErrors.badCampaignFlag,
  cliErrors.unknownShell,
  cliErrors.wrongUsage,
  bisectErrors.badResult,
].map(({ code }) => code);

/** Codes of errors in a module. They are not usage errors, even if the command line names the part. */
export const PART_ERRORS: readonly string[] = [cliErrors.badPart, cliErrors.partThrew].map(({ code }) => code);
