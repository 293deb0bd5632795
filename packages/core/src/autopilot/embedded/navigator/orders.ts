/**
 * Orders that a mission gives to other parts of the autopilot: a speed for the trajectory generator, a return for the
 * commander. Each order is consumed once.
 */
import { TINY } from "../constants.ts";

/** MAVLink's speed type "ground speed". */
const GROUND_SPEED = 1;

export class Orders {
  /** −1 for the default. */
  speedMps = 0;
  private waitsForItems = false;
  private waitsForTask = false;
  returnWanted = false;

  /**
   * Executes DO_CHANGE_SPEED. The trajectory generator uses the speed from its next tick on, and the navigator uses it
   * for the items that it sets from its next tick on.
   */
  changeSpeed(type: number, speedMps: number): void {
    this.speedMps = speedMps > TINY ? speedMps : -1;
    this.waitsForItems = true;
    this.waitsForTask = Math.floor(type + 0.5) === GROUND_SPEED && speedMps > 0;
  }

  /** Returns true once after a change of speed, for the trajectory generator. */
  consumeForTask(): boolean {
    const isPending = this.waitsForTask;
    this.waitsForTask = false;
    return isPending;
  }

  /** Returns true once after a change of speed, for the navigator. */
  consumeForItems(): boolean {
    const isPending = this.waitsForItems;
    this.waitsForItems = false;
    return isPending;
  }
}
