/** Errors of describing and assembling a flight. Diagnostics of parameter tables use these codes too. */
import { defineErrors } from "../errors/index.ts";

export const flightErrors = defineErrors("FLIGHT", {
  refused: {
    number: 1,
    title: "a flight description has mistakes",
    explain: "Everything that is wrong is listed at once, each with its place and its fix. Nothing was flown.",
  },
  unknownKey: {
    number: 2,
    title: "a key is not known here",
    explain:
      "Keys are checked against the tables of the chosen kinds, so that a misspelt one is never silently ignored. `escapement list` shows what each kind takes.",
  },
  missing: {
    number: 3,
    title: "a key that has no default is missing",
    explain: "Some keys must be given because no value would be right for everybody.",
  },
  wrongType: {
    number: 4,
    title: "a value is of the wrong type",
    explain: "A number, a text, a switch, a list or a table is expected. Booleans are not numbers.",
  },
  outOfRange: {
    number: 5,
    title: "a number is out of its range",
    explain: "Ranges are physical: a negative mass or a probability of two cannot be flown.",
  },
  notFinite: {
    number: 6,
    title: "a number is infinite or not a number",
    explain: "Only finite numbers describe a flight.",
  },
  notWhole: {
    number: 7,
    title: "a whole number is expected",
    explain: "Counts and indices are whole numbers; indices of motors and batteries start at 1.",
  },
  wrongLength: {
    number: 8,
    title: "a list has the wrong length",
    explain: "Vectors have exactly as many components as their table says.",
  },
  notIncreasing: {
    number: 9,
    title: "a list must increase strictly",
    explain: "The knots of a curve are listed from the lowest to the highest, without repetition.",
  },
  unknownChoice: {
    number: 10,
    title: "a value is none of the known ones",
    explain: "Only the listed words are understood here.",
  },
  notExactUs: {
    number: 11,
    title: "a time is not a whole number of microseconds",
    explain: "Durations and event times are counted in whole microseconds and never rounded silently.",
  },
  inconsistent: {
    number: 12,
    title: "values contradict each other",
    explain: "Each value is allowed by itself, but not together with the others that the message names.",
  },
  unknownKind: {
    number: 13,
    title: "a kind is not known",
    explain: "`escapement list` shows the winds, integrators, estimators, autopilots … that can be named.",
  },
  extendsMissing: {
    number: 14,
    title: "`extends` names something that does not exist",
    explain:
      "`extends` takes names of built-in flights and vehicles, and paths of files relative to the file that contains them.",
  },
  extendsCycle: {
    number: 15,
    title: "`extends` goes round in a circle",
    explain: "A description may extend others, but not, through them, itself.",
  },
  badCondition: {
    number: 16,
    title: "a condition is not understood",
    explain:
      "Conditions compare quantities with numbers, e.g. `altitudeM > 10 and armed == 1`. `escapement list quantities` shows the quantities.",
  },
  badTrigger: {
    number: 17,
    title: "an event has no trigger, or more than one",
    explain: "An event happens at a time (`at`), at a boundary (`step`) or when a condition holds (`when`).",
  },
  badAction: {
    number: 18,
    title: "an event has no action, or more than one",
    explain:
      "An event does one thing; list two events at the same time for two things. `escapement list actions` shows them.",
  },
  strictRates: {
    number: 19,
    title: "the autopilot is stepped slower than its fastest loop",
    explain:
      "The autopilot's loops would silently run slower than configured. Step it faster, or say `strictRates = false`.",
  },
  stiffContact: {
    number: 20,
    title: "the physics step is too long for the contact's stiffness",
    explain:
      "A penalty contact integrated with a step longer than 0.2·√(m/k) becomes unstable. Shorten the step, soften the ground, or use an adaptive integrator.",
  },
  fastActuator: {
    number: 21,
    title: "the physics step is too long for an actuator's bandwidth",
    explain: "An actuator of natural frequency ωn needs ωn·dt below 0.3 with a fixed step.",
  },
  notReflyable: {
    number: 22,
    title: "a part of this flight is a bare function",
    explain:
      "A function passed to the API flies, but cannot be built again elsewhere: its recording replays and cannot be re-flown. Put it into a registry as a kind with a name and a version instead.",
  },
  worldOrigin: {
    number: 23,
    title: "mission and environment lie at different places",
    explain:
      "There is one world origin: gravity, air, magnetic field, home and mission all refer to it. A mission's planned home sets it where the description does not; where both are given they must agree.",
  },
  tooDeep: {
    number: 24,
    title: "a description is nested absurdly deep",
    explain: "Tables within tables beyond 32 levels are a loop of objects or a broken file.",
  },
  unreadable: {
    number: 25,
    title: "a file is named where no files are read",
    explain:
      "Mission, parameter and vehicle files are read by the command and by `fly` of the package `escapement`. The core alone takes their contents.",
  },
  badEpisode: {
    number: 27,
    title: "an episode cannot be flown like that",
    explain:
      "A step takes a whole number of ticks from 1, a seed is a whole number from 0, and sinks keep everything in memory, since nobody waits for them between two steps.",
  },
  badDefinition: {
    number: 28,
    title: "a flight definition from a file or a link is not valid",
    explain:
      "Recordings, checkpoints and links carry the whole definition of a flight. It passes the same tables, ranges and limits as a flight that is typed in, because anybody may have written it. The message names the keys.",
  },
  otherFormat: {
    number: 29,
    title: "a flight definition has another format",
    explain: "The format of flight definitions is versioned. Other versions are refused rather than misread.",
  },
  notStepping: {
    number: 26,
    title: "a stepped flight is asked out of turn",
    explain:
      "A stepped flight begins with `reset`, goes on with `step` until it is terminated or truncated, and then tells its result.",
  },
});
