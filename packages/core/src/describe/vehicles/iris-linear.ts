/**
 * The plant of PX4's reference flights: thrust proportional to the command with a 20 ms lag, hover at half command,
 * linear drag, no electrical model, ground at the height of the centre of mass.
 */
import type { PlainObject } from "../../params/index.ts";

export const irisLinear: PlainObject = {
  massKg: 1.5,
  inertiaDiagKgM2: [0.029125, 0.029125, 0.055225],
  rotors: [
    { positionM: [0.1515, 0.245, 0], direction: 1, channel: 1 },
    { positionM: [-0.1515, -0.1875, 0], direction: 1, channel: 2 },
    { positionM: [0.1515, -0.245, 0], direction: -1, channel: 3 },
    { positionM: [-0.1515, 0.1875, 0], direction: -1, channel: 4 },
  ],
  propulsion: { level: "linear", linear: { maxThrustN: 7.3549875, torqueRatioM: 0.05 } },
  motorActuator: { kind: "firstOrder", tauS: 0.02 },
  drag: { linearNSPerM: 0.1 },
  contact: {
    rotorTips: false,
    feet: [
      { positionM: [0.15, 0.15, 0] },
      { positionM: [-0.15, -0.15, 0] },
      { positionM: [0.15, -0.15, 0] },
      { positionM: [-0.15, 0.15, 0] },
    ],
  },
};
