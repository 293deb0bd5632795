/** Errors of describing and assembling a flight. Diagnostics of parameter tables use these codes too. */
import { defineErrors } from "../errors/index.ts";

export const flightErrors = defineErrors("FLIGHT", {
  refused: {
    number: 1,
    title: "a flight description has errors",
    explain: "The message lists every error with its location and its fix. Nothing was flown.",
  },
  unknownKey: {
    number: 2,
    title: "a key is unknown",
    explain:
      "Keys are checked against the tables of the chosen kinds, so that a misspelled key is never silently ignored. `escapement list` shows the parameters of each kind.",
  },
  missing: {
    number: 3,
    title: "a key that has no default is missing",
    explain: "Some keys have no default, because no value suits every flight.",
  },
  wrongType: {
    number: 4,
    title: "a value is of the wrong type",
    explain: "A number, a text, a switch, a list or a table is expected. Booleans are not numbers.",
  },
  outOfRange: {
    number: 5,
    title: "a number is out of its range",
    explain: "The range of each number is physical: a negative mass or a probability of two is meaningless.",
  },
  notFinite: {
    number: 6,
    title: "a number is infinite or NaN",
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
    explain: "A vector has a fixed number of components, which the message gives.",
  },
  notIncreasing: {
    number: 9,
    title: "a list must increase strictly",
    explain: "The knots of a curve are listed from the lowest to the highest, without repetition.",
  },
  unknownChoice: {
    number: 10,
    title: "a value is not one of the options",
    explain: "Use one of the listed options.",
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
    title: "a kind is unknown",
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
    title: "`extends` forms a cycle",
    explain: "A description must not extend itself, neither directly nor through other descriptions.",
  },
  badCondition: {
    number: 16,
    title: "a condition cannot be parsed",
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
      "An event has exactly one action. For two actions, list two events at the same time. `escapement list actions` shows the actions.",
  },
  strictRates: {
    number: 19,
    title: "the autopilot's period is longer than its fastest loop allows",
    explain:
      "The autopilot's loops would silently run slower than configured. Shorten its period, or set `strictRates = false`.",
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
    explain: "An actuator of natural frequency ωn needs a fixed step dt with ωn·dt of at most 0.3.",
  },
  notReflyable: {
    number: 22,
    title: "a part of this flight is a bare function",
    explain:
      "A function that is passed to the API can fly, but it cannot be rebuilt from a recording: the recording can be replayed, but not flown again. To change this, add the part to a registry as a kind with a name and a version.",
  },
  worldOrigin: {
    number: 23,
    title: "mission and environment are at different places",
    explain:
      "There is one world origin: gravity, air, magnetic field, home and mission all refer to it. If the description does not set the origin, the mission's planned home is used. If both are given, they must agree.",
  },
  tooDeep: {
    number: 24,
    title: "a description is nested too deeply",
    explain: "Tables nested beyond 32 levels indicate a cyclic object or a broken file.",
  },
  unreadable: {
    number: 25,
    title: "a description names a file, but files cannot be read here",
    explain:
      "The command-line tool and `fly` of the package `escapement` read mission, parameter and vehicle files. The core reads no files; pass it their contents.",
  },
  badEpisode: {
    number: 27,
    title: "the options of an episode are invalid",
    explain:
      "A step is an integer number of ticks of at least 1, a seed is an integer of at least 0, and sinks must keep everything in memory, because a step cannot wait for a sink to write.",
  },
  badDefinition: {
    number: 28,
    title: "a flight definition from a file or a link is not valid",
    explain:
      "Recordings, checkpoints and links carry the whole definition of a flight. It is checked against the same tables, ranges and limits as a written description, because it may come from an untrusted source. The message names the keys.",
  },
  otherFormat: {
    number: 29,
    title: "a flight definition has another format",
    explain:
      "The format of flight definitions is versioned. Other versions are rejected, because they could be misread.",
  },
  outsideSession: {
    number: 32,
    title: "a flight with a part outside the process cannot be rewound",
    explain:
      "A session saves and loads the memory of every part. PX4 keeps its memory in its own process or library, where it cannot be saved. To reach an earlier instant with the lockstep library, fly again from the start with the recorded inputs. Stock SITL flights cannot be repeated exactly.",
  },
  badBranch: {
    number: 31,
    title: "a branch would change the past of its flight",
    explain:
      "A branch is its parent's description with different events from an instant on. Before that instant the branch and its parent are the same flight, so an event that the branch adds or removes must not act before that instant. To change something earlier, branch earlier or change the description.",
  },
  otherVersion: {
    number: 34,
    title: "a recorded flight used another version of a kind",
    explain:
      "A kind raises its version when its results change. Flying a recorded or resolved flight again uses the present version, so the result differs from the recorded one even without other changes. `replay` gives an error instead.",
  },
  badName: {
    number: 30,
    title: "an event has a name or a note that is not allowed",
    explain:
      "Commands and other descriptions refer to events by their names. So a name begins with a letter, has no spaces, and cannot be mistaken for a time. A note is one line.",
  },
  fixedInFlight: {
    number: 33,
    title: "a setting cannot change in flight",
    explain:
      "A setting can change in flight only if the state, the signals and the timing of every part stay the same. The number of rotors or batteries, the set of states of each model, the periods of the timeline and of sensors, the autopilot's kind and the mission are fixed when the flight is assembled. Describe another flight instead.",
  },
  notStepping: {
    number: 26,
    title: "a method of a stepped flight was called out of order",
    explain: "Call `reset`, then `step` until the episode is terminated or truncated, then `result`.",
  },
});
