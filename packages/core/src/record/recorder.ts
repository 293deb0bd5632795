/**
 * The recorder in memory. It never changes a flight.
 *
 * At every boundary it records the time and the due set; for each writer that ran, the signals whose bits changed; and
 * if a log tick is due, x⁺ and the derived outputs, which belong to the same instant.
 */
import {
  type BoundaryView,
  BusLayout,
  type Dims,
  DUE_BITS,
  type Observer,
  SIGNAL_TABLE_VERSION,
  signalSpec,
  type Writer,
} from "../engine/index.ts";
import { recordErrors } from "./errors.ts";
import { GrowingFloats } from "./growing.ts";
import type { FingerprintDigests } from "./fingerprint.ts";
import { recordedBlock, type RecordedBlock, type Recording, RECORDING_VERSION, type Stream } from "./recording.ts";

/** One signal being recorded. */
class StreamBuilder {
  readonly name: string;
  readonly offset: number;
  readonly size: number;
  /** The writer runs if one of these bits is due. */
  readonly due: number;
  readonly timesUs = new GrowingFloats();
  readonly values = new GrowingFloats();
  private readonly last: Int32Array;

  constructor(name: string, offset: number, size: number, due: number) {
    this.name = name;
    this.offset = offset;
    this.size = size;
    this.due = due;
    this.last = new Int32Array(2 * size);
  }

  /** Adds a row if any bit differs from the last row. */
  takeChanged(tUs: Float64Array, source: Float64Array, words: Int32Array): void {
    const { last, size } = this;
    const start = 2 * this.offset;
    let differs = this.timesUs.length === 0 ? 1 : 0;
    for (let i = 0; i < 2 * size; i += 1) {
      differs |= last[i]! ^ words[start + i]!;
      last[i] = words[start + i]!;
    }
    if (differs !== 0) this.take(tUs, source);
  }

  take(tUs: Float64Array, source: Float64Array): void {
    this.timesUs.append(tUs, 0, 1);
    this.values.append(source, this.offset, this.size);
  }

  /** Drops rows at and after a time. */
  truncate(tUs: number): void {
    const times = this.timesUs.view();
    let rows = times.length;
    while (rows > 0 && times[rows - 1]! >= tUs) rows -= 1;
    this.timesUs.truncate(rows);
    this.values.truncate(rows * this.size);
    if (rows === 0) return;
    const lastRow = this.values.view().slice((rows - 1) * this.size);
    this.last.set(new Int32Array(lastRow.buffer));
  }

  finish(): Stream {
    return {
      name: this.name,
      size: this.size,
      timesUs: this.timesUs.view().slice(),
      values: this.values.view().slice(),
    };
  }
}

/** The parts of a state's layout that a recording needs. */
interface RecordedState {
  readonly size: number;
  readonly blocks: readonly RecordedBlock[];
}

/** An observer that records the inputs and the state of a flight. */
export class Recorder implements Observer {
  private readonly dims: Dims;
  private readonly state: RecordedState;
  private readonly timesUs = new GrowingFloats(4096);
  private readonly due = new GrowingFloats(4096);
  private readonly streams: readonly StreamBuilder[];
  private readonly loggedState: StreamBuilder;
  private readonly loggedOutputs: readonly StreamBuilder[];
  private initialState: Float64Array = new Float64Array(0);
  private busWords: Int32Array = new Int32Array(0);

  constructor(dims: Dims, state: RecordedState) {
    this.dims = dims;
    this.state = state;
    const layout = new BusLayout(dims);
    const builders = (isWanted: (writer: Writer) => boolean) =>
      layout.signals
        .filter(({ name, size }) => size > 0 && isWanted(signalSpec(name).writer))
        .map(({ name, offset, size }) => new StreamBuilder(name, offset, size, dueBit(signalSpec(name).writer)));
    // Replay computes the sum of base wind and gust again. The outputs are recorded on the log axis.
    this.streams = builders((writer) => writer !== "windSum" && writer !== "outputs");
    this.loggedOutputs = builders((writer) => writer === "outputs");
    this.loggedState = new StreamBuilder("state", 1, state.size, DUE_BITS.log);
  }

  readonly observe = (view: BoundaryView): void => {
    const { frame, bus, due } = view;
    if (this.timesUs.length === 0) {
      this.busWords = new Int32Array(bus.buffer, bus.byteOffset, 2 * bus.length);
      this.initialState = frame.slice(1, 1 + view.stateSize);
    }
    this.timesUs.append(frame, 0, 1);
    this.due.push(due);
    for (let i = 0; i < this.streams.length; i += 1) {
      const stream = this.streams[i]!;
      if ((due & stream.due) !== 0) stream.takeChanged(frame, bus, this.busWords);
    }
    if ((due & DUE_BITS.log) === 0) return;
    this.loggedState.take(frame, frame);
    for (let i = 0; i < this.loggedOutputs.length; i += 1) this.loggedOutputs[i]!.take(frame, bus);
  };

  /** Returns the recording so far; also available after an error. */
  finish(context: { resolved?: unknown; resolvedHash?: string; digests: FingerprintDigests }): Recording {
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
      streams: this.streams.map((stream) => stream.finish()),
      logged: [this.loggedState, ...this.loggedOutputs].map((stream) => stream.finish()),
      digests: context.digests,
    };
  }

  /** The recording so far must include the beginning of the flight. */
  readonly rewindTo = (boundary: number, tUs: number): void => {
    if (this.timesUs.length < boundary) {
      throw recordErrors.missedStart({
        what: `the checkpoint was taken after ${boundary} boundaries, of which this recorder has seen ${this.timesUs.length}`,
        fix: "rewind with the recorder that saw the beginning, or fly on without one",
      });
    }
    this.timesUs.truncate(boundary);
    this.due.truncate(boundary);
    for (const stream of this.allStreams()) stream.truncate(tUs);
  };

  private allStreams(): StreamBuilder[] {
    return [...this.streams, this.loggedState, ...this.loggedOutputs];
  }
}

function dueBit(writer: Writer): number {
  return writer === "outputs" || writer === "windSum" ? DUE_BITS.log : DUE_BITS[writer];
}
