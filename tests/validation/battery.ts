/** Rows of the battery: the voltage of a cell of the iris during a discharge. */
import { rig } from "../support/plant.ts";
import type { ValidationRow } from "./row.ts";

const SOURCE =
  "Tremblay & Dessaint 2009 with the average of Giese's database of model packs (LADAC, TU Braunschweig), 8 C rating";
const RATE = 3;
const CHARGES = [0.9, 0.7, 0.5, 0.3, 0.1];

/** Returns the voltage of a cell by the published model: the open-circuit voltage minus 0.5128 V per rated current. */
export function publishedCell(soc: number, rate: number): number {
  const d = 1 - soc;
  return 4 - (0.09 * 1.13 * d) / (1.13 - d) + 0.2 * Math.exp(-14.4 * d) - (0.5128 * rate) / 8;
}

/**
 * Returns the voltage of a cell of the iris after both RC pairs have settled, without the voltage drop of its leads.
 */
export function irisCell(soc: number, rate: number): number {
  const { plant } = rig("iris");
  const { ocvSoc, ocvV, resistanceOhm, r1Ohm, r2Ohm, capacityAh } = plant.vehicle.batteries[0]!;
  const above = ocvSoc.findIndex((knot) => knot >= soc);
  const k = Math.max(1, above);
  const share = (soc - ocvSoc[k - 1]!) / (ocvSoc[k]! - ocvSoc[k - 1]!);
  const open = ocvV[k - 1]! + share * (ocvV[k]! - ocvV[k - 1]!);
  return (open - rate * capacityAh * (resistanceOhm + r1Ohm + r2Ohm - LEADS_OHM)) / 3;
}

const LEADS_OHM = 0.009;

export function batteryRows(): ValidationRow[] {
  return CHARGES.map((soc) => ({
    area: "Voltage under load",
    quantity: `cell of the iris at ${RATE} C, ${100 * soc} % charged`,
    source: SOURCE,
    basis: "fitted" as const,
    published: publishedCell(soc, RATE),
    ours: irisCell(soc, RATE),
    tolerance: 0.03,
    unit: "V",
  }));
}
