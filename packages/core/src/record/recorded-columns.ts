/**
 * The columns of a recording at its log ticks. Each is built only when it is asked for, because an hour of flight has a
 * million rows of two hundred columns, and few of them are plotted. `RecordedRows` gives the same values row by row.
 */
import { BusLayout, type Column, type PlacedSignal, rowColumns, signalSpec } from "../engine/index.ts";
import { heldValues } from "./cursor.ts";
import { findStream, type Recording, streamColumn } from "./recording.ts";

export class RecordedColumns {
  readonly columns: readonly Column[];
  readonly timesUs: Float64Array;
  private readonly recording: Recording;
  private readonly layout: BusLayout;
  private readonly stateSize: number;

  constructor(recording: Recording) {
    this.recording = recording;
    this.layout = new BusLayout(recording.dims);
    this.stateSize = recording.initialState.length;
    this.columns = rowColumns({ blocks: recording.stateBlocks }, this.layout);
    this.timesUs = findStream(recording, "state").timesUs;
  }

  /** Column i of the log, bit for bit as it was logged. */
  column(index: number): Float64Array {
    if (index < this.stateSize) return streamColumn(findStream(this.recording, "state"), index);
    const at = index - this.stateSize;
    const signal = this.layout.signals.find(({ offset, size }) => at >= offset && at < offset + size)!;
    const component = at - signal.offset;
    if (signal.name !== "windNed") return this.held(signal, component);
    const base = this.held(this.layout.find("windBaseNed"), component);
    const gust = this.held(this.layout.find("windGustNed"), component);
    return base.map((value, i) => value + gust[i]!);
  }

  /** The value in force at every tick; the initial value before its writer first ran. */
  private held({ name }: PlacedSignal, component: number): Float64Array {
    const { initial } = signalSpec(name);
    const first = typeof initial === "number" ? initial : initial[component]!;
    return heldValues(findStream(this.recording, name), component, this.timesUs, first);
  }
}
