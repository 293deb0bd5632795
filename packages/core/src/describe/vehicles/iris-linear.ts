/**
 * The plant of PX4's reference flights: thrust proportional to the command with a 20 ms lag, hover at half command,
 * linear drag, no electrical model, and feet level with the centre of mass.
 */
import type { PlainObject } from "../../params/index.ts";
import { feet, irisAirframe } from "./parts.ts";

export const irisLinear: PlainObject = {
  ...irisAirframe(0),
  propulsion: { level: "linear", linear: { maxThrustN: 7.3549875, torqueRatioM: 0.05 } },
  motorActuator: { kind: "firstOrder", tauS: 0.02 },
  drag: { linearNSPerM: 0.1 },
  contact: {
    rotorTips: false,
    feet: feet(0.15, 0.15, 0),
  },
};
