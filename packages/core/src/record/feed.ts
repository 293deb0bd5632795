/**
 * A recording whose values are read while it is replayed, so that the memory needed does not grow with the length of
 * the flight. Everything except the values is in memory.
 */
import type { Clock, ListedAxis } from "../time/index.ts";
import {
  type BusLayout,
  type SignalName,
  signalSpec,
  type Source,
  type SourceWriter,
  type View,
} from "../engine/index.ts";
import { recordErrors } from "./errors.ts";
import { Playback } from "./playback.ts";
import type { Recording } from "./recording.ts";

/** The recorded values of all writers, read forward in time. */
export interface ValueFeed {
  /** The bus with the values at the time reached. */
  readonly bus: Float64Array;
  /** The time reached in microseconds, then the state at the last log tick. */
  readonly frame: Float64Array;
  /**
   * Advances to a time, which must not be earlier than the previous one. Throws a typed error if the file is damaged.
   */
  advanceTo(tUs: number): void;
  /** Whether this writer has a row at or before the time reached. */
  hasRow(writer: SourceWriter): boolean;
}

/** A recording whose values are read from a feed, e.g. from its file while it is replayed. */
export interface FedRecording extends Omit<Recording, "streams" | "logged"> {
  /** Starts to read the values from the beginning. */
  readonly openFeed: () => ValueFeed;
}

/** Returns a recording that can be read forward in time, whether its values are in memory or in a file. */
export function asFed(recording: Recording | FedRecording): FedRecording {
  return "streams" in recording ? { ...recording, openFeed: () => new MemoryFeed(recording) } : recording;
}

/** Feeds the values of a recording that is in memory. */
class MemoryFeed implements ValueFeed {
  readonly bus: Float64Array;
  readonly frame: Float64Array;
  private readonly playback: Playback;
  /** Time of the first row of every writer that has one. */
  private readonly firstUs = new Map<string, number>();
  private hasBegun = false;

  constructor(recording: Pick<Recording, "dims" | "initialState" | "streams" | "logged">) {
    this.playback = new Playback(recording);
    this.bus = this.playback.bus;
    this.frame = this.playback.frame;
    for (const { name, timesUs } of recording.streams) {
      const { writer } = signalSpec(name as SignalName);
      this.firstUs.set(writer, Math.min(timesUs[0] ?? Infinity, this.firstUs.get(writer) ?? Infinity));
    }
  }

  advanceTo(tUs: number): void {
    this.hasBegun = true;
    this.playback.advanceTo(tUs);
  }

  hasRow(writer: SourceWriter): boolean {
    return this.hasBegun && this.frame[0]! >= (this.firstUs.get(writer) ?? Infinity);
  }
}

/** Plays back the signals of one writer. All sources of a replay share one feed. */
export class FedSource<W extends SourceWriter> implements Source<W> {
  readonly writer: W;
  /** Adds no boundaries, because the recorded boundaries have the writer's due bit. */
  readonly axis: ListedAxis = { kind: "listed", timesUs: new Float64Array(0) };
  /** Cannot be restored, because the feed reads only forward. */
  readonly restore = "refused";
  private readonly feed: ValueFeed;
  private readonly signals: readonly { readonly name: string; readonly recorded: Float64Array }[];

  constructor(writer: W, feed: ValueFeed, layout: BusLayout) {
    this.writer = writer;
    this.feed = feed;
    this.signals = layout.signals
      .filter(({ name }) => signalSpec(name).writer === writer)
      .map(({ name, offset, size }) => ({ name, recorded: feed.bus.subarray(offset, offset + size) }));
  }

  readonly update = (clock: Clock, bus: View<W>): void => {
    this.feed.advanceTo(clock.us);
    if (!this.feed.hasRow(this.writer)) this.rejectEarly(clock.us);
    const own = bus as unknown as Record<string, Float64Array>;
    for (const { name, recorded } of this.signals) own[name]!.set(recorded);
  };

  save(): void {}

  load(): void {}

  private rejectEarly(tUs: number): never {
    throw recordErrors.dueAtOtherTime({
      what: `the ${this.writer} is due at ${tUs} µs, but its first recorded row is later`,
      where: { tUs },
      fix: "use another copy of the file",
    });
  }
}
