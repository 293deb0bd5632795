/** Positions of the fields in the multirotor's views, for the translator of its equations. */
import { OUTPUT_NAMES, SCRATCH_MAP, VEHICLE_MAP } from "../../packages/core/src/multirotor/memory.ts";
import { signalSpec } from "../../packages/core/src/signals/table.ts";
import type { Views } from "./translate.ts";

/** Returns the index in array n of one of the vehicle's whole numbers. */
const element = (mapped: number) => -1 - mapped;

const counts = {
  rotors: { element: element(VEHICLE_MAP.rotorCount) },
  batteries: { element: element(VEHICLE_MAP.batteryCount) },
  buses: { element: element(VEHICLE_MAP.busCount) },
};

const blocks = {
  offsets: Object.fromEntries(Object.entries(VEHICLE_MAP.offsets).map(([name, mapped]) => [name, element(mapped)])),
  of: "n",
};

export const multirotorViews: Views = {
  VehicleConstants: { map: VEHICLE_MAP, arrays: ["p", "n"] },
  Scratch: { map: SCRATCH_MAP },
  State: blocks,
  Input: blocks,
  Outputs: {
    within: "w",
    from: SCRATCH_MAP.outputs[0]!,
    sizes: OUTPUT_NAMES.map((name) => {
      const { size } = signalSpec(name);
      return [name, typeof size === "number" ? size : counts[size as keyof typeof counts]] as const;
    }),
    of: "n",
  },
};
