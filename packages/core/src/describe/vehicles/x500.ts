/**
 * A 500 mm quadcopter of the x500 class: 2.06 kg on four 10 × 4.5 propellers and a four-cell pack.
 *
 * Geometry and mass of PX4's x500 model (arms of 0.246 m). 2216 motors of 920 rpm/V. Propellers like the UIUC 10 × 4.7
 * with slightly less pitch. Four lithium-polymer cells of 5 Ah.
 */
import type { PlainObject } from "../../params/index.ts";

const ARM = 0.174;

export const x500: PlainObject = {
  massKg: 2.06,
  inertiaDiagKgM2: [0.0217, 0.0217, 0.04],
  rotors: [
    { positionM: [ARM, ARM, -0.06], direction: 1, channel: 1 },
    { positionM: [-ARM, -ARM, -0.06], direction: 1, channel: 2 },
    { positionM: [ARM, -ARM, -0.06], direction: -1, channel: 3 },
    { positionM: [-ARM, ARM, -0.06], direction: -1, channel: 4 },
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
      capacityAh: 5,
      ocvSoc: [0, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 1],
      ocvV: [12, 13.8, 14.4, 14.76, 15.12, 15.48, 16.08, 16.4, 16.8],
      resistanceOhm: 0.03,
      r1Ohm: 0.012,
      c1F: 2000,
      cutoffV: 12,
    },
  ],
  buses: [{ name: "main", avionicsW: 8 }],
  drag: { areaM2: [0.02, 0.02, 0.05], angularNmSPerRad: [0.004, 0.004, 0.004] },
  contact: {
    feet: [
      { positionM: [0.13, 0.15, 0.2] },
      { positionM: [-0.13, -0.15, 0.2] },
      { positionM: [0.13, -0.15, 0.2] },
      { positionM: [-0.13, 0.15, 0.2] },
    ],
    hullSizeM: [0.2, 0.15, 0.12],
  },
};
