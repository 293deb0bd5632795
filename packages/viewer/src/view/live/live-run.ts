/**
 * A live flight that cannot be saved, because a part of it lives in another process: it is watched, and takes no
 * commands. The log rows are copied as they are made.
 */
import { type BoundaryView, DUE_BITS, type Flight, type FlightResult, type Observer, type Run } from "@escapement/core";
import { viewErrors } from "../errors.ts";
import type { FromWorker } from "../protocol.ts";
import { endOf, headOf } from "../worker/flown-flight.ts";
import { RowBuffer } from "../worker/rows.ts";
import { LIVE_ID, type LiveSource } from "./live-session.ts";

export class LiveRun implements Observer {
  readonly dueMask = DUE_BITS.log;
  private readonly source: LiveSource;
  private readonly post: (message: FromWorker) => void;
  private run: Run | undefined;
  private buffer: RowBuffer | undefined;
  private row = new Float64Array(0);
  private lastUs = 0;
  private sentEvents = -1;

  constructor(source: LiveSource, post: (message: FromWorker) => void) {
    this.source = source;
    this.post = post;
  }

  /** Call it when the flight has been assembled, before its first boundary. */
  begin(run: Run): void {
    this.run = run;
    const { flight } = run;
    this.buffer = new RowBuffer(flight.columns.map((_, i) => i));
    this.row = new Float64Array(flight.columns.length);
    this.post({ is: "flight", seq: -1, id: LIVE_ID, head: this.head(flight) });
  }

  readonly observe = ({ frame, stateSize, bus, due }: BoundaryView): void => {
    if ((due & DUE_BITS.log) === 0 || this.buffer === undefined) return;
    this.row.set(frame.subarray(1, 1 + stateSize));
    this.row.set(bus.subarray(0, this.row.length - stateSize), stateSize);
    this.lastUs = frame[0]!;
    this.buffer.add(this.lastUs, this.row as unknown as Parameters<RowBuffer["add"]>[1]);
  };

  /** Sends the rows since the last call. */
  flush(): void {
    const { buffer, run } = this;
    if (buffer === undefined || run === undefined || buffer.count === 0) return;
    const { events } = run.assembled.summary;
    const known = events.length === this.sentEvents ? {} : { events };
    this.sentEvents = events.length;
    const fromRow = buffer.taken;
    this.post({ is: "rows", id: LIVE_ID, fromRow, batch: buffer.take(), ...known, flownUs: this.lastUs });
  }

  /** Sends the end of the flight. */
  end(result: FlightResult): void {
    this.flush();
    const end = endOf(result, { flyMs: 0, flownUs: this.lastUs });
    this.post({ is: "end", id: LIVE_ID, events: this.run?.assembled.summary.events ?? [], end });
  }

  readonly command = (): never => {
    throw viewErrors.liveCommand({
      what: "a flight with PX4 takes no commands from the page",
      fix: "list events in the description, or command PX4 from a ground station",
    });
  };

  private head(flight: Flight) {
    const whyNot = "this flight is flown with PX4 by the command: it can be watched, and cannot be branched";
    return { ...headOf(this.source, flight), origin: "live", canBranch: false, whyNot } as const;
  }
}
