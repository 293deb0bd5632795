/**
 * A live flight whose memory cannot be saved, because a part of it runs in a different process. Log rows are copied as
 * they are made. A command cannot continue the flight from saved memory with a new description, so it adds its events
 * to the running scenario and to the description.
 */
import {
  type BoundaryView,
  DUE_BITS,
  editBetween,
  type Flight,
  type FlightResult,
  hasSticks,
  isSetting,
  type Observer,
  type Run,
  Scenario,
} from "@escapement/core";
import { addEvents } from "@escapement/formats";
import { viewErrors } from "../errors.ts";
import type { EventSpec, FlightHead, FromWorker } from "../protocol.ts";
import { endOf, headOf } from "../worker/flown-flight.ts";
import { RowBuffer } from "../worker/rows.ts";
import { commandEvents, noSticks, tooLate } from "./command-events.ts";
import { LIVE_ID, type LiveSource, type Resolve } from "./live-session.ts";

export class LiveRun implements Observer {
  readonly dueMask = DUE_BITS.log;
  private source: LiveSource;
  private readonly resolve: Resolve;
  private readonly post: (message: FromWorker) => void;
  private run: Run | undefined;
  private buffer: RowBuffer | undefined;
  private row = new Float64Array(0);
  private lastUs = 0;
  private sentEvents = -1;
  private hasEnded = false;

  constructor(source: LiveSource, resolve: Resolve, post: (message: FromWorker) => void) {
    this.source = source;
    this.resolve = resolve;
    this.post = post;
  }

  /** Begins the live flight. Call it when the flight has been assembled, before its first boundary. */
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
    const fromRow = buffer.sent;
    this.post({ is: "rows", id: LIVE_ID, fromRow, batch: buffer.take(), ...known, flownUs: this.lastUs });
  }

  /** Sends the end of the flight. */
  end(result: FlightResult): void {
    this.flush();
    this.hasEnded = true;
    if (this.run !== undefined) this.post({ is: "amended", id: LIVE_ID, head: this.head(this.run.flight) });
    const end = endOf(result, { flyMs: 0, flownUs: this.lastUs });
    this.post({ is: "end", id: LIVE_ID, events: this.run?.assembled.summary.events ?? [], end });
  }

  /** Adds events at the next tick of the autopilot, and returns its time. Throws typed errors. */
  readonly command = (events: readonly EventSpec[]): number => {
    if (this.hasEnded) throw tooLate();
    const { flight } = this.run ?? {};
    const scenario = flight?.parts.scenario;
    if (flight === undefined || !(scenario instanceof Scenario)) throw notYet();
    const atUs = nextTickUs(flight);
    const text = addEvents(this.source.text, commandEvents(events, atUs));
    const resolved = this.resolve(text, this.source.files);
    const added = editBetween(this.source.resolved.definition, resolved.definition)?.added ?? [];
    const fixed = added.find(({ action }) => action === "parameter" || isSetting(action));
    if (fixed !== undefined) throw cannotChange(fixed.action);
    if (hasSticks(resolved.definition) && !hasSticks(this.source.resolved.definition)) throw noSticks();
    for (const event of added) scenario.add(event, atUs);
    this.source = { ...this.source, text, resolved };
    this.post({ is: "amended", id: LIVE_ID, head: this.head(flight) });
    return atUs;
  };

  private head(flight: Flight): FlightHead {
    const whyNot = "the command flies this flight live, so events can only happen now";
    const takesCommands = !this.hasEnded;
    return { ...headOf(this.source, flight), origin: "live", canBranch: false, takesCommands, whyNot };
  }
}

/** Returns the first tick of the autopilot after the current boundary. */
function nextTickUs({ parts, schedule }: Flight): number {
  const axis = parts.autopilot?.axis;
  const periodUs = axis?.kind === "periodic" ? axis.periodUs : 1;
  return (Math.floor(schedule.nowUs / periodUs) + 1) * periodUs;
}

function notYet() {
  return viewErrors.liveCommand({ what: "the flight has not begun", fix: "wait for its first rows" });
}

function cannotChange(action: string) {
  return viewErrors.liveCommand({
    what: `"${action}" cannot be changed while PX4 flies`,
    fix: "list the event in the description before the flight",
  });
}
