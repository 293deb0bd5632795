/**
 * Orders that a mission gives to other parts of the autopilot: a speed for the trajectory generator, a return for the
 * commander. Each order is consumed once.
 */
import type { Saveable, SnapshotReader, SnapshotWriter } from "../../../snapshot/index.ts";

/** MAVLink's speed type "ground speed". */
const GROUND_SPEED = 1;
/** PX4's float32 epsilon. */
const TINY = 1.1920928955078125e-7;

const SPEED = 0;
const SPEED_WAITS = 1;
const TO_TASK = 2;
const RETURN = 3;

export class Orders implements Saveable {
  private readonly m = new Float64Array(4);

  /** DO_CHANGE_SPEED: acts on the trajectory generator immediately, on later items from the next navigator tick. */
  changeSpeed(type: number, speedMps: number): void {
    const m = this.m;
    m[SPEED] = speedMps > TINY ? speedMps : -1;
    m[SPEED_WAITS] = 1;
    m[TO_TASK] = Math.floor(type + 0.5) === GROUND_SPEED && speedMps > 0 ? 1 : 0;
  }

  /** True once after a change of speed, for the trajectory generator. */
  takeForTask(): boolean {
    const taken = this.m[TO_TASK] === 1;
    this.m[TO_TASK] = 0;
    return taken;
  }

  /** True once after a change of speed, for the navigator. */
  takeForItems(): boolean {
    const taken = this.m[SPEED_WAITS] === 1;
    this.m[SPEED_WAITS] = 0;
    return taken;
  }

  /** −1 for the default. */
  get speedMps(): number {
    return this.m[SPEED];
  }

  get returnWanted(): boolean {
    return this.m[RETURN] === 1;
  }

  set returnWanted(wanted: boolean) {
    this.m[RETURN] = wanted ? 1 : 0;
  }

  save(writer: SnapshotWriter): void {
    writer.numbers(this.m);
  }

  load(reader: SnapshotReader): void {
    reader.numbersInto(this.m);
  }
}
