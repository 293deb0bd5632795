/** Makes columns that the page does not hold: flies the flight again, in slices, and keeps only these columns. */
import { FlightSession } from "@escapement/core";
import type { FlownFlight } from "./flown-flight.ts";
import { RowBuffer } from "./rows.ts";
import { registry } from "./texts.ts";

const BOUNDARIES_PER_CHECK = 500;

export class Refill {
  private readonly buffer: RowBuffer;
  private readonly session: FlightSession;
  private readonly untilUs: number;

  /** Collects rows up to `untilUs`. */
  constructor({ source }: FlownFlight, columns: readonly number[], untilUs: number) {
    this.buffer = new RowBuffer(columns);
    this.untilUs = untilUs;
    const onRow: RowBuffer["add"] = (tUs, row) => {
      if (tUs <= untilUs) this.buffer.add(tUs, row);
    };
    this.session = new FlightSession(source.resolved, {
      registry,
      onRow,
      yieldEvery: BOUNDARIES_PER_CHECK,
      checkpointEveryUs: Infinity,
      fingerprint: "none",
    });
  }

  /** Continues the flight until `shouldPause` returns true. Returns the values once all rows are flown. */
  advance(shouldPause: () => boolean): Float32Array | undefined {
    this.session.advance(this.untilUs + 1, shouldPause);
    const isDone = this.session.isOver || this.session.nowUs > this.untilUs;
    return isDone ? this.buffer.take().values : undefined;
  }
}
