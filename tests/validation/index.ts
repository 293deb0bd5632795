/** Every number that we compare with, by area. The validation pages and their test use these rows. */
import { batteryRows } from "./battery.ts";
import { environmentRows } from "./environment.ts";
import { forwardFlightRows } from "./forward-flight.ts";
import { hoverDynamicsRows } from "./hover-dynamics.ts";
import { plantOrderRows } from "./plant-order.ts";
import type { ValidationRow } from "./row.ts";
import { sensorRows } from "./sensors.ts";
import { vehicleRows } from "./vehicle.ts";

export function validationRows(): ValidationRow[] {
  return [
    ...environmentRows(),
    ...vehicleRows(),
    ...hoverDynamicsRows(),
    ...forwardFlightRows(),
    ...batteryRows(),
    ...sensorRows(),
    ...plantOrderRows(),
  ];
}
