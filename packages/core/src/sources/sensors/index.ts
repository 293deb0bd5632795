/** Raw sensors: one file a model. The family is an array like every other; a flight may hold one of each writer. */
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

export type { SensorContext } from "./context.ts";
export { sensorErrors } from "./context.ts";
export { standardAltitude } from "./barometer.ts";

/** In the order in which they speak. */
export const sensorKinds: readonly Kind<Source<SensorWriter>, SensorContext>[] = [
  imu,
  magnetometer,
  barometer,
  gnss,
  airspeed,
  rangeFinder,
] as unknown as readonly Kind<Source<SensorWriter>, SensorContext>[];
