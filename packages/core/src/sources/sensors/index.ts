/** Raw sensors, one file per model. A flight has at most one sensor per writer. */
import type { Kind } from "../../params/kind.ts";
import type { Source } from "../../engine/contracts.ts";
import type { SensorWriter } from "../../engine/stages.ts";
import { airspeed } from "./airspeed.ts";
import { barometer } from "./barometer.ts";
import type { SensorContext } from "./context.ts";
import { gnss } from "./gnss.ts";
import { imu } from "./imu.ts";
import { magnetometer } from "./magnetometer.ts";
import { rangeFinder } from "./range-finder.ts";

export type { Airframe, SensorContext } from "./context.ts";
export { standardAltitude } from "./barometer.ts";

const builtIn = [imu, magnetometer, barometer, gnss, airspeed, rangeFinder] as const;

/** A sensor of this folder, with its name and table as types. */
export type BuiltInSensor = (typeof builtIn)[number];

// The assertion is needed because a source of one writer is not assignable to a source of any writer.
/** The built-in sensors, in the order in which they run. */
export const sensorKinds = builtIn as readonly unknown[] as readonly Kind<Source<SensorWriter>, SensorContext>[];
