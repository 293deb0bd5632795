/**
 * The rows of a recording: the rows that sinks received at every log tick, rebuilt without flying.
 *
 * State and outputs are recorded at log ticks. Every other signal holds its last recorded value, or its initial value
 * before the first. The total wind is summed as in the engine. Logs written from these rows equal those of the flight.
 */
import { BusLayout, type Column, type Readable, rowColumns, type SignalName, signalSpec } from "../engine/index.ts";
import { findStream, type Recording, type Stream } from "./recording.ts";

/** A stream that is read forward into its place in the row. */
class Walk {
  private readonly stream: Stream;
  private readonly target: Float64Array;
  private next = 0;

  constructor(stream: Stream, target: Float64Array) {
    this.stream = stream;
    this.target = target;
  }

  to(tUs: number): void {
    const { timesUs, values, size } = this.stream;
    const before = this.next;
    while (this.next < timesUs.length && timesUs[this.next]! <= tUs) this.next += 1;
    if (this.next > before) this.target.set(values.subarray((this.next - 1) * size, this.next * size));
  }
}

export class RecordedRows {
  readonly columns: readonly Column[];
  readonly timesUs: Float64Array;
  /** The row that the last call of `next` filled; reused. */
  readonly row: Readable;
  private readonly walks: readonly Walk[];
  private readonly wind: { readonly base: Float64Array; readonly gust: Float64Array; readonly sum: Float64Array };
  private index = -1;

  constructor(recording: Recording) {
    const layout = new BusLayout(recording.dims);
    const stateSize = recording.initialState.length;
    const row = new Float64Array(stateSize + layout.size);
    const bus = row.subarray(stateSize);
    const place = (name: SignalName) => {
      const { offset, size } = layout.find(name);
      return bus.subarray(offset, offset + size);
    };
    for (const { name } of layout.signals) {
      const { initial } = signalSpec(name);
      if (typeof initial === "number") place(name).fill(initial);
      else place(name).set(initial);
    }
    this.row = row;
    this.columns = rowColumns({ blocks: recording.stateBlocks }, layout);
    this.timesUs = findStream(recording, "state").timesUs;
    this.wind = { base: place("windBaseNed"), gust: place("windGustNed"), sum: place("windNed") };
    this.walks = [...recording.streams, ...recording.logged].map((stream) =>
      stream.name === "state"
        ? new Walk(stream, row.subarray(0, stateSize))
        : new Walk(stream, place(stream.name as SignalName)),
    );
  }

  /** Time of the row now in `row`. */
  get tUs(): number {
    return this.timesUs[this.index]!;
  }

  /** Advances to the next row; false after the last. */
  next(): boolean {
    if (this.index + 1 >= this.timesUs.length) return false;
    this.index += 1;
    for (const walk of this.walks) walk.to(this.tUs);
    const { base, gust, sum } = this.wind;
    for (let i = 0; i < 3; i += 1) sum[i] = base[i]! + gust[i]!;
    return true;
  }
}
