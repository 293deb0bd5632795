/** The groups of the suite, in the order of the table. */
import { autopilot } from "./autopilot.ts";
import { boundary } from "./boundary.ts";
import { browser } from "./browser.ts";
import { campaign } from "./campaign.ts";
import { checkpoints } from "./checkpoints.ts";
import { cold } from "./cold.ts";
import { engine, engineForbidden, engineWritten } from "./engine.ts";
import { growth } from "./growth.ts";
import { math } from "./math.ts";
import { memory } from "./memory.ts";
import { mission } from "./mission.ts";
import { monitors } from "./monitors.ts";
import { px4 } from "./px4.ts";
import { recording } from "./recording.ts";
import type { Group } from "./row.ts";
import { steps, stepsForbidden, stepsIris } from "./steps.ts";
import { viewer } from "./viewer.ts";

export const groups: readonly Group[] = [
  steps,
  stepsForbidden,
  stepsIris,
  engine,
  engineWritten,
  engineForbidden,
  boundary,
  autopilot,
  mission,
  px4,
  recording,
  checkpoints,
  monitors,
  campaign,
  cold,
  memory,
  growth,
  math,
  viewer,
  browser,
];
