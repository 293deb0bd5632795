/** A sink in fifteen lines: altitude and voltage, once per second. */
import { type Column, fly, type Readable, type Sink } from "escapement";

export class EverySecond implements Sink {
  readonly lines: string[] = [];
  readonly isFull = false;
  readonly neverFull = true;
  private columnIndices: number[] = [];

  open(columns: readonly Column[]): void {
    this.columnIndices = ["pos_ned_d_m", "battery_voltage_v"].map((name) =>
      columns.findIndex((column) => column.name === name),
    );
  }
  row(tUs: number, row: Readable): void {
    const [down, volts] = this.columnIndices.map((index) => row[index]!);
    if (tUs % 1_000_000 === 0) this.lines.push(`${tUs / 1e6} s  ${(-down!).toFixed(2)} m  ${volts!.toFixed(2)} V`);
  }
  async drain(): Promise<void> {}
  async close(): Promise<void> {}
}

export const sink = new EverySecond();
await fly({ extends: "mission", timeline: { endS: 10 } }, { sinks: [sink] });
console.log(sink.lines.join("\n"));
