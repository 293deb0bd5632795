/** Every published number that we compare with, area after area: what the page and its test are made from. */
import { environmentRows } from "./environment.ts";
import type { ValidationRow } from "./row.ts";
import { vehicleRows } from "./vehicle.ts";

export function validationRows(): ValidationRow[] {
  return [...environmentRows(), ...vehicleRows()];
}
