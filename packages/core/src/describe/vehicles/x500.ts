/**
 * A 500 mm quadcopter of the x500 class: 2.06 kg on four 10 × 4.5 propellers and a four-cell pack.
 *
 * Geometry and mass are those of PX4's x500 model (arms of 0.246 m). The inertia is the sum of the model's base and
 * four rotors of 16 g at their positions. The motors have size 2216 and 920 rpm/V.
 */
import type { PlainObject } from "../../params/index.ts";
import { feet, lipoPack, propulsion920 } from "./parts.ts";

const HALF_SIDE_M = 0.174;

export const x500: PlainObject = {
  massKg: 2.06,
  inertiaDiagKgM2: [0.0236, 0.0236, 0.0439],
  rotors: [
    { positionM: [HALF_SIDE_M, HALF_SIDE_M, -0.06], direction: 1, channel: 1 },
    { positionM: [-HALF_SIDE_M, -HALF_SIDE_M, -0.06], direction: 1, channel: 2 },
    { positionM: [HALF_SIDE_M, -HALF_SIDE_M, -0.06], direction: -1, channel: 3 },
    { positionM: [-HALF_SIDE_M, HALF_SIDE_M, -0.06], direction: -1, channel: 4 },
  ],
  propulsion: propulsion920,
  batteries: [lipoPack({ cells: 4, capacityAh: 5, ratingC: 25, leadsOhm: 0.009 })],
  buses: [{ name: "main", avionicsW: 8 }],
  drag: { areaM2: [0.02, 0.02, 0.05], angularNmSPerRad: [0.004, 0.004, 0.004] },
  contact: {
    feet: feet(0.13, 0.15, 0.2),
    hullSizeM: [0.2, 0.15, 0.12],
  },
};
