/** Errors of flights with stock PX4. */
import { defineErrors } from "@escapement/core";

export const sitlErrors = defineErrors("SITL", {
  notFound: {
    number: 1,
    title: "no PX4 to start",
    explain:
      "Escapement does not include stock PX4. Set PX4_SITL_BIN to the `px4` program of a px4_sitl build. The build's `etc` folder must be next to its `bin` folder, or set PX4_SITL_ETC to it.",
  },
  portTaken: {
    number: 2,
    title: "a port that PX4 expects is in use",
    explain:
      "Instance n of PX4 connects to TCP 4560 + n and uses UDP 14540 + n. Another simulator, flight or PX4 of that instance uses one of these ports. Choose a different instance.",
  },
  noConnection: {
    number: 3,
    title: "PX4 did not connect",
    explain:
      "PX4 connects to the simulator while its start script runs. It does not connect if the airframe selects a different simulator: PX4_SIM_MODEL must be none_iris (or another airframe for an external simulator), not `none` alone and not an airframe for PX4's internal simulator.",
  },
  died: {
    number: 4,
    title: "PX4 ended during the flight",
    explain:
      "The process ended or closed the connection. The message contains PX4's last lines and the path of the folder with its whole output, which is kept.",
  },
  noActuators: {
    number: 5,
    title: "PX4 connected but never sent actuator commands",
    explain:
      "PX4 answers sensor data with actuator commands when its control modules run. It never answers if no output function is assigned (PWM_MAIN_FUNC1 … = 101 …), or if sensors that it needs are missing.",
  },
  missedReply: {
    number: 6,
    title: "PX4 did not answer a step in time",
    explain:
      "In lockstep every sensor message is answered by one actuator message. A missing answer means that PX4 is stuck or the machine is too busy. Without `strict`, the last command is held and the miss is counted.",
  },
  silent: {
    number: 7,
    title: "PX4 no longer answers",
    explain:
      "PX4 has left many consecutive steps unanswered. It hangs (a module stopped, an output is no longer produced) or waits for a debugger.",
  },
  notLockstep: {
    number: 8,
    title: "this PX4 was built without lockstep",
    explain:
      "Its actuator messages do not have the lockstep flag, so it runs in real time. Use a px4_sitl_default build.",
  },
  notReady: {
    number: 9,
    title: "PX4 did not become ready to fly",
    explain:
      "PX4 declares itself ready when its estimator has converged and its checks pass. The message lists PX4's last messages. The usual cause is a sensor that is constant, slow or inconsistent with the others.",
  },
  rejected: {
    number: 10,
    title: "PX4 rejected a command",
    explain:
      "PX4 rejected a command, or has a parameter value that differs from the value that was sent. The message lists PX4's last messages, which usually give the reason.",
  },
  missionRejected: {
    number: 11,
    title: "PX4 rejected the mission",
    explain: "PX4 checks a mission during the upload. It answered with a result other than `accepted`.",
  },
  noAnswer: {
    number: 12,
    title: "PX4 did not acknowledge",
    explain:
      "A command, mission or parameter was sent several times over MAVLink and not acknowledged within its limit of simulated time.",
  },
  missingSensor: {
    number: 13,
    title: "stock PX4 needs raw sensors",
    explain:
      "PX4 estimates its state from an inertial sensor, a magnetometer, a barometer and a satellite receiver. Add these sensors to the flight.",
  },
  badOption: {
    number: 14,
    title: "a setting of the PX4 bridge is not valid",
    explain: "The message names the setting and its range.",
  },
  manyMissed: {
    number: 16,
    title: "PX4 missed too many answers",
    explain:
      "In lockstep every step has an answer. Many missed answers mean that PX4 does not produce outputs at the rate of the steps, or that the machine is too busy. The flight is ended, because otherwise it would continue with held commands.",
  },
  noLog: {
    number: 17,
    title: "PX4 wrote no log",
    explain: "PX4's own log was requested, but its log folder is empty at the end of the flight.",
  },
  stopped: {
    number: 15,
    title: "the flight was cancelled before it began",
    explain: "The flight was cancelled while PX4 was starting, so nothing was flown.",
  },
});
