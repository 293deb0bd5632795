/** Errors of stock PX4 in the loop: one per way in which the connection or the flight can fail. */
import { defineErrors } from "@escapement/core";

export const sitlErrors = defineErrors("SITL", {
  notFound: {
    number: 1,
    title: "no PX4 to start",
    explain:
      "Stock PX4 is brought by you: PX4_SITL_BIN names the `px4` program of a px4_sitl build, whose `etc` folder lies beside its `bin` (or is named by PX4_SITL_ETC).",
  },
  portTaken: {
    number: 2,
    title: "a port that PX4 expects is in use",
    explain:
      "Instance n of PX4 connects to TCP 4560 + n and talks on UDP 14540 + n. Another simulator, another flight or another PX4 of that instance holds one of them: choose another instance.",
  },
  noConnection: {
    number: 3,
    title: "PX4 did not connect",
    explain:
      "PX4 connects to the simulator while its start script runs. It does not when the airframe selects another simulator: PX4_SIM_MODEL must be none_iris (or another airframe for an external simulator), not `none` alone and not a name of PX4's internal one.",
  },
  died: {
    number: 4,
    title: "PX4 went away during the flight",
    explain:
      "The process ended or closed the connection. Its last lines are part of the message; the folder with its whole output is kept and named.",
  },
  noActuators: {
    number: 5,
    title: "PX4 connected but never sent actuator commands",
    explain:
      "PX4 answers sensor data with actuator commands once its control chain is up. It never does when no output function is assigned (PWM_MAIN_FUNC1 … = 101 …), or when the sensors it needs do not arrive.",
  },
  missedReply: {
    number: 6,
    title: "PX4 did not answer a step in time",
    explain:
      "In lockstep every sensor message is answered by one actuator message. A missing answer means that PX4 is stuck or the machine too busy; without `strict` the last command is held and the miss counted.",
  },
  silent: {
    number: 7,
    title: "PX4 no longer answers",
    explain:
      "Many steps in a row went without an answer: PX4 hangs (a module stopped, an output is no longer produced) or waits for a debugger.",
  },
  notLockstep: {
    number: 8,
    title: "this PX4 was built without lockstep",
    explain:
      "Its actuator messages do not carry the lockstep flag: it runs on the wall clock. Use a px4_sitl_default build.",
  },
  notReady: {
    number: 9,
    title: "PX4 did not become ready to fly",
    explain:
      "PX4 declares itself ready when its estimator has converged and its checks pass. The last messages it gave are listed; sensors that are constant, slow or inconsistent with each other are the usual cause.",
  },
  refused: {
    number: 10,
    title: "PX4 refused a command",
    explain:
      "PX4 answered a command with a refusal, or keeps a parameter at another value than it was given; its last messages, which usually give the reason, are listed.",
  },
  missionRefused: {
    number: 11,
    title: "PX4 refused the mission",
    explain: "PX4 checks a mission while it is uploaded and answers with a result other than accepted.",
  },
  noAnswer: {
    number: 12,
    title: "PX4 did not acknowledge",
    explain:
      "A command, mission or parameter was sent several times over MAVLink and not acknowledged within its simulated time.",
  },
  missingSensor: {
    number: 13,
    title: "stock PX4 needs raw sensors",
    explain:
      "PX4 estimates its own state from inertial sensor, magnetometer, barometer and satellite receiver. Add these sensors to the flight.",
  },
  badOption: {
    number: 14,
    title: "a setting of the PX4 bridge cannot be used",
    explain: "The message names the setting and its range.",
  },
  manyMissed: {
    number: 16,
    title: "PX4 left too many steps unanswered",
    explain:
      "In lockstep every step has an answer. A share of missed answers means that PX4 does not produce outputs at the rate of the steps, or that the machine is too busy; the flight would creep on with held commands, so it ends.",
  },
  noLog: {
    number: 17,
    title: "PX4 wrote no log",
    explain: "PX4's own log was asked for, and its log folder is empty at the end of the flight.",
  },
  stopped: {
    number: 15,
    title: "the flight was ended before it began",
    explain: "It was asked to end while PX4 was still starting, so nothing was flown.",
  },
});
