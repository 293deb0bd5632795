/**
 * A one-metre octocopter: 8 kg on eight 15 × 5.2 propellers and two six-cell packs in parallel.
 *
 * Eight arms of 0.5 m at 22.5°, 67.5° … from the nose, in PX4's octa-x order. Motors of 340 rpm/V, typical of
 * S1000-class airframes. The propellers have the blade section of the iris, with less chord and pitch. The two packs
 * are identical and share the current by Kirchhoff's law. If one is cut off, the other supplies the whole current.
 */
import type { PlainObject } from "../../params/index.ts";
import { apcSlowFlyer, feet, lipoPack } from "./parts.ts";

const NEAR_M = 0.191342;
const FAR_M = 0.46194;

const pack = lipoPack({ cells: 6, capacityAh: 10, ratingC: 25, leadsOhm: 0.009 });

export const octa: PlainObject = {
  massKg: 8,
  inertiaDiagKgM2: [0.28, 0.28, 0.52],
  rotors: [
    { positionM: [FAR_M, NEAR_M, -0.05], direction: -1, channel: 1 },
    { positionM: [-FAR_M, -NEAR_M, -0.05], direction: -1, channel: 2 },
    { positionM: [NEAR_M, FAR_M, -0.05], direction: 1, channel: 3 },
    { positionM: [-FAR_M, NEAR_M, -0.05], direction: 1, channel: 4 },
    { positionM: [FAR_M, -NEAR_M, -0.05], direction: 1, channel: 5 },
    { positionM: [-NEAR_M, -FAR_M, -0.05], direction: 1, channel: 6 },
    { positionM: [NEAR_M, -FAR_M, -0.05], direction: -1, channel: 7 },
    { positionM: [-NEAR_M, FAR_M, -0.05], direction: -1, channel: 8 },
  ],
  propulsion: {
    level: "momentum",
    radiusM: 0.1905,
    inertiaKgM2: 2.5e-4,
    esc: { efficiency: 0.95 },
    motor: { kvRpmPerV: 340, resistanceOhm: 0.1, idleCurrentA: 0.5, frictionNmSPerRad: 4e-6, maxCurrentA: 20 },
    momentum: { ...apcSlowFlyer, solidity: 0.09, pitchRad: 0.26 },
  },
  batteries: [pack, pack],
  buses: [{ name: "main", avionicsW: 15 }],
  drag: { areaM2: [0.06, 0.06, 0.12], angularNmSPerRad: [0.03, 0.03, 0.03] },
  contact: {
    feet: feet(0.25, 0.25, 0.35),
    hullSizeM: [0.35, 0.35, 0.2],
  },
};
