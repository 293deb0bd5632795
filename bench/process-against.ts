/**
 * Measures a group that is compared with another commit, in a fresh process.
 *
 * It is bundled with the sources of that commit, so it imports as few of their files as possible: a file that has moved
 * since that commit cannot be found.
 */
import { measureGroup } from "./measure-group.ts";
import { engine } from "./rows/engine.ts";
import { mission } from "./rows/mission.ts";
import { steps } from "./rows/steps.ts";

await measureGroup([steps, engine, mission]);
