/** Rows of the built-in vehicles in hover (stability derivatives and modes by linearisation) and parked in wind. */
import { linearise } from "../../packages/core/src/analysis/index.ts";
import { builtInVehicles } from "../../packages/core/src/describe/vehicles/index.ts";
import { integrator, rig } from "../support/plant.ts";
import type { ValidationRow } from "./row.ts";
import { irisPropeller, measuredPropeller } from "./vehicle.ts";

const X8 = "identified in flight: 3DR X8-M (ArduPilot, Tools/autotest/models/3DR_X8-M.json)";
const RANGE =
  "range of X_u and Y_v of other vehicles: 3DR X8-M −0.218 and −0.201, Faessler et al. 2018 −0.544 and −0.386, Hummingbird in RotorPy −0.447, gazebo iris −0.366, gz x500 −0.120";
const LEVELS = ["iris", "x500", "hexa", "octa"] as const;

export function hoverDynamicsRows(): ValidationRow[] {
  return [...rotorDrag(), heaveDamping(), ...parked()];
}

function rotorDrag(): ValidationRow[] {
  const area = "Wind response in hover";
  const [low, high] = [-0.544, -0.12];
  const { Xu, Yv } = derivativesOf("iris");
  const fitted = (quantity: string, published: number, ours: number) => ({
    area,
    quantity: `${quantity} of iris, compared with that of the 3DR X8-M`,
    source: X8,
    basis: "fitted" as const,
    published,
    ours,
    tolerance: 0.02,
    unit: "1/s",
  });
  return [
    fitted("X_u", -0.2179, Xu),
    fitted("Y_v", -0.201, Yv),
    ...LEVELS.map((name) => ({
      area,
      quantity: `X_u of ${name}`,
      source: RANGE,
      basis: "range" as const,
      published: (low + high) / 2,
      ours: derivativesOf(name).Xu,
      tolerance: (high - low) / 2,
      unit: "1/s",
    })),
  ];
}

/**
 * Returns the row of Z_w, averaged from hover to a slow climb at constant rotor speed: from the loss of thrust that was
 * measured in the tunnel, and from the loss of thrust of our blade.
 */
function heaveDamping(): ValidationRow {
  const advance = 0.142;
  const { speedRadS } = rig("iris").plant.trim().rotors[0]!;
  const diameterTurns = (speedRadS / (2 * Math.PI)) * 0.254;
  const heave = (still: number, climbing: number) => (-9.80665 * (1 - climbing / still)) / (advance * diameterTurns);
  const measured = measuredPropeller();
  const still = measured.find(({ rpm }) => rpm === 4029)!;
  const climbing = measured.find((row) => row.rpm === 4014 && row.advance === advance)!;
  return {
    area: "Wind response in hover",
    quantity: "Z_w of iris, mean from hover to a climb with J 0.142",
    source: "loss of thrust of its propeller in the tunnel: UIUC, apcsf_10x4.7, static_kt0835 4029 rpm and kt0836_4014",
    basis: "fitted",
    published: heave(still.ct, climbing.ct),
    ours: heave(irisPropeller(4029, 0).ct, irisPropeller(4014, advance).ct),
    tolerance: 0.1,
    unit: "1/s",
  };
}

function derivativesOf(name: string) {
  return linearise(rig(name).plant).derivatives;
}

/** Returns rows of the creep of a parked vehicle, after the feet have taken the load. */
function parked(): ValidationRow[] {
  return [5, 10].map((windMps) => {
    const flown = rig("iris").input({ windNed: [windMps, 0, 0] });
    const method = integrator("rk4", flown.plant, flown.u);
    flown.fly(method, { us: 2000, steps: 1000 });
    const [start] = flown.get("posNed");
    flown.fly(method, { us: 2000, steps: 500 });
    return {
      area: "Parked in wind",
      quantity: `creep of iris in ${windMps} m/s of wind`,
      source: "Coulomb's law: no motion while the force is below μN",
      basis: "theory",
      published: 0,
      ours: 3600 * 1000 * (flown.get("posNed")[0]! - start!),
      tolerance: 1,
      unit: "mm/h",
    };
  });
}

/** Values that others identified in flight, in the columns of the table. */
const IDENTIFIED: readonly (readonly string[])[] = [
  ["*3DR X8-M*", "-0.218", "-0.201", "-1.333", "4.665", "-4.465", "", "", "-0.551", ""],
  ["*Faessler et al. 2018*", "-0.544", "-0.386", "", "", "", "", "", "", ""],
];

/**
 * Returns a table of stability derivatives and slow modes in hover, of every built-in vehicle and of identified ones.
 */
export function hoverDynamicsTable(): string[] {
  const cell = (value: number) => value.toFixed(3);
  const lines = Object.keys(builtInVehicles).map((name) => {
    const { derivatives, modes } = linearise(rig(name).plant);
    const { Xu, Yv, Zw, Mu, Lv, Lp, Mq, Nr } = derivatives;
    const slow = modes
      .filter(
        ({ eigenvalue: { re, im }, frequencyRadS }) =>
          frequencyRadS > 0.01 && frequencyRadS < 6 && (re !== 0 || im !== 0),
      )
      .map(({ eigenvalue: { re, im } }) => (im === 0 ? re.toFixed(2) : `${re.toFixed(2)} ± ${im.toFixed(2)}i`));
    return [name, ...[Xu, Yv, Zw, Mu, Lv, Lp, Mq, Nr].map(cell), slow.join(", ")];
  });
  return [
    "| vehicle | X_u 1/s | Y_v 1/s | Z_w 1/s | M_u rad/(m.s) | L_v rad/(m.s) | L_p 1/s | M_q 1/s | N_r 1/s | slow modes 1/s |",
    "|---|---:|---:|---:|---:|---:|---:|---:|---:|---|",
    ...[...lines, ...IDENTIFIED].map((line) => `| ${line.join(" | ")} |`),
  ];
}
