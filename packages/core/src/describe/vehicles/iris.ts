/**
 * Iris, physically identified: 1.5 kg on four 10 × 4.7 propellers and a three-cell pack.
 *
 * Airframe: mass and inertia of PX4's iris model, rotor positions of its control allocation. In-plane
 * rotor drag, combined with blade flapping (stiffness number S = 1, see flapping.ts), gives X_u = −0.21 1/s. The values
 * identified for the 3DR X8-M of the same maker are −0.218 and −0.201 (ArduPilot, Tools/autotest/models). Propeller:
 * APC Slow Flyer 10 × 4.7, blade fitted to its UIUC data. Motor: 850 rpm/V class (3DR Iris), winding and idle current
 * of a 2830 motor of that class. ESCs: 95 % efficiency. Pack: three cells of 5.1 Ah, as in the IRIS+, for a long flight
 * (8 C). Drag area: wind-tunnel data of similar multicopters (Russell et al. 2018, NASA/TM-2018-219758).
 */
import type { PlainObject } from "../../params/index.ts";
import { apcSlowFlyer, feet, irisAirframe, lipoPack } from "./parts.ts";

export const iris: PlainObject = {
  ...irisAirframe(-0.03),
  propulsion: {
    level: "momentum",
    radiusM: 0.127,
    inertiaKgM2: 5e-5,
    esc: { efficiency: 0.95, deadzone: 0.02 },
    motor: { kvRpmPerV: 850, resistanceOhm: 0.25, idleCurrentA: 0.5, frictionNmSPerRad: 2e-6, maxCurrentA: 25 },
    momentum: { ...apcSlowFlyer, inPlaneDrag: 0.016 },
  },
  batteries: [lipoPack({ cells: 3, capacityAh: 5.1, ratingC: 8, leadsOhm: 0.009 })],
  buses: [{ name: "main", avionicsW: 6 }],
  drag: { areaM2: [0.015, 0.018, 0.04], angularNmSPerRad: [0.004, 0.004, 0.004] },
  contact: {
    feet: feet(0.13, 0.16, 0.12),
    hullSizeM: [0.26, 0.16, 0.1],
  },
};
