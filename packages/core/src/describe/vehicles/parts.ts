/** Parts that several built-in vehicles share. */
import type { PlainObject } from "../../params/index.ts";

/** Returns four feet at the corners of a rectangle, in body axes. */
export function feet(x: number, y: number, z: number): PlainObject[] {
  return [{ positionM: [x, y, z] }, { positionM: [-x, -y, z] }, { positionM: [x, -y, z] }, { positionM: [-x, y, z] }];
}

/**
 * Returns PX4's iris with its hubs `hubDownM` below the centre of mass. Mass and inertia are taken from PX4's
 * simulation model, the arms from PX4's control allocation. In the simulation model's drawing the hubs are at 0.13 m
 * forward, and 0.22 m (front) or 0.2 m (rear) to the side.
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
 * The blade of the APC Slow Flyer 10 × 4.7. `escapement fit propeller` fitted it to every second row of its UIUC data
 * with at least a tenth of the largest thrust: static from 2377 to 6528 rpm, in the tunnel at 4014 to 6512 rpm (Brandt
 * & Selig 2011). Its chord at 75 % of the radius, 0.197 R, gives the solidity.
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

/**
 * Returns a pack of lithium-polymer cells in series.
 *
 * Open-circuit curve and resistance are averages over measured packs: Tremblay and Dessaint's discharge model (2009)
 * with the parameters that Beyer (LADAC, TU Braunschweig) fitted to Giese's database of model packs. With the
 * discharged fraction d, V = 4.00 − 0.09·1.13·d/(1.13 − d) + 0.2·e^(−14.4d) per cell, and a cell drops 0.513 V at the
 * current of its C rating. `leadsOhm` is the resistance of leads, connector and power module.
 */
export function lipoPack(options: {
  readonly cells: number;
  readonly capacityAh: number;
  readonly ratingC: number;
  readonly leadsOhm: number;
}): PlainObject {
  const { cells, capacityAh, ratingC, leadsOhm } = options;
  const cellsOhm = (cells * 0.5128) / (capacityAh * ratingC);
  const volts = [3.218, 3.463, 3.602, 3.753, 3.885, 3.945, 3.989, 4.038, 4.2];
  return {
    capacityAh,
    ocvSoc: [0, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 1],
    ocvV: volts.map((volt) => cells * volt),
    // Half of the cells' resistance is ohmic; the rest acts with time constants of 30 s and 180 s.
    resistanceOhm: leadsOhm + 0.5 * cellsOhm,
    r1Ohm: 0.3 * cellsOhm,
    c1F: 30 / (0.3 * cellsOhm),
    r2Ohm: 0.2 * cellsOhm,
    c2F: 180 / (0.2 * cellsOhm),
    cutoffV: 3 * cells,
  };
}
