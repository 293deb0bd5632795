/** Errors of the engine. */
import { defineErrors } from "../errors/index.ts";

export const engineErrors = defineErrors("ENGINE", {
  insertedInPast: {
    number: 1,
    title: "a boundary was requested at or before the present",
    explain:
      "During a flight, boundaries can be inserted only strictly in the future, because the present one is already running. Schedule the event at a later microsecond.",
  },
  tooManyCrossings: {
    number: 2,
    title: "more than 16 crossings between two scheduled boundaries",
    explain:
      "A condition written as a crossing is located inside an interval and becomes a boundary. More than 16 crossings between two scheduled boundaries mean that a condition chatters: give it a larger hysteresis, or let it fire only once.",
  },
  badCommand: {
    number: 3,
    title: "the autopilot's command is not finite or out of range",
    explain:
      'Motor duties lie in [0, 1] and servo commands in [−1, 1]. With the strict policy any other value ends the flight; with `commandPolicy = "clamp"` it is clamped, counted and shown in the summary.',
  },
  notFinite: {
    number: 4,
    title: "a source wrote a value that is not finite",
    explain:
      "On the bus a missing value is marked by a validity flag, never by NaN: digests, recordings and the plant rely on this. Fix the source that the message names.",
  },
  cadence: {
    number: 5,
    title: "the autopilot's time did not advance by exactly one period",
    explain:
      "An autopilot runs at strictly increasing times with constant spacing. This cannot happen with a periodic axis.",
  },
  needsAsync: {
    number: 6,
    title: "this flight cannot be flown synchronously",
    explain:
      "It may have to wait for an autopilot in another process or for a sink that is full. Fly it with the asynchronous driver.",
  },
  badTimeline: {
    number: 7,
    title: "the timeline is not valid",
    explain:
      "A flight starts at a whole microsecond, at or after 0, and ends at a whole microsecond at or after its start.",
  },
  notRestorable: {
    number: 8,
    title: "a part of the flight cannot be saved",
    explain:
      "A checkpoint holds the memory of every part. The memory of an autopilot in another process cannot be read; restore such a flight by flying it again from its start with the recorded inputs. A replay that reads its recording from a file as the flight proceeds cannot be saved either; load the whole recording into memory.",
  },
  alreadyFlown: {
    number: 9,
    title: "a flight that has been started cannot be started again",
    explain: "Load a checkpoint into it, or assemble the flight again from its description.",
  },
  insideBoundary: {
    number: 11,
    title: "a checkpoint was requested inside a boundary, or after the end",
    explain:
      "A checkpoint is taken before a boundary runs. Inside a boundary, some sources have run and others have not; after the last one there is nothing left to fly.",
  },
  sensorAxis: {
    number: 12,
    title: "a sensor's axis does not fit the autopilot's",
    explain:
      "Raw sensors run just before the autopilot that reads them. So each sensor's period must be a whole multiple of the autopilot's, and each of its ticks must be a tick of the autopilot.",
  },
  noAnswerer: {
    number: 13,
    title: "the driver cannot wait for an autopilot outside this process",
    explain:
      "The loop pauses until the autopilot has answered. The code that owns the connection must pass the driver a promise that resolves when an answer may have arrived.",
  },
  sensorTwice: {
    number: 14,
    title: "two sensors write the same signals",
    explain: "A signal has one writer, so a flight has at most one of each raw sensor.",
  },
  arithmetic: {
    number: 15,
    title: "this processor or engine does not compute with IEEE 754 doubles",
    explain:
      "The bits of a flight depend on double-precision sums and products that are rounded once, and on subnormal numbers. Arithmetic differs in 32-bit x86 engines that use the x87 registers, in audio worklets, and in threads that have loaded a library built with -ffast-math. `escapement doctor` shows the check.",
  },
  tooLarge: {
    number: 16,
    title: "a source wrote a value that no signal can have",
    explain:
      "In its own unit, no signal reaches 1e16. A larger value is the result of settings that are each possible but contradict each other, or of an estimator whose error grows without bound.",
  },
});
