/**
 * A live flight whose parts all run in this process. The caller lets it fly as far as the wall clock has advanced.
 *
 * A command becomes an event of the description at the next tick of the autopilot, and the flight continues from its
 * current memory with the new description. So flying the final description gives the same flight.
 */
import { hasSticks, type ResolvedFlight } from "@escapement/core";
import { addEvents } from "@escapement/formats";
import type { EventSpec, FileMap, FlightHead, FlightId, FromWorker, RowBatch } from "../protocol.ts";
import { FlownFlight } from "../worker/flown-flight.ts";
import { commandEvents, noSticks, tooLate } from "./command-events.ts";

/** Id of the live flight in its messages; the page replaces it with one of its own ids. */
export const LIVE_ID: FlightId = 0;

/** A description with its resolution. */
export interface LiveSource {
  readonly name: string;
  readonly text: string;
  readonly files: FileMap;
  readonly resolved: ResolvedFlight;
}

export type Resolve = (text: string, files: FileMap) => ResolvedFlight;

export class LiveSession {
  private readonly resolve: Resolve;
  private readonly post: (message: FromWorker) => void;
  private flight: FlownFlight;
  private lastRowUs = -1;
  private rows = 0;
  private hasEnded = false;

  constructor(source: LiveSource, resolve: Resolve, post: (message: FromWorker) => void) {
    this.resolve = resolve;
    this.post = post;
    this.flight = new FlownFlight(LIVE_ID, source);
    post({ is: "flight", seq: -1, id: LIVE_ID, head: this.head });
  }

  get isOver(): boolean {
    return this.hasEnded;
  }

  /** The description, with every command so far. */
  get text(): string {
    return this.flight.source.text;
  }

  /** The time that the flight has reached. */
  get nowUs(): number {
    return this.flight.session.nowUs;
  }

  /** Flies to a time, or until `shouldPause` returns true, and sends new rows and events. */
  flyTo(tUs: number, shouldPause: () => boolean = () => false): void {
    if (this.hasEnded) return;
    this.flight.reach(tUs);
    this.flight.advance(shouldPause, () => 0);
    const events = this.flight.takeEvents();
    const batch = this.newRows();
    if (batch !== undefined) {
      const fromRow = this.rows;
      this.rows += batch.timesUs.length;
      this.lastRowUs = batch.timesUs.at(-1)!;
      const known = events === undefined ? {} : { events };
      this.post({ is: "rows", id: LIVE_ID, fromRow, batch, ...known, flownUs: this.lastRowUs });
    }
    if (!this.flight.isOver) return;
    this.hasEnded = true;
    this.post({ is: "end", id: LIVE_ID, events: this.flight.session.events, end: this.flight.end() });
  }

  /** Adds events at the next tick of the autopilot, and returns its time. Throws typed errors. */
  command(events: readonly EventSpec[]): number {
    if (this.hasEnded) throw tooLate();
    const { session, source } = this.flight;
    const { autopilotPeriodUs: periodUs } = this.flight.head();
    const atUs = periodUs > 0 ? Math.ceil(session.nowUs / periodUs) * periodUs : session.nowUs;
    const text = addEvents(source.text, commandEvents(events, atUs));
    const resolved = this.resolve(text, source.files);
    if (hasSticks(resolved.definition) && !hasSticks(source.resolved.definition)) throw noSticks();
    this.flight = new FlownFlight(LIVE_ID, { ...source, text, resolved }, this.flight);
    this.post({ is: "amended", id: LIVE_ID, head: this.head });
    return atUs;
  }

  private get head(): FlightHead {
    return liveHead(this.flight.head());
  }

  /** Returns the rows after the last row that was sent. A branch may fly rows again that were already sent. */
  private newRows(): RowBatch | undefined {
    const batch = this.flight.takeRows()?.batch;
    if (batch === undefined) return undefined;
    const { timesUs, values } = batch;
    const first = timesUs.findIndex((tUs) => tUs > this.lastRowUs);
    if (first <= 0) return first < 0 ? undefined : batch;
    const count = timesUs.length - first;
    const columns = values.length / timesUs.length;
    const newValues = new Float32Array(columns * count);
    for (let c = 0; c < columns; c += 1) {
      newValues.set(values.subarray(c * timesUs.length + first, (c + 1) * timesUs.length), c * count);
    }
    return { timesUs: timesUs.slice(first), values: newValues };
  }
}

/** Returns the head of a flight, marked as the head of a live flight. */
function liveHead(head: FlightHead): FlightHead {
  const whyNot = "the command flies this flight live, so events can only happen now";
  return { ...head, origin: "live", canBranch: false, takesCommands: true, whyNot };
}
