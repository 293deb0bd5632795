/**
 * The trajectory setpoint, which the position controller follows. NaN means not commanded.
 */
import type { Saveable, SnapshotReader, SnapshotWriter } from "../../../snapshot/index.ts";
import { loadMemory, saveMemory } from "../memory.ts";

export class TrajectorySetpoint implements Saveable {
  private readonly m = new Float64Array(11).fill(NaN);
  readonly posNed = this.m.subarray(0, 3);
  readonly velNed = this.m.subarray(3, 6);
  readonly accNed = this.m.subarray(6, 9);
  /** Yaw and yaw rate. */
  readonly yaw = this.m.subarray(9, 11);

  clear(): void {
    this.m.fill(NaN);
  }

  copy(from: TrajectorySetpoint): void {
    for (let i = 0; i < 11; i += 1) this.m[i] = from.m[i];
  }

  save(writer: SnapshotWriter): void {
    saveMemory(writer, this.m);
  }

  load(reader: SnapshotReader): void {
    loadMemory(reader, this.m);
  }
}
