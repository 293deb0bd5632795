/** Errors of the in-process PX4 library. */
import { defineErrors } from "@escapement/core";

export const lockstepErrors = defineErrors("LOCKSTEP", {
  notFound: {
    number: 1,
    title: "no PX4 lockstep library",
    explain:
      "Escapement does not include the library. Set PX4_LOCKSTEP_LIB to libpx4_lockstep.so (or .dylib, .dll), or PX4_DIR to a PX4 tree in which it was built. If a variable is set, including PX4_MSG_DIR, its path must exist; there is no fallback.",
  },
  notLoadable: {
    number: 2,
    title: "the PX4 lockstep library cannot be loaded",
    explain:
      "The file is not a shared library for this machine, one of the functions of its interface is missing, or the package koffi, which calls it, is not installed (npm install koffi).",
  },
  wrongAbi: {
    number: 3,
    title: "the PX4 lockstep library has a different interface",
    explain:
      "The bridge needs version 3 of the library's C interface, with a configuration of 36 bytes. Rebuild the library from a PX4 tree with that version.",
  },
  handleInUse: {
    number: 4,
    title: "the PX4 lockstep library is already flying in this process",
    explain:
      "All of PX4's state is global to the process and outlives the flight, so a process can fly only once. Fly each flight in its own child process.",
  },
  createFailed: {
    number: 5,
    title: "the PX4 lockstep library could not be started",
    explain: "The library did not create its runtime; PX4's own output gives the reason.",
  },
  callFailed: {
    number: 6,
    title: "a call to the PX4 lockstep library failed",
    explain: "The message names the function, the topic or parameter, the code and its meaning.",
  },
  timeNotIncreasing: {
    number: 7,
    title: "PX4's time must increase with every step",
    explain: "PX4 treats time 0 as never, and fails if its clock stops or runs backwards. The step was not made.",
  },
  wrongLayout: {
    number: 8,
    title: "the size of a PX4 message differs from its definition",
    explain:
      "The layout of a message is computed from its definition and compared with the size and hash that the library reports. They differ, so nothing is sent.",
  },
  topicTaken: {
    number: 9,
    title: "PX4 itself publishes this topic",
    explain:
      "A module of the library has already advertised the topic. No module would read the messages of a second publisher.",
  },
  rate: {
    number: 10,
    title: "a PX4 module cannot run at the requested rate",
    explain:
      "The library runs a module when at least one period has passed since its last run, so the actual period is the requested period, rounded up to a whole number of steps. With strict rates, a difference is an error. Choose a period that is a whole number of steps.",
  },
  mission: {
    number: 11,
    title: "the PX4 lockstep library cannot fly this mission",
    explain: "The library has no equivalent for an item of the mission.",
  },
  childDied: {
    number: 12,
    title: "the process that flew PX4 ended",
    explain: "Each flight with the library runs in its own process. This process ended before the flight was over.",
  },
  childHangs: {
    number: 13,
    title: "the PX4 lockstep library hangs",
    explain:
      "The process that flies PX4 stopped responding. If this happens at the start on Linux, the known cause is a parameter that was set before `param_control_autosave(false)`: PX4's autosave then waits for a work queue that the library never starts.",
  },
  missionRejected: {
    number: 15,
    title: "PX4 rejected the mission",
    explain: "PX4 checks a mission when it is loaded. The message quotes its reason.",
  },
  noCommands: {
    number: 16,
    title: "the PX4 lockstep library does not accept commands",
    explain:
      "A request to go to a position is a command to PX4's navigator. It is published through uORB, whose functions the library exports unless it was built with hidden symbols.",
  },
  stopped: {
    number: 14,
    title: "the flight was cancelled before it began",
    explain: "The flight was cancelled while the PX4 library was starting, so nothing was flown.",
  },
});

const PARAM_CODES: Readonly<Record<number, string>> = {
  [-1]: "bad argument",
  [-2]: "unknown parameter",
  [-3]: "parameter of a different type",
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
    [-6]: "different queue length",
  },
  orb_queue_publish: {
    [-1]: "bad argument",
    [-2]: "unknown publisher",
    [-3]: "no metadata",
    [-4]: "different message size",
  },
  orb_create_subscriber: { [-1]: "bad argument", [-2]: "unknown topic", [-3]: "the subscription failed" },
  orb_check: { [-1]: "bad argument", [-2]: "unknown subscriber", [-3]: "subscriber closed" },
  orb_copy: {
    [-1]: "never published",
    [-2]: "unknown subscriber",
    [-3]: "subscriber closed",
    [-4]: "different message size",
  },
  step_uorb: {
    [-1]: "a message has the wrong size",
    [-2]: "a topic could not be advertised",
    [-3]: "a message could not be published",
    [-4]: "a topic did not get the requested instance",
  },
  load_mission_qgc_wpl: {
    [-1]: "bad argument",
    [-2]: "the file cannot be opened",
    [-3]: "the file is empty",
    [-4]: "the file contains no item",
    [-5]: "the mission's state could not be stored",
    [-6]: "an item could not be stored",
  },
};

/** Builds the error of a failed call: function, subject, code and meaning. */
export function callError(name: string, subject: string, code: number) {
  const meaning = MEANINGS[name]?.[code] ?? "unknown code";
  return lockstepErrors.callFailed({
    what: `px4_lockstep_${name}${subject === "" ? "" : ` (${subject})`} returned ${code}: ${meaning}`,
    fix: FIXES[`${name} ${code}`] ?? "see PX4's own output for details",
  });
}

const SPELLING = "check the spelling of the parameter; the library has only the parameters of its modules";

const FIXES: Readonly<Record<string, string>> = {
  "param_set_i32 -2": SPELLING,
  "param_set_f32 -2": SPELLING,
  "param_set_f32 -3": "give a whole number, because this parameter is an integer",
  "step_uorb -4": "do not publish topics that PX4's modules publish themselves",
};
