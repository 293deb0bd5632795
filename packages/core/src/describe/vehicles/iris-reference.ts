/**
 * The iris with the numbers of PX4Lockstep.jl, for comparison only.
 *
 * Its propulsion is not physical: it hovers at 2083 rpm and 514 W, and its torque ratio is 0.05 m, although a 10 × 4.7
 * propeller has 0.017 m. Use `iris` for everything else. As in PX4Lockstep.jl, the inflow ignores the hub's velocity,
 * and drag is linear.
 */
import type { PlainObject } from "../../params/index.ts";
import { feet, irisAirframe } from "./parts.ts";

export const irisReference: PlainObject = {
  ...irisAirframe(0),
  propulsion: {
    level: "reference",
    radiusM: 0.127,
    inertiaKgM2: 1.2e-5,
    hubInflow: false,
    esc: { efficiency: 0.98, deadzone: 0.02 },
    motor: { kvRpmPerV: 920, resistanceOhm: 0.25, idleCurrentA: 0.6, frictionNmSPerRad: 2e-6, maxCurrentA: 60 },
    reference: {
      torqueRatioM: 0.05,
      thrustMultiple: 2,
      nominalVoltageV: 12,
      nominalDensityKgM3: 1.225,
      inflowThrust: 8,
      inflowTorque: 8,
    },
  },
  batteries: [
    {
      capacityAh: 5,
      ocvSoc: [0, 1],
      ocvV: [10.8, 12.6],
      resistanceOhm: 0.02,
      r1Ohm: 0.01,
      c1F: 2000,
      cutoffV: 9.9,
      lowSoc: 0.15,
      criticalSoc: 0.1,
      emergencySoc: 0.05,
    },
  ],
  buses: [{ name: "main", avionicsW: 0 }],
  drag: { linearNSPerM: 0.05, angularNmSPerRad: [0.02, 0.02, 0.01] },
  contact: {
    feet: feet(0.15, 0.15, 0.1),
  },
};
