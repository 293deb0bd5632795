/**
 * The trajectory setpoint, which the position controller follows. NaN means not commanded.
 */
import { PartWithMemory } from "../../../snapshot/index.ts";

export class TrajectorySetpoint extends PartWithMemory {
  protected readonly memory = new Float64Array(11).fill(NaN);
  readonly posNed = this.memory.subarray(0, 3);
  readonly velNed = this.memory.subarray(3, 6);
  readonly accNed = this.memory.subarray(6, 9);
  /** Yaw and yaw rate. */
  readonly yaw = this.memory.subarray(9, 11);

  clear(): void {
    this.memory.fill(NaN);
  }

  copy(from: TrajectorySetpoint): void {
    for (let i = 0; i < 11; i += 1) this.memory[i] = from.memory[i];
  }
}
