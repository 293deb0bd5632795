/**
 * Delays rows by a whole number of ticks.
 *
 * While the line fills, it outputs the first row, so that the output does not jump back in time once it is full.
 */
import { PartWithMemory } from "../../snapshot/index.ts";

export class DelayLine extends PartWithMemory {
  private readonly rows: Float64Array;
  private readonly rowSize: number;
  private readonly ticks: number;
  private readonly pushed = new Float64Array(1);
  protected readonly memory;

  constructor(ticks: number, rowSize: number) {
    super();
    this.ticks = ticks;
    this.rowSize = rowSize;
    this.rows = new Float64Array((ticks + 1) * rowSize);
    this.memory = [this.pushed, this.rows];
  }

  /** Replaces the row with the one from `ticks` ticks ago. */
  exchange(row: Float64Array): void {
    const { rows, rowSize, ticks } = this;
    const count = this.pushed[0]!;
    this.pushed[0] = count + 1;
    if (ticks === 0) return;
    const length = ticks + 1;
    rows.set(row, (count % length) * rowSize);
    const from = (Math.max(0, count - ticks) % length) * rowSize;
    for (let i = 0; i < rowSize; i += 1) row[i] = rows[from + i]!;
  }
}
