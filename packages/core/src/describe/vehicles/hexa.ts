/**
 * A 550 mm hexacopter: 3 kg on six 10 × 4.5 propellers and a four-cell pack.
 *
 * Six arms of 0.275 m at 30°, 90°, 150° … from the nose, in PX4's hexa-x order. Motors of 920 rpm/V, typical of
 * F550-class airframes.
 */
import type { PlainObject } from "../../params/index.ts";
import { feet, lipoPack, propulsion920 } from "./parts.ts";

const ARM_M = 0.275;
const HALF_ARM_M = 0.1375;
const SIDE_M = 0.238157;

export const hexa: PlainObject = {
  massKg: 3,
  inertiaDiagKgM2: [0.05, 0.051, 0.093],
  rotors: [
    { positionM: [0, ARM_M, -0.05], direction: -1, channel: 1 },
    { positionM: [0, -ARM_M, -0.05], direction: 1, channel: 2 },
    { positionM: [SIDE_M, -HALF_ARM_M, -0.05], direction: -1, channel: 3 },
    { positionM: [-SIDE_M, HALF_ARM_M, -0.05], direction: 1, channel: 4 },
    { positionM: [SIDE_M, HALF_ARM_M, -0.05], direction: 1, channel: 5 },
    { positionM: [-SIDE_M, -HALF_ARM_M, -0.05], direction: -1, channel: 6 },
  ],
  propulsion: propulsion920,
  batteries: [lipoPack({ cells: 4, capacityAh: 8, ratingC: 25, leadsOhm: 0.009 })],
  buses: [{ name: "main", avionicsW: 8 }],
  drag: { areaM2: [0.025, 0.025, 0.06], angularNmSPerRad: [0.006, 0.006, 0.006] },
  contact: {
    feet: feet(0.15, 0.15, 0.2),
    hullSizeM: [0.22, 0.22, 0.12],
  },
};
