/** Errors of the engine. */
import { defineErrors } from "../errors/index.ts";

export const engineErrors = defineErrors("ENGINE", {
  insertedInPast: {
    number: 1,
    title: "a boundary was asked for at or before the present",
    explain:
      "Boundaries may be inserted while flying only strictly in the future; the present one is already being worked. Schedule the event at a later microsecond.",
  },
  tooManyCrossings: {
    number: 2,
    title: "more than 16 located instants between two scheduled boundaries",
    explain:
      "Conditions written as crossings are located inside an interval and become boundaries. More than 16 of them between two scheduled boundaries means that a condition chatters: give it a larger hysteresis or make it one-shot.",
  },
  badCommand: {
    number: 3,
    title: "the autopilot's command is not finite or out of range",
    explain:
      'Motor duties lie in [0, 1] and servo commands in [−1, 1]. With the strict policy anything else ends the flight; with `commandPolicy = "clamp"` it is sanitised, counted and shown in the summary.',
  },
  notFinite: {
    number: 4,
    title: "a source wrote a value that is not finite",
    explain:
      "On the bus a missing value is a validity flag, never NaN: digests, recordings and the plant rely on it. Mend the source that the message names.",
  },
  cadence: {
    number: 5,
    title: "the autopilot's time did not advance by exactly one period",
    explain:
      "An autopilot is stepped at strictly increasing times with constant spacing. This cannot happen with a periodic axis.",
  },
  needsAsync: {
    number: 6,
    title: "this flight cannot be flown synchronously",
    explain:
      "It waits for someone outside (an autopilot in another process, a sink that fills). Fly it with the asynchronous driver.",
  },
  badTimeline: {
    number: 7,
    title: "a timeline cannot be flown",
    explain: "A flight starts at a whole microsecond from 0 on and ends at one at or after its start.",
  },
  notRestorable: {
    number: 8,
    title: "a part outside the process cannot be saved",
    explain:
      "A checkpoint holds the memory of every part. An autopilot in another process has memory that cannot be read; such a flight is restored by flying it again from its start under the recorded inputs.",
  },
  alreadyFlown: {
    number: 9,
    title: "a flight can be flown once",
    explain: "Assemble the flight again, or load a checkpoint into a fresh one.",
  },
  insideBoundary: {
    number: 11,
    title: "a checkpoint was asked for inside a boundary, or after the end",
    explain:
      "A checkpoint stands before a boundary is worked. Inside one, some sources have spoken and others have not; after the last one there is nothing left to fly.",
  },
  sensorAxis: {
    number: 12,
    title: "a sensor's axis does not fit the autopilot's",
    explain:
      "Raw sensors speak just before the autopilot that reads them: each at a period that is a whole multiple of the autopilot's, and at its ticks.",
  },
  noAnswerer: {
    number: 13,
    title: "an autopilot outside this process has nobody who waits for it",
    explain:
      "The loop pauses until the autopilot has answered. Only whoever holds the connection knows when that may be the case, and must hand the driver a promise of it.",
  },
  sensorTwice: {
    number: 14,
    title: "two sensors write the same signals",
    explain: "A signal has one writer: of each raw sensor of the table a flight has one at most.",
  },
});
