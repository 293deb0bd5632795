/** Checks of the embedded autopilot's inputs: parameter changes, and the motor channels of the rotors. */
import { MOTOR_CHANNELS } from "../../signals/table.ts";
import type { AutopilotContext, ParameterChange } from "../context.ts";
import { autopilotErrors } from "../errors.ts";
import type { Parameters } from "./parameters.ts";

export function checkChange(parameters: Parameters, change: ParameterChange): void {
  parameters.check(change.name, change.value);
  if (change.name !== "CA_ROTOR_COUNT") return;
  throw autopilotErrors.badParameter({
    what: "the number of rotors cannot change in flight",
    where: { key: `params.${change.name}` },
    fix: "remove the change from the scenario; use a motor fault for a rotor that fails",
  });
}

/** Returns the index of the motor channel of each rotor. */
export function channelsOf(context: AutopilotContext, count: number): Int32Array {
  const channels = Int32Array.from({ length: count }, (_, i) => context.rotors[i]?.channel ?? i);
  const bad = channels.findIndex(
    (channel, i) => channel < 0 || channel >= MOTOR_CHANNELS || channels.indexOf(channel) !== i,
  );
  if (context.rotors.length === 0 || bad >= 0) {
    throw autopilotErrors.badGeometry({
      what: context.rotors.length === 0 ? "the vehicle has no rotors" : `rotor ${bad} has no motor channel of its own`,
      fix: `give each rotor its own channel from 0 to ${MOTOR_CHANNELS - 1}`,
    });
  }
  return channels;
}
