/**
 * Autopilots without control laws, for experiments with the plant alone: `none` commands nothing, and `fixed-command`
 * sends a constant command.
 */
import type { Source } from "../engine/contracts.ts";
import { MOTOR_CHANNELS, SERVO_CHANNELS } from "../signals/table.ts";
import { defineKind, defineParams } from "../params/index.ts";
import type { AutopilotContext } from "./context.ts";
import { controllerSource } from "./custom.ts";
import { autopilotErrors } from "./errors.ts";

export const none = defineKind({
  name: "none",
  about: "Commands nothing: motors off, servos centred.",
  version: 1,
  params: {},
  make: (_, context: AutopilotContext): Source<"autopilot"> =>
    controllerSource({ update: () => undefined }, tickOf(context)),
});

// prettier-ignore
const fixedParams = defineParams({
  motorDuty: { type: "list", unit: "1", minLength: 1, maxLength: MOTOR_CHANNELS, min: 0, max: 1, default: [0.5], about: "Duty of each rotor in the vehicle's order; a single value applies to all." },
  servoCommand: { type: "list", unit: "1", maxLength: SERVO_CHANNELS, min: -1, max: 1, default: [], about: "Command of each servo channel; missing ones are centred." },
  whenArmed: { type: "boolean", default: true, about: "Sends the commands only while the pilot requests arming; false: from the first tick on." },
});

export const fixedCommand = defineKind({
  name: "fixed-command",
  about: "Sends a constant command, independent of the vehicle's state.",
  version: 1,
  params: fixedParams,
  make: ({ motorDuty, servoCommand, whenArmed }, context: AutopilotContext): Source<"autopilot"> => {
    const { rotors } = context;
    if (motorDuty.length !== 1 && motorDuty.length !== rotors.length) {
      throw autopilotErrors.badGeometry({
        what: `motorDuty has ${motorDuty.length} values for ${rotors.length} rotors`,
        where: { key: "autopilot.motorDuty" },
        fix: "use one value per rotor, or a single one for all",
      });
    }
    const motors = new Float64Array(MOTOR_CHANNELS);
    rotors.forEach((rotor, i) => (motors[rotor.channel] = motorDuty[i] ?? motorDuty[0]!));
    const servos = new Float64Array(SERVO_CHANNELS);
    servos.set(servoCommand);
    return controllerSource(
      {
        update(_, bus) {
          const on = !whenArmed || bus.requestArmed[0]! > 0.5;
          for (let i = 0; i < motors.length; i += 1) bus.motorCommand[i] = on ? motors[i] : 0;
          for (let i = 0; i < servos.length; i += 1) bus.servoCommand[i] = on ? servos[i] : 0;
          bus.armed[0] = on ? 1 : 0;
        },
      },
      tickOf(context),
    );
  },
});

function tickOf(context: AutopilotContext): { periodUs: number; startUs: number } {
  return { periodUs: context.periodUs, startUs: context.startUs ?? 0 };
}
