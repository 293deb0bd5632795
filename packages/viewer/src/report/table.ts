/** The columns of a report by name, with those that follow from them: altitude, speed, position error, total wind. */
import type { ReportHead } from "./data.ts";

export class Table {
  private readonly columns = new Map<string, Float32Array>();
  readonly rows: number;

  constructor(head: ReportHead, values: Float32Array) {
    this.rows = head.rows;
    head.columns.forEach((name, i) => this.columns.set(name, values.subarray(i * head.rows, (i + 1) * head.rows)));
    this.derive("altitude", (i) => -this.at("pos2", i));
    this.derive("setAltitude", (i) => (this.isSet(i) ? -this.at("setPos2", i) : Number.NaN));
    this.derive("groundSpeed", (i) => Math.hypot(this.at("vel0", i), this.at("vel1", i)));
    this.derive("climb", (i) => -this.at("vel2", i));
    this.derive("error", (i) =>
      this.isSet(i)
        ? Math.hypot(this.at("pos0", i) - this.at("setPos0", i), this.at("pos1", i) - this.at("setPos1", i), this.at("pos2", i) - this.at("setPos2", i))
        : Number.NaN,
    );
    for (let k = 0; k < 3; k += 1) this.derive(`totalWind${k}`, (i) => this.at(`wind${k}`, i) + this.at(`gust${k}`, i));
  }

  has(name: string): boolean {
    return this.columns.has(name);
  }

  column(name: string): Float32Array {
    return this.columns.get(name) ?? new Float32Array(this.rows);
  }

  at(name: string, row: number): number {
    return this.columns.get(name)?.[row] ?? 0;
  }

  /** Row in force at a time. */
  rowAt(t: number): number {
    const times = this.column("t");
    let low = 0;
    let high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle]! <= t) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  /** A column of this table at the times of another. */
  on(other: Table, name: string): (number | null)[] {
    const column = this.column(name);
    if (other === this) return Array.from(column, finite);
    return Array.from(other.column("t"), (t) => finite(column[this.rowAt(t)]));
  }

  /** Position is commanded in all three axes. */
  private isSet(row: number): boolean {
    return (this.at("valid0", row) & 3) === 3;
  }

  private derive(name: string, valueAt: (row: number) => number): void {
    this.columns.set(name, Float32Array.from({ length: this.rows }, (_, i) => valueAt(i)));
  }
}

function finite(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
