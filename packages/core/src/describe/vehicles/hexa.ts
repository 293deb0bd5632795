/**
 * A 550 mm hexacopter: 3 kg on six 10 × 4.5 propellers and a four-cell pack.
 *
 * Six arms of 0.275 m at 30°, 90°, 150° … from the nose, in PX4's hexa-x order. Motors of 920 rpm/V, typical of
 * F550-class airframes.
 */
import type { PlainObject } from "../../params/index.ts";

const ARM = 0.275;
const HALF = 0.1375;
const SIDE = 0.238157;

export const hexa: PlainObject = {
  massKg: 3,
  inertiaDiagKgM2: [0.05, 0.051, 0.093],
  rotors: [
    { positionM: [0, ARM, -0.05], direction: -1, channel: 1 },
    { positionM: [0, -ARM, -0.05], direction: 1, channel: 2 },
    { positionM: [SIDE, -HALF, -0.05], direction: -1, channel: 3 },
    { positionM: [-SIDE, HALF, -0.05], direction: 1, channel: 4 },
    { positionM: [SIDE, HALF, -0.05], direction: 1, channel: 5 },
    { positionM: [-SIDE, -HALF, -0.05], direction: -1, channel: 6 },
  ],
  propulsion: {
    level: "momentum",
    radiusM: 0.127,
    inertiaKgM2: 5e-5,
    esc: { efficiency: 0.95 },
    motor: { kvRpmPerV: 920, resistanceOhm: 0.16, idleCurrentA: 0.6, maxCurrentA: 20 },
    momentum: { solidity: 0.11, liftSlopePerRad: 4.8, pitchRad: 0.31 },
  },
  batteries: [
    {
      capacityAh: 8,
      ocvSoc: [0, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 1],
      ocvV: [12, 13.8, 14.4, 14.76, 15.12, 15.48, 16.08, 16.4, 16.8],
      resistanceOhm: 0.02,
      r1Ohm: 0.008,
      c1F: 3000,
      cutoffV: 12,
    },
  ],
  buses: [{ name: "main", avionicsW: 8 }],
  drag: { areaM2: [0.025, 0.025, 0.06], angularNmSPerRad: [0.006, 0.006, 0.006] },
  contact: {
    feet: [
      { positionM: [0.15, 0.15, 0.2] },
      { positionM: [-0.15, -0.15, 0.2] },
      { positionM: [0.15, -0.15, 0.2] },
      { positionM: [-0.15, 0.15, 0.2] },
    ],
    hullSizeM: [0.22, 0.22, 0.12],
  },
};
