/** Errors of the in-process PX4 library. */
import { defineErrors } from "@escapement/core";

export const lockstepErrors = defineErrors("LOCKSTEP", {
  notFound: {
    number: 1,
    title: "no PX4 lockstep library",
    explain:
      "The library is brought by you: PX4_LOCKSTEP_LIB names libpx4_lockstep.so (or .dylib, .dll), or PX4_DIR a PX4 tree in which it has been built. A variable that is set must be right, also PX4_MSG_DIR.",
  },
  notLoadable: {
    number: 2,
    title: "the PX4 lockstep library cannot be loaded",
    explain:
      "The file is not a shared library for this machine, one of the functions of its interface is missing, or the package koffi, which calls it, is not installed (npm install koffi).",
  },
  wrongAbi: {
    number: 3,
    title: "the PX4 lockstep library has another interface",
    explain:
      "The bridge speaks version 3 of the library's C interface with a configuration of 36 bytes. Rebuild the library from a PX4 tree that has it.",
  },
  handleInUse: {
    number: 4,
    title: "the PX4 lockstep library is already flying in this process",
    explain:
      "All of PX4's state is global to the process and survives the end of a flight: one flight a process. Fly each in a child process of its own.",
  },
  createFailed: {
    number: 5,
    title: "the PX4 lockstep library could not be started",
    explain: "The library refused to create its runtime; the reason stands in PX4's own output.",
  },
  callFailed: {
    number: 6,
    title: "a call to the PX4 lockstep library failed",
    explain: "The message names the function, the topic or parameter, the code and what it means.",
  },
  timeNotIncreasing: {
    number: 7,
    title: "PX4's time must rise with every step",
    explain:
      "PX4 reads 0 as never and misbehaves when its clock stands still or runs backwards; the step was not made.",
  },
  wrongLayout: {
    number: 8,
    title: "a PX4 message has another size than its definition gives",
    explain:
      "The layout of a message follows from its definition and is confirmed by the library's own size and hash. They differ, so nothing is sent.",
  },
  topicTaken: {
    number: 9,
    title: "PX4 itself publishes this topic",
    explain:
      "A module of the library has advertised the topic first; a second publisher would write where nobody reads.",
  },
  rate: {
    number: 10,
    title: "a PX4 module cannot run at the asked rate",
    explain:
      "The library runs a module when at least one period has passed since its last run, so the real period is the asked one rounded up to a whole number of steps. With strict rates that is an error; choose a rate that divides.",
  },
  mission: {
    number: 11,
    title: "the PX4 lockstep library cannot fly this mission",
    explain: "An item cannot be expressed in what this library accepts.",
  },
  childDied: {
    number: 12,
    title: "the process that flew PX4 ended",
    explain: "Each flight with the library runs in a process of its own, which ended before the flight did.",
  },
  childHangs: {
    number: 13,
    title: "the PX4 lockstep library hangs",
    explain:
      "The process that flies PX4 gave no sign of life. At the start the known cause on Linux is a parameter that was set before `param_control_autosave(false)`: PX4's autosave then waits for a work queue that the library never starts.",
  },
  missionRefused: {
    number: 15,
    title: "PX4 refused the mission",
    explain: "PX4 checks a mission when it is loaded. The message quotes its reason.",
  },
  noCommands: {
    number: 16,
    title: "the PX4 lockstep library takes no commands",
    explain:
      "A request to go to a position is a command to PX4's navigator. It is published through uORB, whose functions the library exports unless it was built with hidden symbols.",
  },
  stopped: {
    number: 14,
    title: "the flight was ended before it began",
    explain: "It was asked to end while the PX4 library was still starting, so nothing was flown.",
  },
});

const PARAM_CODES: Readonly<Record<number, string>> = {
  [-1]: "bad argument",
  [-2]: "unknown parameter",
  [-3]: "parameter of another type",
  [-4]: "the value could not be stored",
};

/** Meanings of the return codes per function. A code that is not in the table comes from uORB. */
const MEANINGS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  param_set_i32: PARAM_CODES,
  param_set_f32: PARAM_CODES,
  param_get_i32: PARAM_CODES,
  param_get_f32: PARAM_CODES,
  param_notify: PARAM_CODES,
  control_alloc_update_params: { [-1]: "bad argument", [-2]: "the allocator is switched off" },
  orb_topic_metadata: { [-1]: "bad argument", [-2]: "unknown topic" },
  orb_create_publisher_ex: {
    [-1]: "bad argument",
    [-2]: "unknown topic",
    [-5]: "a priority was given",
    [-6]: "another queue length",
  },
  orb_queue_publish: {
    [-1]: "bad argument",
    [-2]: "unknown publisher",
    [-3]: "no metadata",
    [-4]: "another message size",
  },
  orb_create_subscriber: { [-1]: "bad argument", [-2]: "unknown topic", [-3]: "the subscription failed" },
  orb_check: { [-1]: "bad argument", [-2]: "unknown subscriber", [-3]: "subscriber closed" },
  orb_copy: {
    [-1]: "never published",
    [-2]: "unknown subscriber",
    [-3]: "subscriber closed",
    [-4]: "another message size",
  },
  step_uorb: {
    [-1]: "a message has the wrong size",
    [-2]: "a topic could not be advertised",
    [-3]: "a message could not be published",
    [-4]: "a topic was given another instance than asked for",
  },
  load_mission_qgc_wpl: {
    [-1]: "bad argument",
    [-2]: "the file cannot be opened",
    [-3]: "the file is empty",
    [-4]: "the file holds no item",
    [-5]: "the mission's state could not be stored",
    [-6]: "an item could not be stored",
  },
};

/** Builds the error of a failed call: function, subject, code and meaning. */
export function callError(name: string, subject: string, code: number) {
  const meaning = MEANINGS[name]?.[code] ?? "unknown code";
  return lockstepErrors.callFailed({
    what: `px4_lockstep_${name}${subject === "" ? "" : ` (${subject})`} returned ${code}: ${meaning}`,
    fix: FIXES[`${name} ${code}`] ?? "see PX4's own output for more",
  });
}

const SPELLING = "check the spelling of the parameter; the library holds only the parameters of its modules";

const FIXES: Readonly<Record<string, string>> = {
  "param_set_i32 -2": SPELLING,
  "param_set_f32 -2": SPELLING,
  "param_set_f32 -3": "give a whole number: this parameter takes no other",
  "step_uorb -4": "do not publish topics that PX4's modules publish themselves",
};
