/**
 * The recorder in memory. It never changes a flight.
 *
 * At every boundary it records the time and the due set. For each writer that ran, it records the signals if any of
 * their bits changed. At log ticks it also records x⁺ and the derived outputs of the same instant. During the flight it
 * only compares and copies. The rows of a writer are split into streams of signals when the recording is made.
 */
import {
  type BoundaryView,
  BusLayout,
  type Dims,
  DUE_BITS,
  type Observer,
  type PlacedSignal,
  SIGNAL_TABLE_VERSION,
  signalSpec,
  type Writer,
  WRITERS,
} from "../engine/index.ts";
import { recordErrors } from "./errors.ts";
import { GrowingFloats } from "./growing.ts";
import { RowBlocks } from "./row-blocks.ts";
import type { FingerprintDigests } from "./fingerprint.ts";
import { recordedBlock, type RecordedBlock, type Recording, RECORDING_VERSION, type Stream } from "./recording.ts";

/** The signals of one writer: their range of the bus, and the rows in which any of their bits changed. */
class WriterRows {
  readonly rows: RowBlocks;
  /** The writer runs if this bit is due. */
  readonly due: number;
  private readonly offset: number;
  private readonly signals: readonly PlacedSignal[];
  private values: Float64Array = new Float64Array(0);
  private words: Int32Array = new Int32Array(0);

  constructor(writer: Writer, layout: BusLayout) {
    const [offset, size] = layout.ranges[writer];
    this.rows = new RowBlocks(size);
    this.due = dueBit(writer);
    this.offset = offset;
    this.signals = layout.signals.filter((signal) => signal.size > 0 && signalSpec(signal.name).writer === writer);
  }

  readFrom(bus: Float64Array): void {
    this.values = bus.subarray(this.offset, this.offset + this.rows.size);
    this.words = new Int32Array(this.values.buffer, this.values.byteOffset, 2 * this.values.length);
  }

  addRow(tUs: Float64Array): void {
    this.rows.push(tUs, this.values);
  }

  /** Adds a row if any bit differs from the last row. */
  addRowIfChanged(tUs: Float64Array): void {
    if (!this.rows.endsWith(this.words)) this.rows.push(tUs, this.values);
  }

  /** Returns each signal with all rows. */
  streams(): Stream[] {
    return this.signals.map(({ name, offset, size }) => this.rows.stream(name, offset - this.offset, size));
  }

  /** Returns each signal with the rows in which its own bits changed. */
  changes(): Stream[] {
    return this.signals.map(({ name, offset, size }) => this.rows.changes(name, offset - this.offset, size));
  }
}

/** The parts of a state's layout that a recording needs. */
interface RecordedState {
  readonly size: number;
  readonly blocks: readonly RecordedBlock[];
}

/** The data of a recording that the recorder itself does not collect. */
interface RecordingContext {
  readonly resolved?: unknown;
  readonly resolvedHash?: string;
  readonly digests: FingerprintDigests;
}

/** An observer that records the inputs and the state of a flight. */
export class Recorder implements Observer {
  private readonly dims: Dims;
  private readonly state: RecordedState;
  private readonly timesUs = new GrowingFloats(4096);
  private readonly due = new GrowingFloats(4096);
  private readonly held: readonly WriterRows[];
  private readonly outputs: WriterRows;
  private readonly loggedState: RowBlocks;
  private stateValues: Float64Array = new Float64Array(0);
  private initialState: Float64Array = new Float64Array(0);
  /** The last function that `finishLater` returned; undefined once it has made its recording. */
  private pending: (() => Recording) | undefined;

  constructor(dims: Dims, state: RecordedState) {
    this.dims = dims;
    this.state = state;
    const layout = new BusLayout(dims);
    // Leave out the sum of base wind and gust, which a replay computes again, and the outputs, which are recorded at
    // log ticks.
    this.held = WRITERS.filter(
      (writer) => writer !== "windSum" && writer !== "outputs" && layout.ranges[writer][1] > 0,
    ).map((writer) => new WriterRows(writer, layout));
    this.outputs = new WriterRows("outputs", layout);
    this.loggedState = new RowBlocks(state.size);
  }

  readonly observe = (view: BoundaryView): void => {
    const { frame, due } = view;
    if (this.pending !== undefined) this.pending();
    if (this.timesUs.length === 0) this.begin(view);
    this.timesUs.append(frame, 0, 1);
    this.due.push(due);
    for (let i = 0; i < this.held.length; i += 1) {
      const writer = this.held[i]!;
      if ((due & writer.due) !== 0) writer.addRowIfChanged(frame);
    }
    if ((due & DUE_BITS.log) === 0) return;
    this.loggedState.push(frame, this.stateValues);
    this.outputs.addRow(frame);
  };

  private begin({ frame, bus, stateSize }: BoundaryView): void {
    for (const writer of [...this.held, this.outputs]) writer.readFrom(bus);
    this.stateValues = frame.subarray(1, 1 + stateSize);
    this.initialState = this.stateValues.slice();
  }

  /**
   * Returns a function that makes the recording of the flight up to now when it is first called. If it has not been
   * called by the next boundary or rewind, the recording is made then, so that it never includes later boundaries.
   */
  finishLater(context: RecordingContext): () => Recording {
    this.pending?.();
    let recording: Recording | undefined;
    const make = () => {
      if (recording !== undefined) return recording;
      recording = this.finish(context);
      if (this.pending === make) this.pending = undefined;
      return recording;
    };
    this.pending = make;
    return make;
  }

  /** Returns the recording so far; also available after an error. */
  finish(context: RecordingContext): Recording {
    const timesUs = this.timesUs.view().slice();
    return {
      version: RECORDING_VERSION,
      signalTableVersion: SIGNAL_TABLE_VERSION,
      dims: this.dims,
      resolved: context.resolved ?? null,
      resolvedHash: context.resolvedHash ?? "",
      stateBlocks: this.state.blocks.map(recordedBlock),
      initialState: this.initialState,
      startUs: timesUs[0] ?? 0,
      endUs: timesUs[timesUs.length - 1] ?? 0,
      boundaries: { timesUs, due: Uint16Array.from(this.due.view()) },
      streams: this.held.flatMap((writer) => writer.changes()),
      logged: [this.loggedState.stream("state", 0, this.state.size), ...this.outputs.streams()],
      digests: context.digests,
    };
  }

  /** Drops everything from this boundary on. All boundaries before it must have been recorded. */
  readonly rewindTo = (boundary: number, tUs: number): void => {
    if (this.timesUs.length < boundary) {
      throw recordErrors.missedStart({
        what: `the checkpoint was taken after ${boundary} boundaries, of which this recorder recorded ${this.timesUs.length}`,
        fix: "rewind a flight whose recorder has run since its start, or fly on without a recorder",
      });
    }
    this.pending?.();
    this.timesUs.truncate(boundary);
    this.due.truncate(boundary);
    for (const { rows } of [...this.held, this.outputs]) rows.truncate(tUs);
    this.loggedState.truncate(tUs);
  };
}

function dueBit(writer: Writer): number {
  return writer === "outputs" || writer === "windSum" ? DUE_BITS.log : DUE_BITS[writer];
}
