/** Parts that several built-in vehicles share. */
import type { PlainObject } from "../../params/index.ts";

/** Four feet at the corners of a rectangle, in body axes. */
export function feet(x: number, y: number, z: number): PlainObject[] {
  return [{ positionM: [x, y, z] }, { positionM: [-x, -y, z] }, { positionM: [x, -y, z] }, { positionM: [-x, y, z] }];
}

/**
 * PX4's iris with the hubs at this height. Mass and inertia are those of its simulation model. The arms are those of its
 * control allocation; the model's own drawing has the hubs at 0.13 m forward, and 0.22 m (front) or 0.2 m (rear) aside.
 */
export function irisAirframe(hubDownM: number): PlainObject {
  return {
    massKg: 1.5,
    inertiaDiagKgM2: [0.029125, 0.029125, 0.055225],
    rotors: [
      { positionM: [0.1515, 0.245, hubDownM], direction: 1, channel: 1 },
      { positionM: [-0.1515, -0.1875, hubDownM], direction: 1, channel: 2 },
      { positionM: [0.1515, -0.245, hubDownM], direction: -1, channel: 3 },
      { positionM: [-0.1515, 0.1875, hubDownM], direction: -1, channel: 4 },
    ],
  };
}

/**
 * The blade of the APC Slow Flyer 10 × 4.7, by `escapement fit propeller` from every second row of its UIUC data with at
 * least a tenth of the largest thrust: static from 2377 to 6528 rpm, in the tunnel at 4014 to 6512 rpm (Brandt & Selig
 * 2011). Its chord at 75 % of the radius, 0.197 R, gives the solidity.
 */
export const apcSlowFlyer: PlainObject = {
  solidity: 0.125,
  liftSlopePerRad: 5.99,
  lowReynoldsLift: 0.517,
  reynoldsTransition: 1.22e5,
  pitchRad: 0.3237,
  stallRad: 0.3,
  inducedFactor: 1.173,
  profileDrag: 0.0166,
  lowReynoldsDrag: 1.78,
};

/** 920 rpm/V motors with 10 × 4.5 propellers: the blade of the iris, the UIUC 10 × 4.7, with 0.5° less pitch. */
export const propulsion920: PlainObject = {
  level: "momentum",
  radiusM: 0.127,
  inertiaKgM2: 5e-5,
  esc: { efficiency: 0.95 },
  motor: { kvRpmPerV: 920, resistanceOhm: 0.16, idleCurrentA: 0.6, maxCurrentA: 20 },
  momentum: { ...apcSlowFlyer, pitchRad: 0.3155 },
};

/** Knots of the open-circuit curve of a lithium-polymer cell (Chen & Rincón-Mora 2006 shape). */
export const lipoSoc = [0, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 1];

/** Four lithium-polymer cells in series. */
export const fourCells: PlainObject = {
  ocvSoc: lipoSoc,
  ocvV: [12, 13.8, 14.4, 14.76, 15.12, 15.48, 16.08, 16.4, 16.8],
  cutoffV: 12,
};
